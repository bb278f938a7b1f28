import type { Filters } from '../../../../nodes/DocumentWorkflow/documents/filters';
import { reasonToSkip } from '../../../../nodes/DocumentWorkflow/documents/filters';

const OFF: Filters = {
	fileNamePatterns: [],
	extensions: [],
	mediaTypes: [],
	smallestBytes: undefined,
	largestBytes: undefined,
};
const policy = { fileName: 'Policy 2026.PDF', mediaType: 'application/pdf', bytes: 5000 };

describe('a document goes out', () => {
	it.each<[string, Partial<Filters>]>([
		['without filters', {}],
		['when its name fits one of the patterns', { fileNamePatterns: ['claim*', 'policy*'] }],
		['when it has one of the extensions', { extensions: ['docx', 'pdf'] }],
		['when it has one of the types', { mediaTypes: ['text/plain', 'application/pdf'] }],
		['when its type fits a wildcard', { mediaTypes: ['application/*'] }],
		['when it is exactly as small as is allowed', { smallestBytes: 5000 }],
		['when it is exactly as large as is allowed', { largestBytes: 5000 }],
	])('%s', (_, filters) => expect(reasonToSkip(policy, { ...OFF, ...filters })).toBeUndefined());
});

describe('a document is left out', () => {
	it.each<[string, Partial<Filters>]>([
		['its name does not fit claim*, *.docx', { fileNamePatterns: ['claim*', '*.docx'] }],
		['its extension is not among docx, tif', { extensions: ['docx', 'tif'] }],
		[
			'its type, application/pdf, is not among image/*, text/plain',
			{ mediaTypes: ['image/*', 'text/plain'] },
		],
		['it is smaller than 5.001 kB', { smallestBytes: 5001 }],
		['it is smaller than 2.5 MB', { smallestBytes: 2_500_000 }],
		['it is smaller than 1 MB', { smallestBytes: 1_000_000 }],
		['it is smaller than 999.999 kB', { smallestBytes: 999_999 }],
		['it is larger than 4.999 kB', { largestBytes: 4999 }],
		['it is larger than 0.5 kB', { largestBytes: 500 }],
	])('because %s', (reason, filters) =>
		expect(reasonToSkip(policy, { ...OFF, ...filters })).toBe(reason),
	);

	it('for the first of several reasons', () => {
		expect(reasonToSkip(policy, { ...OFF, extensions: ['tif'], largestBytes: 1 })).toBe(
			'its extension is not among tif',
		);
	});

	it('when it has no extension, and one is asked for', () => {
		expect(reasonToSkip({ ...policy, fileName: 'pdf' }, { ...OFF, extensions: ['pdf'] })).toBe(
			'its extension is not among pdf',
		);
		expect(
			reasonToSkip({ ...policy, fileName: 'a.pdf.exe' }, { ...OFF, extensions: ['pdf'] }),
		).toBe('its extension is not among pdf');
	});
});
