/**
 * `npm run gallery [-- words]`: pictures of what a person meets in n8n, beside n8n's own nodes, in artefacts/gallery. With words: only
 * scenes whose name holds one of them. `npm run gallery -- docs [names]`: the pictures in docs/images instead.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startSimulator, type SimulatorConfiguration } from '../../simulator';
import { openEditor, picture, type Editor } from '../browser';
import { CREDENTIAL_TYPE, EXAMPLES } from '../example-workflows';
import { startN8n } from '../n8n';
import { connect } from '../n8n-rest';
import { ARTEFACTS, packPackage, ROOT } from '../pack';
import { fileOf, galleryPage, SIZES, THEMES } from './page';
import { DOCS_PICTURES, SCENES, type DocsPicture, type Scene, type Stage } from './scenes';

const FOLDER = join(ARTEFACTS, 'gallery');
const REPORT = join(ROOT, 'test', 'unit', 'nodes', 'golden', 'reports', 'typical.html');
/** For menus and pictures that fade in, in milliseconds. */
const SETTLED = 700;

async function main(words: string[]): Promise<void> {
	const isForDocs = words[0] === 'docs';
	const scenes = SCENES.filter(
		({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
	);
	const simulator = await startSimulator({ configuration: configuration() });
	const folder = mkdtempSync(join(tmpdir(), 'document-workflow-gallery-'));
	const documents = join(folder, 'documents');
	cpSync(join(EXAMPLES, 'documents'), documents, { recursive: true });
	const n8n = await startN8n({
		line: 'n8n-2',
		packageTarball: await packPackage({ report: console.log }),
		env: { N8N_RESTRICT_FILE_ACCESS_TO: documents },
	});
	try {
		const client = await connect(n8n);
		const editor = await openEditor(n8n.url, client.login);
		const { clientId = '', clientSecret = '' } = simulator.state.clients[0] ?? {};
		const { productionUrl, stagingUrl } = simulator;
		const api = { environment: 'production', productionUrl, stagingUrl, clientId, clientSecret };
		const workflowNames = 'Invoices = invoice-intake\nPolicies = policy-intake';
		const byKey = {
			triggerAuthentication: 'apiKey',
			headerName: 'x-api-key',
			apiKey: 'k'.repeat(32),
		};
		const byToken = { triggerAuthentication: 'jwt', algorithm: 'HS256', jwtSecret: 'k'.repeat(32) };
		const stored: Array<[key: string, data: Record<string, unknown>]> = [
			[CREDENTIAL_TYPE, { ...api, workflowNames, ...byKey }],
			[`${CREDENTIAL_TYPE}-options`, { ...api, ...byToken }],
		];
		const credentials: Stage['credentials'] = {};
		for (const [key, data] of stored) {
			const name = 'Document Workflow account';
			const id = await client.createCredential({ name, type: CREDENTIAL_TYPE, data });
			credentials[key] = { id, name };
		}
		mkdirSync(FOLDER, { recursive: true });
		const stage = { editor, client, credentials, documents };
		if (isForDocs) {
			const [, ...names] = words;
			const chosen = ([name]: [string, DocsPicture]) => names.length === 0 || names.includes(name);
			for (const [name, each] of Object.entries(DOCS_PICTURES).filter(chosen))
				await docsPicture(name, each, stage);
			if (names.length === 0 || names.includes('report')) await reportPicture(stage);
		} else {
			for (const scene of scenes) await takeAll(scene, stage);
			writeFileSync(join(FOLDER, 'index.html'), galleryPage(SCENES));
			console.log(`${join(FOLDER, 'index.html')} shows the pictures.`);
		}
		await editor.close();
	} finally {
		await n8n.stop();
		await simulator.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function docsPicture(name: string, shown: DocsPicture, stage: Stage): Promise<void> {
	const { page } = stage.editor;
	const { view, columns, until = columns, lines = columns, width, height } = shown;
	await page.setViewportSize({ width, height });
	await page.emulateMedia({ colorScheme: 'light' });
	const scene = SCENES.find((each) => each.name === shown.scene);
	if (scene === undefined) throw new Error(`There is no scene ${shown.scene}.`);
	await scene.show(stage);
	if (view !== undefined)
		await page.getByTestId('output-panel').getByTestId(`radio-button-${view}`).click();
	await page.mouse.move(0, 0); // n8n marks the row below the mouse
	await page.waitForTimeout(SETTLED);
	// Messages of n8n that lie over the output.
	await page.addStyleTag({ content: '.el-notification { display: none }' });
	const across = await page.getByTestId(columns).first().boundingBox();
	const last = await page.getByTestId(until).first().boundingBox();
	const down = await page.getByTestId(lines).first().boundingBox();
	if (across === null || last === null || down === null)
		throw new Error(`${columns}, ${until} or ${lines} is not there`);
	const right = Math.min(last.x + last.width, down.x + down.width);
	const clip = { x: across.x, width: right - across.x, y: down.y, height: down.height };
	await picture(page, join(ROOT, 'docs', 'images', `${name}.png`), clip);
	console.log(name);
}

async function reportPicture({ editor: { page } }: Stage): Promise<void> {
	await page.setViewportSize({ width: 820, height: 1000 });
	await page.goto(pathToFileURL(REPORT).href);
	await picture(page, join(ROOT, 'docs', 'images', 'report.png'));
	console.log('report');
}

function configuration(): SimulatorConfiguration {
	const file = join(EXAMPLES, 'simulator.json');
	return JSON.parse(readFileSync(file, 'utf8')) as SimulatorConfiguration;
}

async function takeAll(scene: Scene, stage: Stage): Promise<void> {
	const { page } = stage.editor;
	await page.setViewportSize({ width: SIZES[0][0], height: SIZES[0][1] });
	try {
		await scene.show(stage);
		for (const view of scene.views ?? ['']) {
			if (view !== '')
				await page.getByTestId('output-panel').getByTestId(`radio-button-${view}`).click();
			for (const [width, height] of SIZES) {
				await page.setViewportSize({ width, height });
				if (scene.tall) await grow(stage.editor, width, height);
				if (scene.fits) await page.getByTestId('zoom-to-fit').click();
				for (const colorScheme of THEMES) {
					await page.emulateMedia({ colorScheme });
					await page.waitForTimeout(SETTLED);
					const name = fileOf(scene.name, view, width, colorScheme);
					await picture(page, join(FOLDER, name));
				}
			}
		}
		console.log(scene.name);
	} catch (error) {
		console.error(`${scene.name}: ${String(error)}`);
		await picture(page, join(FOLDER, `${scene.name}-failed.png`));
		process.exitCode = 1;
	}
}

/** Makes the window so high that the panel, or the form of a credential, needs no scroll bar. */
async function grow({ page }: Editor, width: number, height: number): Promise<void> {
	const fields = page.getByTestId('node-parameters').or(page.getByTestId('parameter-input').last());
	const missing = await fields.first().evaluate((panel) => {
		let most = 0;
		for (let each: Element | null = panel; each !== null; each = each.parentElement)
			most = Math.max(most, each.scrollHeight - each.clientHeight);
		return most;
	});
	// The form of a credential has at most four fifths of the window's height.
	await page.setViewportSize({ width, height: height + Math.ceil(missing * 1.25) });
}

void main(process.argv.slice(2)).then(() => process.exit());
