import { circlesOf, importsOf, PRODUCT, productFiles } from '../../../harness/imports';

/** The rooms of the nodes, and the other ones that each may import. */
const MAY_IMPORT: Record<string, string[]> = {
	'DocumentWorkflow.node.ts': ['actions', 'methods.ts', 'pausing'],
	'DocumentWorkflowTrigger.node.ts': ['methods.ts', 'trigger'],
	'about.ts': [],
	actions: ['about.ts', 'connection', 'documents', 'panel', 'pausing', 'results'],
	connection: [],
	documents: ['about.ts', 'connection', 'panel'],
	'methods.ts': ['connection', 'documents'],
	panel: [],
	pausing: ['about.ts', 'connection'],
	results: ['about.ts', 'connection', 'documents', 'panel'],
	trigger: ['connection', 'panel', 'results'],
};

const FILES = productFiles(PRODUCT);

/** The room of a file of the nodes: a folder or file directly in their folder. */
function roomOf(path: string): string | undefined {
	return /^nodes\/DocumentWorkflow\/([^/]+)/.exec(path)?.[1];
}

/** The imports from one room of the nodes into another, types included: `room → other`, with the files that have them. */
const ARROWS = new Map<string, string[]>();
for (const file of FILES)
	for (const other of importsOf(file, FILES, { types: true })) {
		const [from, to] = [roomOf(file), roomOf(other)];
		if (from === undefined || to === undefined || from === to) continue;
		const arrow = `${from} → ${to}`;
		ARROWS.set(arrow, [...(ARROWS.get(arrow) ?? []), `${file} → ${other}`]);
	}
const LISTED = Object.entries(MAY_IMPORT).flatMap(([room, others]) =>
	others.map((other) => `${room} → ${other}`),
);

describe('The imports of product files', () => {
	it('lead in no circle', () => {
		expect(circlesOf(FILES)).toEqual([]);
	});

	it('lead from each room of the nodes only into the rooms that it may import', () => {
		const unlisted = [...ARROWS].filter(([arrow]) => !LISTED.includes(arrow));
		expect(unlisted.flatMap(([, files]) => files)).toEqual([]);
	});

	it('need each arrow that the list allows', () => {
		expect(LISTED.filter((arrow) => !ARROWS.has(arrow))).toEqual([]);
	});
});
