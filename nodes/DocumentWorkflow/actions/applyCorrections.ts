import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { plainText } from '../../../service/text';
import { filesIn } from '../documents/open';
import type { Place } from '../panel/options';
import { jsonObjectOf } from '../panel/values';
import { correctedItem } from '../results/review/corrections';
import type { OutputItem } from '../results/result';
import { escapeHtml } from '../results/html';
import { time } from '../connection/time';
import { jobPerItem, type LocalOperation } from './operation';

const originalItemField: INodeProperties = {
	displayName: 'Original Item',
	name: 'originalItem',
	type: 'json',
	default: "={{ $('Loop Over Items').item }}",
	required: true,
	hint: 'Without a loop, the item of the node that returned the form',
	description: 'The item with the review form, as the node returned it',
};

/** An expression may return a whole item, with its files, or only its JSON. */
function readOriginal(place: Place): OutputItem {
	const { context, itemIndex } = place;
	const given: unknown = context.getNodeParameter('originalItem', itemIndex, '');
	const read: IDataObject = isRecord(given)
		? given
		: jsonObjectOf(place, given, 'Original Item', '{ "data": {}, "needsReview": true }');
	if (!isRecord(read.json)) return { json: read };
	return isRecord(read.binary)
		? { json: read.json, binary: filesIn(read.binary) }
		: { json: read.json };
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
				const files = binary === undefined ? {} : { binary };
				return { ok: true, items: [{ json: corrected.json, ...files }] };
			};
		}),
};
