import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { plainText } from '../../../service/text';
import { filesIn } from '../documents/open';
import type { Place } from '../panel/options';
import { correctedItem } from '../results/review/corrections';
import { escapeHtml } from '../results/html';
import { time } from '../connection/time';
import { jobPerItem, type LocalOperation } from './operation';

const originalItemField: INodeProperties = {
	displayName: 'Original Item',
	name: 'originalItem',
	type: 'string',
	default: '',
	placeholder: "e.g. {{ $('Document Workflow').item }}",
	hint: 'Leave empty for the item of the loop, or of the Document Workflow node, before the form',
	description: 'The item with the review form, as the node returned it',
};

/** An expression may return a whole item, with its files, or only its JSON. */
function readOriginal({ context, itemIndex }: Place): { json: IDataObject; binary?: unknown } {
	const entered: unknown = context.getNodeParameter('originalItem', itemIndex, '');
	const given = entered === '' ? itemBeforeForm(context, itemIndex) : entered;
	const item: IDataObject = isRecord(given) ? given : {};
	return isRecord(item.json) ? { json: item.json, binary: item.binary } : { json: item };
}

/** Of the nearest loop or node of this type before this one: n8n lists the nearest last. */
function itemBeforeForm(context: IExecuteFunctions, itemIndex: number): unknown {
	const { name, type } = context.getNode();
	const types = [type, 'n8n-nodes-base.splitInBatches'];
	const nearest = context.getParentNodes(name).findLast((node) => types.includes(node.type));
	const reference = `{{ $(${JSON.stringify(nearest?.name)}).item }}`;
	return nearest && context.evaluateExpression(reference, itemIndex);
}

export const applyCorrections: LocalOperation = {
	option: {
		name: 'Apply Corrections',
		value: 'applyCorrections',
		description: 'Put the answers of a review form into the item',
		action: 'Apply corrections from review form',
	},
	fields: [originalItemField],
	prepareLocally: async (session) =>
		jobPerItem(session, (itemIndex) => {
			const { context, inputs } = session;
			const place = { context, itemIndex };
			const { json, binary } = readOriginal(place);
			const at = new Date(time.now()).toISOString();
			const corrected = correctedItem(place, json, inputs[itemIndex]?.json ?? {}, at);
			return async () => {
				if (corrected.unread.length > 0)
					context.addExecutionHints({
						message: `Item ${itemIndex} still needs review. These answers should be a number such as 18520.5, a date such as 2026-12-31, or true or false: ${escapeHtml(plainText(corrected.unread.join('; ')))}`,
						type: 'warning',
						location: 'outputPane',
					});
				const files = isRecord(binary) ? { binary: filesIn(binary) } : {};
				return { ok: true, items: [{ json: corrected.json, ...files }] };
			};
		}),
};
