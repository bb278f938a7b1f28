import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installN8n, installNode, installVersion, type Line } from './install';
import { npm, newLog } from './npm';
import { silent, type Report } from './report';

export interface PrepareOptions {
	line: Line;
	/** Another version of the line than that of the harness. */
	version?: string;
	/** The packed package; installed as n8n installs community packages. Without it n8n has no community package. */
	packageTarball?: string;
	/** A folder to keep, for instance to start again with the same data; by default a temporary one. */
	userFolder?: string;
	report?: Report;
}

/** What n8n's commands need to start: Node, n8n's program, and a user folder with the package. */
export interface Prepared {
	node: string;
	program: string;
	userFolder: string;
	/** The user folder if it is temporary. */
	removeAtEnd: string | undefined;
	/** Removes the user folder if it is temporary. */
	remove: () => void;
}

export async function prepareN8n(options: PrepareOptions): Promise<Prepared> {
	const report = options.report ?? silent;
	const node = await installNode(report);
	const installation = await (options.version === undefined
		? installN8n(options.line, report)
		: installVersion(options.version, report));
	const userFolder =
		options.userFolder ?? (await mkdtemp(join(tmpdir(), 'document-workflow-n8n-')));
	const removeAtEnd = options.userFolder === undefined ? userFolder : undefined;
	const remove = () => {
		if (removeAtEnd)
			rmSync(removeAtEnd, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	};
	try {
		if (options.packageTarball !== undefined)
			await installPackage(options.packageTarball, userFolder, removeAtEnd);
	} catch (error) {
		remove();
		throw error;
	}
	return {
		node,
		program: join(installation, 'node_modules', 'n8n', 'bin', 'n8n'),
		userFolder,
		removeAtEnd,
		remove,
	};
}

/** Installs the tarball where n8n keeps community packages; offline, because it has no dependencies. */
async function installPackage(
	tarball: string,
	userFolder: string,
	removeAtEnd: string | undefined,
): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	mkdirSync(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	if (!existsSync(manifest))
		writeFileSync(manifest, JSON.stringify({ name: 'installed-nodes', private: true }));
	const log = newLog(join(userFolder, 'install-package.log'));
	const quick = ['--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--no-package-lock'];
	await npm(['install', ...quick, tarball], folder, log, removeAtEnd);
}
