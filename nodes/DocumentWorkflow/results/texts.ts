import type { Json, Schema } from '../../../service/contract';
import { schemaOfField, typeIn } from '../../../service/schema';
import { matcherOf } from '../documents/filters';
import type { Field, Reading, ValueType } from './values/convert';
import { fieldOf, neededFor, readValue } from './values/convert';
import type { Style } from './values/style';
import { STYLES } from './values/style';

/** How texts become values. */
export interface ValueSettings {
	/** Undefined: texts stay as extracted. */
	style: Style | undefined;
	/** Patterns of names. */
	numberFields: string[];
	/** In ISO 8601. */
	today: string;
}

/** A text that could be a value, and how often there is one. */
export interface TextFacts {
	/** Texts that at least one style would convert, while none is chosen. */
	convertible: number;
	example: string | undefined;
	/** Fields whose texts would be numbers if a person declared them. */
	numbersIfNamed: Set<string>;
	/** Texts that would be values in another style, by style. */
	inOtherStyle: Map<Style, string>;
}

export function noFacts(): TextFacts {
	const [numbersIfNamed, inOtherStyle] = [new Set<string>(), new Map<Style, string>()];
	return { convertible: 0, example: undefined, numbersIfNamed, inOtherStyle };
}

const STAYS: Reading = {};

/** In characters. No longer text is a value. */
const MAX_LENGTH = 64;

/** Reads the texts of one field, and of the fields within its value. */
export class TextReader {
	private readonly fields = new Map<string, TextReader>();
	private readonly field: Field;
	private readonly reads: boolean;

	constructor(
		private readonly settings: ValueSettings | undefined,
		private readonly facts: TextFacts,
		private readonly schema: Schema | undefined,
		private readonly name = '',
		private readonly isNumberField = numberFieldsOf(settings),
	) {
		this.reads = settings !== undefined;
		const declared = schema === undefined || name === '' ? undefined : typeIn(schema);
		this.field = fieldOf(name, declared, isNumberField(name));
	}

	within(name: string): TextReader {
		let inner = this.fields.get(name);
		if (inner === undefined) {
			const { settings, facts, isNumberField } = this;
			inner = new TextReader(
				settings,
				facts,
				schemaOfField(this.schema, name),
				name,
				isNumberField,
			);
			this.fields.set(name, inner);
		}
		return inner;
	}

	/** What a value of this field should be. */
	get type(): ValueType | 'text' {
		const { declared, says } = this.field;
		if (declared !== undefined) return neededFor(declared);
		if (this.settings?.style === undefined || says.isIdentifier) return 'text';
		if (says.isDate) return 'date';
		return says.isMoney || says.isCount ? 'number' : 'text';
	}

	read(text: string): Reading {
		const { settings, field, facts } = this;
		if (!this.reads || settings === undefined) return STAYS;
		const { style, today } = settings;
		if (style === undefined) {
			if (this.stylesOf(text, today).length > 0) {
				facts.convertible++;
				facts.example ??= text;
			}
			return STAYS;
		}
		const reading = readValue(text, field, { style, today });
		if (reading.value !== undefined) return reading;
		const [other] = this.stylesOf(text, today);
		if (other !== undefined && !facts.inOtherStyle.has(other)) facts.inOtherStyle.set(other, text);
		if (!facts.numbersIfNamed.has(this.name) && this.isNumberIfNamed(text, style))
			facts.numbersIfNamed.add(this.name);
		return reading;
	}

	/** The styles in which a text is another value than itself. */
	private stylesOf(text: string, today: string): Style[] {
		if (text.length > MAX_LENGTH || !/\d/.test(text)) return [];
		return STYLES.filter((style) => {
			const { value } = readValue(text, this.field, { style, today });
			return value !== undefined && value !== null && value !== text;
		});
	}

	private isNumberIfNamed(text: string, style: Style): boolean {
		const { declared, says } = this.field;
		if (declared !== undefined || says.isIdentifier || says.isDate || !/\d/.test(text))
			return false;
		const asNumber: Field = { declared: 'number', isByPerson: true, says };
		return typeof readValue(text, asNumber, { style, today: '' }).value === 'number';
	}
}

function numberFieldsOf(settings: ValueSettings | undefined): (name: string) => boolean {
	const matchers = (settings?.numberFields ?? []).map(matcherOf);
	return (name) => matchers.some((matches) => matches(name));
}

const NOTHING = new Set(['', 'n/a', 'not found']);

/** Whether a required value is not there. */
export function isMissing(value: Json): boolean {
	if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
	return typeof value === 'string' && NOTHING.has(value.trim().toLowerCase());
}
