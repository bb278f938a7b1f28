import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { excerptOf } from '../../../service/text';
import { readNames } from '../panel/lists';
import type { ReadParameter } from '../panel/options';

/** Output settings. */
export interface Shaping {
	/** `selected` is for AI tools, which should get no more than they ask for. */
	output: 'simplified' | 'rows' | 'raw' | 'selected';
	/** From 0 to 1; undefined: nothing is compared, and nothing needs review. */
	minimumConfidence: number | undefined;
	/** Values below the minimum: flag them, return null instead, or return only items that have such values. */
	below: 'mark' | 'blank' | 'only';
	/** Names of steps; empty: all of them. */
	onlySteps: string[];
	/** Whether the confidence scores are returned beside the values. */
	includeConfidence: boolean;
	/** For `selected`: names of fields, with or without their step; empty: all of them. */
	fields: string[];
}

/** All settings of an item's result. */
export interface ResultChoice {
	shaping: Shaping;
	includeInput: boolean;
	attachReport: boolean;
	/** Whether to fetch the data of steps that came with an address. */
	fetchData: boolean;
}

/** @throws NodeOperationError when the minimum confidence cannot be read */
export function readResultChoice(
	node: INode,
	read: ReadParameter,
	itemIndex: number,
): ResultChoice {
	const option = (name: string): unknown => read(`outputOptions.${name}`, null);
	const output = read('output', 'simplified');
	const below = option('below');
	const minimum = readMinimumConfidence(option('minimumConfidence'));
	if (!minimum.ok) throw new NodeOperationError(node, minimum.refusal, { itemIndex });
	return {
		shaping: {
			output:
				output === 'rows' || output === 'raw' || output === 'selected' ? output : 'simplified',
			minimumConfidence: minimum.minimum,
			below: below === 'blank' || below === 'only' ? below : 'mark',
			onlySteps: readNames(option('onlySteps'), 'Only Steps'),
			includeConfidence: option('includeConfidence') !== false,
			fields: readNames(read('fields', ''), 'Fields'),
		},
		includeInput: option('includeInput') === true,
		attachReport: option('attachReport') === true,
		fetchData: option('fetchData') === true,
	};
}

/**
 * Whether items that need no review are omitted. Without a minimum nothing is omitted. An execution that runs or has failed is always
 * returned.
 */
export function isOnlyReview(
	{ phase }: Pick<Execution, 'phase'>,
	{ minimumConfidence, below }: Shaping,
): boolean {
	return phase === 'completed' && below === 'only' && minimumConfidence !== undefined;
}

/** A minimum confidence as the user gave it; undefined where none was given. */
export type MinimumConfidence =
	{ ok: true; minimum: number | undefined } | { ok: false; refusal: string };

/** In characters. */
const MAX_SHOWN = 40;

const ADVICE = 'Enter a number from 0 to 1 such as 0.8, or a percentage such as 80 %';

/**
 * Reads 'Minimum Confidence': 0.8, "0.8", "0,8", "80 %" and 80 all mean 0.8. A number up to 1 is a fraction, one from 2 on a
 * percentage. A number between 1 and 2 could be either, and is an error.
 */
export function readMinimumConfidence(given: unknown): MinimumConfidence {
	if (given === undefined || given === null || (typeof given === 'string' && given.trim() === ''))
		return { ok: true, minimum: undefined };
	const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
	const [, digits, percent] = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(text) ?? [];
	const refuse = (why: string): MinimumConfidence => ({
		ok: false,
		refusal: `'Minimum Confidence' ${why}. ${ADVICE}`,
	});
	if (digits === undefined)
		return refuse(`is no number: ${excerptOf(given, [], MAX_SHOWN) || typeof given}`);
	const number = Number(digits.replace(',', '.'));
	if (percent === '' && number > 1 && number < 2)
		return refuse(`could be a fraction or a percentage: ${excerptOf(text, [], MAX_SHOWN)}`);
	const minimum = percent === '' && number <= 1 ? number : number / 100;
	return minimum <= 1
		? { ok: true, minimum }
		: refuse(`is above 100 %: ${excerptOf(text, [], MAX_SHOWN)}`);
}
