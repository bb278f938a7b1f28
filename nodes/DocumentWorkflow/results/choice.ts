import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { time } from '../connection/time';
import { oneOf, readNames } from '../panel/options';
import type { ReadParameter } from '../panel/options';
import type { Minimums } from './minimums';
import { readMinimums } from './minimums';
import type { ValueSettings } from './texts';
import { STYLES } from './values/numbers';

/** `selected` is for AI tools, which should get no more than they ask for. */
export type Output = 'simplified' | 'rows' | 'raw' | 'selected';

/** Output settings. */
export interface Shaping {
	output: Output;
	minimums: Minimums;
	/** Values below the minimum: flag them, or return null instead. */
	below: 'mark' | 'blank';
	/** For `rows`: names of steps; empty: all of them. */
	onlySteps: string[];
	/** For `rows`: whether nested values stay as they are, and each item has what else is known of it. */
	includeDetails: boolean;
	/** For `simplified` and `rows`: whether items with low-confidence values have a form to correct them. */
	reviewForm: boolean;
	/** How texts become values; undefined in `raw`. */
	values: ValueSettings | undefined;
	/** Names of fields that must have a value, with or without their step. */
	required: string[];
	/** For `selected`: names of fields, with or without their step; empty: all of them. */
	fields: string[];
}

/** What of the input item stays with the output. */
export interface InputSettings {
	includeInput: boolean;
	includeFiles: boolean;
}

/** What is made of an execution. */
export interface OutputSettings {
	shaping: Shaping;
	attachReport: boolean;
}

/** All settings of an item's result. */
export interface ResultSettings extends OutputSettings, InputSettings {}

const OUTPUTS = ['rows', 'raw', 'selected'] as const;

/** @throws NodeOperationError when a minimum confidence cannot be read */
export function readResultSettings(
	node: INode,
	read: ReadParameter,
	itemIndex: number,
): ResultSettings {
	return {
		...readOutputSettings(node, read, itemIndex),
		...readInputSettings(read),
	};
}

/** @throws NodeOperationError when a minimum confidence cannot be read */
export function readOutputSettings(
	node: INode,
	read: ReadParameter,
	itemIndex: number,
): OutputSettings {
	const option = (name: string): unknown => read(`outputOptions.${name}`, null);
	const output = oneOf<Output>(read('output', null), OUTPUTS, 'simplified');
	const reviewForm =
		option('reviewForm') === true && (output === 'simplified' || output === 'rows');
	const minimums = readMinimums(read);
	if (!minimums.ok) throw new NodeOperationError(node, minimums.refusal, { itemIndex });
	return {
		shaping: {
			output,
			minimums: minimums.value,
			below: oneOf(option('below'), ['blank'], 'mark'),
			onlySteps: output === 'rows' ? readNames(read('step', ''), 'Step') : [],
			// A form is made of the details.
			includeDetails: option('includeDetails') === true || reviewForm,
			reviewForm,
			values: output === 'raw' ? undefined : readValueSettings(option),
			required: readNames(option('requiredFields'), 'Required Fields'),
			fields: readNames(read('fields', ''), 'Fields'),
		},
		attachReport: option('attachReport') === true,
	};
}

function readValueSettings(option: (name: string) => unknown): ValueSettings {
	const style = STYLES.find((each) => each === option('values'));
	const given = style === undefined ? '' : option('numberFields');
	return {
		style,
		numberFields: readNames(given, 'Number Fields'),
		today: new Date(time.now()).toISOString().slice(0, 'YYYY-MM-DD'.length),
	};
}

export function readInputSettings(read: ReadParameter): InputSettings {
	return {
		includeInput: read('outputOptions.includeInput', null) === true,
		includeFiles: read('outputOptions.includeFiles', null) === true,
	};
}
