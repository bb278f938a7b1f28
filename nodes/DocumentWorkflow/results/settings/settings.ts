/** The settings of the output. Each is one object: its field in the panel, and how what a person entered is read. */
import type { INodeProperties } from 'n8n-workflow';

import { time } from '../../connection/time';
import {
	choiceOption,
	collectionField,
	fieldsOf,
	namesOption,
	type Option,
	type ReadParameter,
	readOptions,
	switchOption,
	type ValuesOf,
} from '../../panel/options';
import type { ValueSettings } from '../judge/values/texts';
import { type Style, STYLES } from '../judge/values/field';
import { DEFAULT_MINIMUM, type Minimums, readFieldMinimums, readGeneralMinimum } from './minimums';

/** `selected` is for AI tools, which should get no more than they ask for. */
export type Output = 'simplified' | 'rows' | 'raw' | 'selected';

const OUTPUT = choiceOption<Output>({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Item per Row',
			value: 'rows',
			description: 'A table: one item for each extracted row, with its fields as columns',
		},
		{ name: 'Raw', value: 'raw', description: 'The unchanged answer of the service' },
		{
			name: 'Selected Fields',
			value: 'selected',
			description: 'As Simplified, with only the fields that you name',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'One item per execution, with its values by step',
		},
	],
	default: 'simplified',
	description: 'What the output items contain',
});

const STEP = namesOption({
	displayName: 'Step',
	name: 'step',
	placeholder: 'e.g. coverages (empty: the rows of all steps)',
	description: 'The step whose rows to return. Leave empty for the rows of all steps.',
	displayOptions: { show: { output: ['rows'] } },
});

const SELECTED = namesOption({
	displayName: 'Fields',
	name: 'fields',
	placeholder: 'e.g. policy_number, coverages.limit, metadata',
	hint: 'Separate names with commas: an extracted field, step.field, a step, or a field of the item',
	description: 'The fields to return. Leave empty for all.',
	displayOptions: { show: { output: ['selected'] } },
});

const MINIMUM: Option<Minimums['general']> = {
	field: {
		displayName: 'Minimum Confidence',
		name: 'minimumConfidence',
		type: 'number',
		default: DEFAULT_MINIMUM,
		hint: '0.8 = 80 %',
		description:
			"Values with less confidence need review. With 0, only 'Minimums per Field' count.",
	},
	read: readGeneralMinimum,
};

const FIELDS = { output: OUTPUT, minimum: MINIMUM, fields: SELECTED };

/** The output options, by the name of their value in the settings. */
const OPTIONS = {
	attachReport: switchOption({
		displayName: 'Attach Report',
		name: 'attachReport',
		description: 'Whether to add an HTML page with the result, in the file field report',
	}),
	includeDetails: switchOption({
		displayName: 'Include Details',
		name: 'includeDetails',
		description:
			'Whether to add executionDetails with scores and documents, and keep nested tables as lists',
		displayOptions: { show: { '/output': ['rows'] } },
	}),
	includeFiles: switchOption({
		displayName: 'Include Input Files',
		name: 'includeFiles',
		description: 'Whether to output the sent files, or all input files if the operation sends none',
	}),
	fieldMinimums: {
		field: {
			displayName: 'Minimums per Field',
			name: 'fieldMinimums',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add field',
			default: {},
			description: 'Fields with a minimum confidence of their own',
			options: [
				{
					displayName: 'Field',
					name: 'pairs',
					values: [
						{
							displayName: 'Field Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. total_premium',
							description:
								'A field, with or without its step in front, or a step for all its fields',
						},
						{
							displayName: 'Minimum Confidence',
							name: 'minimum',
							type: 'number',
							default: 0.95,
							hint: '0.95 = 95 %',
							description: 'With 0, the field is not checked',
						},
					],
				},
			],
		},
		read: readFieldMinimums,
	} satisfies Option<Minimums['byField']>,
	numberFields: namesOption({
		displayName: 'Number Fields',
		name: 'numberFields',
		placeholder: 'e.g. sq_ft, building*',
		description: 'Comma-separated fields whose texts are numbers. * matches any text.',
		displayOptions: { show: { values: ['us', 'uk', 'europe'] } },
	}),
	required: namesOption({
		displayName: 'Required Fields',
		name: 'requiredFields',
		placeholder: 'e.g. policy_number, coverages.limit',
		description: 'Comma-separated fields that must have a value. Others may then be empty.',
	}),
	style: choiceOption<Style | 'asExtracted'>(
		{
			displayName: 'Numbers and Dates',
			name: 'values',
			type: 'options',
			options: [
				{ name: 'As Extracted', value: 'asExtracted', description: 'Texts stay as they are' },
				{
					name: 'Convert: Europe',
					value: 'europe',
					description: 'Texts become numbers and dates: 1.234,56 and 31.12.2026',
				},
				{
					name: 'Convert: UK',
					value: 'uk',
					description: "Texts become numbers and dates: 1,234.56 (or 1'234.56) and 31/12/2026",
				},
				{
					name: 'Convert: US',
					value: 'us',
					description: 'Texts become numbers and dates: 1,234.56 and 12/31/2026',
				},
			],
			default: 'asExtracted',
			description: 'How your documents write numbers and dates',
		},
		'asExtracted',
	),
};

/** The trigger has no input items, so it passes on no files. */
const { includeFiles, ...ofTrigger } = OPTIONS;

const COLLECTION = 'outputOptions';

type OptionValues = ValuesOf<typeof OPTIONS>;

export interface OutputSettings extends Omit<
	OptionValues,
	'fieldMinimums' | 'numberFields' | 'style'
> {
	output: Output;
	minimums: Minimums;
	/** For `rows`: names of steps; empty: all of them. */
	onlySteps: string[];
	/** For `selected`: names of fields, with or without their step; empty: all of them. */
	fields: string[];
	/** How texts become values; undefined in `raw`. */
	values: ValueSettings | undefined;
}

/** What counts for items without data. */
export type ItemSettings = Pick<OutputSettings, 'output' | 'includeDetails' | 'includeFiles'>;

/**
 * `files`: whether to pass on input files.
 * @throws Error when a minimum confidence or a list of names cannot be read
 */
export function readOutputSettings(
	read: ReadParameter,
	files = readOptions(read, { includeFiles }, COLLECTION),
): OutputSettings {
	const options = readOptions(read, ofTrigger, COLLECTION);
	const { fieldMinimums, numberFields, style, ...others } = options;
	const { output, minimum, fields } = readOptions(read, FIELDS);
	const today = new Date(time.now()).toISOString().slice(0, 'YYYY-MM-DD'.length);
	return {
		...others,
		...files,
		output,
		minimums: { general: minimum, byField: fieldMinimums },
		onlySteps: output === 'rows' ? readOptions(read, { steps: STEP }).steps : [],
		fields,
		values:
			output === 'raw'
				? undefined
				: { style: STYLES.find((each) => each === style), numberFields, today },
	};
}

/** For an operation that only starts executions. */
export function readItemSettings(read: ReadParameter): ItemSettings {
	const options = readOptions(read, { includeFiles }, COLLECTION);
	return { output: 'simplified', includeDetails: false, ...options };
}

const collectionOf = (options: Record<string, Option<unknown>>): INodeProperties =>
	collectionField('Output Options', COLLECTION, fieldsOf(options));

export const outputFields = [OUTPUT, STEP, SELECTED, MINIMUM].map(({ field }) => field);

export const outputOptionsField = collectionOf(OPTIONS);

export const itemOptionsField = collectionOf({ includeFiles });

export const triggerOutputOptionsField = collectionOf(ofTrigger);
