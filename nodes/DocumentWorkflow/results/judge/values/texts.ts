import { type Schema, UNDECLARED } from '../../../../../service/contract';
import { matcherOf } from '../../../documents/select';
import { firstStyleOf, MAX_LENGTH, type TextValue, readValue } from './convert';
import { type Field, fieldOf, type Style } from './field';

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

const STAYS: TextValue = {};

/** While no style is chosen, of what one would convert. */
const CONVERTIBLE: TextValue = {};

const MOST_VALUES = 1_000;

/** A text with a word in it is no number, and each style reads it in the same way. */
const IN_WORDS = /[a-z]{3}/;

/** Reads the texts of one field, and of the fields within its value. */
export class TextReader {
	private readonly fields = new Map<string, TextReader>();
	private readonly field: Field;
	/** Rows repeat their texts. */
	private readonly values = new Map<string, TextValue>();

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

	read(text: string): TextValue {
		const { settings, values } = this;
		if (settings === undefined) return STAYS;
		const isKept = values.size < MOST_VALUES && text.length <= MAX_LENGTH;
		const value = (isKept ? values.get(text) : undefined) ?? this.readFirst(text, settings);
		if (isKept) values.set(text, value);
		if (value === CONVERTIBLE && this.facts.convertibleCount++ === 0)
			this.facts.convertible.add(text);
		return value;
	}

	private readFirst(text: string, { style, today }: ValueSettings): TextValue {
		const { field, facts } = this;
		if (style === undefined)
			return firstStyleOf(text, field, today) === undefined ? STAYS : CONVERTIBLE;
		const read = readValue(text, field, { style, today });
		if (read.value !== undefined) return read;
		const mayDiffer =
			facts.inOtherStyle.size === 0 && field.kind !== 'identifier' && !IN_WORDS.test(text);
		const other = mayDiffer ? firstStyleOf(text, field, today) : undefined;
		if (other !== undefined) facts.inOtherStyle.add(`${STYLE_NAMES[other]}: ${text}`);
		if (!facts.numbersIfNamed.has(this.name) && this.isNumberIfNamed(text, style))
			facts.numbersIfNamed.add(this.name);
		return read;
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
