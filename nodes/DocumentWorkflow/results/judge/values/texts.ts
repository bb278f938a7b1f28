import type { Schema } from '../../../../../service/contract';
import { UNDECLARED } from '../../../../../service/contract';
import { matcherOf } from '../../../documents/select';
import { type Field, fieldOf, MAX_LENGTH, type Reading, readValue } from './convert';
import { type Style, STYLES } from './numbers';

/** How texts become values. */
export interface ValueSettings {
	/** Undefined: texts stay as extracted. */
	style: Style | undefined;
	/** Patterns of names. */
	numberFields: string[];
	/** In ISO 8601. */
	today: string;
}

/** What hints say of texts. */
export class TextFacts {
	/** Texts that at least one style would convert, while none is chosen, and one of them. */
	convertibleCount = 0;
	readonly convertible = new Set<string>();
	/** Fields whose texts would be numbers if a person declared them. */
	readonly numbersIfNamed = new Set<string>();
	/** A style, with a text that would be a value in it. */
	readonly inOtherStyle = new Set<string>();
}

const STYLE_NAMES: Record<Style, string> = { us: 'US', uk: 'UK', europe: 'Europe' };

const STAYS: Reading = {};

const MOST_READINGS = 1_000;

/** A number or date begins so: with its digits, after signs or a currency, or after the name of a month or a day. */
const MAY_BE_VALUE = /^[\WA-Z]{0,8}\d|^\p{L}{3,10}[.,]?[- ]{0,2}\d/u;

/** What has a word in it is read in the same way in each style. */
const IN_WORDS = /[a-z]{3}/;

/** Reads the texts of one field, and of the fields within its value. */
export class TextReader {
	private readonly fields = new Map<string, TextReader>();
	private readonly field: Field;
	/** Rows repeat their texts. */
	private readonly readings = new Map<string, Reading>();

	constructor(
		private readonly settings: ValueSettings | undefined,
		private readonly facts: TextFacts,
		private readonly schema: Schema,
		private readonly name = '',
		private readonly isNumberField = numberFieldsOf(settings),
	) {
		this.field = fieldOf(name, schema.type, isNumberField(name));
	}

	within(name: string): TextReader {
		let inner = this.fields.get(name);
		if (inner === undefined) {
			const { settings, facts, isNumberField } = this;
			const schema = this.schema.fields.get(name) ?? UNDECLARED;
			inner = new TextReader(settings, facts, schema, name, isNumberField);
			this.fields.set(name, inner);
		}
		return inner;
	}

	/** What a value of this field should be. */
	get type(): Field['type'] {
		const { declared, type } = this.field;
		return declared === undefined && this.settings?.style === undefined ? 'text' : type;
	}

	read(text: string): Reading {
		const { settings, facts } = this;
		if (settings === undefined) return STAYS;
		const isKept = this.readings.size < MOST_READINGS && text.length <= MAX_LENGTH;
		const reading =
			(isKept ? this.readings.get(text) : undefined) ?? this.readFirst(text, settings);
		if (isKept) this.readings.set(text, reading);
		if (settings.style !== undefined || reading === STAYS) return reading;
		if (facts.convertibleCount++ === 0) facts.convertible.add(text);
		return STAYS;
	}

	/** Without a style, this is what it would be in the first style that converts it. */
	private readFirst(text: string, settings: ValueSettings): Reading {
		const { field, facts } = this;
		const { style, today } = settings;
		if (style === undefined) {
			const first = this.styleOf(text, today);
			return first === undefined ? STAYS : readValue(text, field, { style: first, today });
		}
		const reading = readValue(text, field, { style, today });
		if (reading.value !== undefined) return reading;
		const mayDiffer =
			facts.inOtherStyle.size === 0 && field.kind !== 'identifier' && !IN_WORDS.test(text);
		const other = mayDiffer ? this.styleOf(text, today) : undefined;
		if (other !== undefined) facts.inOtherStyle.add(`${STYLE_NAMES[other]}: ${text}`);
		if (!facts.numbersIfNamed.has(this.name) && this.isNumberIfNamed(text, style))
			facts.numbersIfNamed.add(this.name);
		return reading;
	}

	/** The first style in which a text is another value than itself. */
	private styleOf(text: string, today: string): Style | undefined {
		if (text.length > MAX_LENGTH || !MAY_BE_VALUE.test(text)) return undefined;
		return STYLES.find((style) => {
			const { value } = readValue(text, this.field, { style, today });
			return value !== undefined && value !== null && value !== text;
		});
	}

	private isNumberIfNamed(text: string, style: Style): boolean {
		const { declared, kind } = this.field;
		// With a currency it is a number already.
		if (declared !== undefined || ['identifier', 'date'].includes(kind) || /\p{L}/u.test(text))
			return false;
		const asNumber: Field = { ...this.field, declared: 'number', isByPerson: true };
		return typeof readValue(text, asNumber, { style, today: '' }).value === 'number';
	}
}

function numberFieldsOf(settings: ValueSettings | undefined): (name: string) => boolean {
	const matchers = (settings?.numberFields ?? []).map(matcherOf);
	return (name) => matchers.some((matches) => matches(name));
}
