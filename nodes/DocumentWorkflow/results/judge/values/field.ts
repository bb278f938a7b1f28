/** How texts are to be read: what is known of their field, and the style that a person chose. */
import type { DeclaredType } from '../../../../../service/contract';

export const STYLES = ['us', 'uk', 'europe'] as const;
export type Style = (typeof STYLES)[number];

/** `today`: in ISO 8601, for years of two digits. */
export interface How {
	style: Style;
	today: string;
}

export type ValueType = 'number' | 'date' | 'boolean';

/** What is known of the values of a field. */
export interface Field {
	declared: DeclaredType | undefined;
	/** Whether a person declared it, as a number. */
	isByPerson: boolean;
	/** What its name says. */
	kind: FieldKind;
	isBirth: boolean;
	/** What its values should be. */
	type: ValueType | 'text';
}

const TYPES: Record<DeclaredType | FieldKind, ValueType | 'text'> = {
	number: 'number',
	integer: 'number',
	boolean: 'boolean',
	date: 'date',
	'date-time': 'date',
	count: 'number',
	money: 'number',
	identifier: 'text',
	other: 'text',
};

/** `isNumber`: whether *Number Fields* names it. A type of the service counts more. */
export function fieldOf(name: string, byService?: DeclaredType, isNumber = false): Field {
	const isByPerson = byService === undefined && isNumber;
	const declared = isByPerson ? 'number' : byService;
	const { kind, isBirth } = kindBy(name);
	return { declared, isByPerson, kind, isBirth, type: TYPES[declared ?? kind] };
}

/** What the name of a field says of its values. The first counts. */
const KINDS = ['date', 'count', 'identifier', 'money'] as const;
type FieldKind = (typeof KINDS)[number] | 'other';

/** Tells words, singular or plural, in lower case without accents. Of a German word the end counts. */
const wordsOf = (words: string, german = '-') =>
	new RegExp(`^(?:(?:${words.replaceAll(/\s+/g, '|')})(?:e?s)?|[a-z]*(?:${german}))$`);

const MONEY = wordsOf(
	`amount amt premium limit sublimit deductible excess retention paid payment reserved? incurred outstanding expense fee
	charge cost price payroll wage salary salarie sale revenue turnover deposit tax due total subtotal balance sum
	indemnit(?:y|ie) salvage occurrence aggregate building contents tiv montant prime cotisation franchise plafond prix
	cout frais somme solde importe monto prima precio deducible limite suma saldo`,
	'bei?tra?e?ge?|pra?e?mien?|summen?|kosten|preise?|gebue?hr(?:en)?|steuern?|umsa?e?tze?|selbstbehalte?',
);
const COUNT = wordsOf('count headcount quantit(?:y|ie) qty cantidad', 'anzahl');
const COUNT_OF = / (?:number|num|no|nbr|nombre) (?:of|de|d) /;
const DATE = wordsOf('date datetime fecha vencimiento echeance', 'datum|beginn|ablauf');
const BIRTH = wordsOf('dob birth birthday birthdate born naissance nacimiento', 'geburtsdatum');
const TERM = wordsOf('expiration expir(?:y|ie) expire effective inception');
/** These are parts of a date, or no date: an effective time, a year of birth, inception to date. */
const NO_DATE = / (?:time|year|inception to date) /;
const IDENTIFIER = wordsOf(
	`number no num nr nbr code id uuid guid reference ref zip postal postcode plz phone tel telephone telefon fax
	vin naic naics sic fein ein tin ssn iban bic swift duns siret serial numero codigo`,
	'nummer|kennzeichen|postleitzahl|aktenzeichen',
);

/** Of `coverages[0].limit` only `limit` counts. */
function kindBy(name: string): { kind: FieldKind; isBirth: boolean } {
	const words = wordsIn(name.slice(-200).replace(/^\S*\.(?=[^\s.])/, ''));
	const text = ` ${words.join(' ')} `;
	const says = (list: RegExp) => words.some((word) => list.test(word));
	const isBirth = says(BIRTH);
	const isTerm = (isBirth || says(TERM)) && !NO_DATE.test(text);
	const isDated = isTerm || (says(DATE) && !text.includes(' to date '));
	const isKind = {
		date: isDated && !words.includes('edition'),
		count: says(COUNT) || COUNT_OF.test(text),
		identifier: says(IDENTIFIER),
		money: says(MONEY),
	};
	return { kind: KINDS.find((kind) => isKind[kind]) ?? 'other', isBirth };
}

/** The words of `totalPremium2` are total and premium. */
function wordsIn(name: string): string[] {
	const split = name.replace(/([\p{Ll}\d])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ');
	return withoutAccents(split.replaceAll('#', ' no ')).match(/[a-z]+/g) ?? [];
}

/** In lower case. */
export function withoutAccents(text: string): string {
	const plain = /^[\x20-\x7e]*$/.test(text)
		? text
		: text.normalize('NFD').replaceAll(/\p{M}/gu, '');
	return plain.toLowerCase();
}
