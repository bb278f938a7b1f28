import { ruleOf } from '../../../../nodes/DocumentWorkflow/about';
import { selectDocuments } from '../../../../nodes/DocumentWorkflow/documents/select';
import { FILES } from '../../../fixtures/files';
import { contextOf } from '../../support/context';

it.each(FILES)(
	'$fileName with the stated type $stated becomes: $outcome',
	async ({ fileName, stated, content, outcome, name }) => {
		const file = { fileName, mimeType: stated, data: content.toString('base64') };
		const context = contextOf({
			getInputData: () => [{ json: {}, binary: { data: file } }],
			getWorkflowSettings: () => ({}),
		});
		const { documents, skipped } = await selectDocuments(context, 0, {
			patterns: ['*'],
			fileNames: [],
			includeInlineImages: false,
			unusableFiles: 'skip',
			skipsSent: false,
		});
		expect([
			...documents.map((sent) => [sent.fileName, sent.mediaType]),
			...skipped.map((each) => [each.fileName, ruleOf(each).unusable ? 'flagged' : 'skipped']),
		]).toEqual([[name, outcome]]);
	},
);
