import type { INodeProperties } from 'n8n-workflow';

const ROTATION =
	'Only while one is exchanged for another: calls with either of the two are accepted. Remove the old one afterwards.';

type Look = Pick<
	INodeProperties,
	'displayOptions' | 'description' | 'placeholder' | 'required' | 'typeOptions'
>;

/** A field for text. */
export function text(displayName: string, name: string, look: Look): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...look };
}

/** A pair of fields: one that is needed, and one for the time of a rotation. */
export function pair(
	displayName: string,
	name: string,
	secondName: string,
	look: Look,
): INodeProperties[] {
	return [
		text(displayName, name, { ...look, required: true }),
		text(`Second ${displayName}`, secondName, { ...look, description: ROTATION }),
	];
}
