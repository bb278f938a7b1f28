import { join } from 'node:path';
import { EXAMPLES } from '../harness/example-workflows';
import { installN8n, installNode } from '../harness/install';
import { startN8n, type N8n } from '../harness/n8n';
import { packPackage } from '../harness/pack';
import { freePorts, isFree } from '../harness/ports';
import { Trouble } from '../harness/report';

const EDITOR_PORT = 5678;
/** The sample documents. */
export const DOCUMENTS = join(EXAMPLES, 'documents');

/** Installs and starts an n8n 2 with the package, at a port if one is given. */
export async function startOwnN8n(
	asked: number | undefined,
	env: NodeJS.ProcessEnv = {},
): Promise<N8n> {
	const port = await editorPort(asked);
	await installNode(console.log);
	await installN8n('n8n-2', console.log);
	const packageTarball = await packPackage({ report: console.log });
	console.log('Starting n8n with the package (about 10 seconds).');
	return startN8n({
		line: 'n8n-2',
		packageTarball,
		port,
		env: { N8N_RESTRICT_FILE_ACCESS_TO: DOCUMENTS, ...env },
	});
}

async function editorPort(asked: number | undefined): Promise<number> {
	const wanted = asked ?? EDITOR_PORT;
	if (await isFree(wanted)) return wanted;
	if (asked !== undefined)
		throw new Trouble(
			`Port ${asked} is taken by another program.`,
			'Choose another one with --port, or leave the option out.',
		);
	const [free = 0] = await freePorts(1);
	console.log(
		`Port ${EDITOR_PORT} is taken by another program (perhaps another n8n): the editor will be at port ${free}.`,
	);
	return free;
}
