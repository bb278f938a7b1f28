import type { INodeProperties } from 'n8n-workflow';

import type { Style } from './values/style';

export const STYLE_NAMES: Record<Style, string> = { us: 'US', uk: 'UK', europe: 'Europe' };

/** What texts in documents become. */
export const valueOptions: INodeProperties[] = [
	{
		displayName: 'Number Fields',
		name: 'numberFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. sq_ft, building*',
		description: 'Comma-separated fields whose texts are numbers. * stands for any text.',
		displayOptions: { show: { values: ['us', 'uk', 'europe'] } },
	},
	{
		displayName: 'Required Fields',
		name: 'requiredFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. policy_number, coverages.limit',
		description:
			'Comma-separated fields that must have a value. Without one, the item needs review.',
	},
	{
		displayName: 'Values',
		name: 'values',
		type: 'options',
		options: [
			{
				name: 'As Extracted',
				value: 'asExtracted',
				description: 'Texts stay as they are',
			},
			{
				name: 'Convert: Europe',
				value: 'europe',
				description: 'Texts become numbers and dates: 1.234,56 and 31.12.2026',
			},
			{
				name: 'Convert: UK',
				value: 'uk',
				description: "1,234.56 and 31/12/2026. Also for Switzerland: 1'234.56.",
			},
			{
				name: 'Convert: US',
				value: 'us',
				description: 'Texts become numbers and dates: 1,234.56 and 12/31/2026',
			},
		],
		default: 'us',
		description: 'How the documents write numbers and dates. As Extracted if not added.',
	},
];
