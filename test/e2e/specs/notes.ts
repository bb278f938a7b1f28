import { openEditor, type Editor } from '../../../harness/browser';
import { readExampleWorkflows } from '../../../harness/example-workflows';
import { until, type World } from '../support';
import { template } from '../templateRuns';
import { needsN8n2 } from './templates';

/** The notes of the examples on the canvas. The fonts and spaces of n8n 1 and n8n 2 differ. */
export function notesSpec(world: () => World, editor: () => Editor): void {
	it('shows the whole text of the note of each example', async () => {
		const { client, n8n } = world();
		const names = [...readExampleWorkflows().keys()];
		const notes = names
			.filter((name) => n8n.line === 'n8n-2' || !needsN8n2(name))
			.flatMap((name, index) =>
				template(name)
					.nodes.filter(({ name: title }) => title === 'About This Workflow')
					.map((note) => ({ ...note, id: name, name, position: [index * 500, 0] })),
			);
		const { page, open } = editor();
		await open(
			`/workflow/${await client.createWorkflow({ name: 'Notes', nodes: notes, connections: {} })}`,
		);
		await page.locator('.n8n-sticky').first().waitFor();
		await page.getByTestId('zoom-to-fit').click();
		await until(async () => (await page.locator('.n8n-sticky').count()) === notes.length);
		const cut = await page.locator('.n8n-sticky').evaluateAll((shown) =>
			shown
				.filter((note) => {
					const last = Array.from(note.querySelectorAll('p, li')).at(-1);
					const bottom = last?.getBoundingClientRect().bottom ?? Infinity;
					return bottom > note.getBoundingClientRect().bottom;
				})
				.map((note) => note.querySelector('h2')?.textContent),
		);
		expect(cut).toEqual([]);
	});
}

/** In an editor of its own. */
export function notesAloneSpec(world: () => World): void {
	let current: Editor | undefined;
	beforeAll(async () => {
		current = await openEditor(world().n8n.url, world().client.login);
	});
	afterAll(async () => current?.close());
	notesSpec(world, () => {
		if (!current) throw new Error('The editor has not been opened');
		return current;
	});
}
