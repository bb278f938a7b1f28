/** Finds the labels of a step's fields in the lines of a document, and the values beside or below them. */
import type { Field } from '../configuration';
import type { Cell, Line } from './lines';

/** Where the value is, relative to its label. */
export type Place = 'sameCell' | 'nextCell' | 'nextLine';

export interface Finding {
	field: Field;
	written: string;
	/** Where the label is. */
	line: Line;
	place: Place;
	/** Index of the label in the field's list; 0 is the main one. */
	labelIndex: number;
	/** The label is written with the same case and spaces. */
	exact: boolean;
	/** There are other words before the label in its cell. */
	inside: boolean;
	colon: boolean;
}

interface Label {
	field: Field;
	index: number;
	text: string;
	pattern: RegExp;
}

interface Hit {
	label: Label;
	cell: number;
	start: number;
	end: number;
	exact: boolean;
	inside: boolean;
	colon: boolean;
	/** The text after the label in its cell, up to the next label. */
	rest: string;
}

/** All places with a value of one of the fields, in the order of the lines. */
export function findLabels(lines: Line[], fields: Field[]): Finding[] {
	const labels = fields.flatMap(labelsOf).sort((a, b) => b.text.length - a.text.length);
	const hits = lines.map((line) =>
		line.cells.flatMap((cell, index) => hitsInCell(cell.text, index, labels)),
	);
	return lines.flatMap((line, index) =>
		(hits[index] ?? []).flatMap((hit) => {
			const found = valueOf(hit, lines, index, hits);
			if (!found) return [];
			const { label, exact, inside, colon } = hit;
			return [
				{ field: label.field, labelIndex: label.index, line, exact, inside, colon, ...found },
			];
		}),
	);
}

function labelsOf(field: Field): Label[] {
	return field.labels.map((text, index) => ({ field, index, text, pattern: patternOf(text) }));
}

/** A label counts before a colon, as a whole cell, or when it ends in a number sign ("Policy # AB-1"). */
function patternOf(label: string): RegExp {
	const words = label
		.trim()
		.split(/\s+/)
		.map((word) => word.replace(/[.:]+$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const after = label.trim().endsWith('#') ? '\\s*[:：]?' : '(?:\\s*[:：](?!//)|\\s*$)';
	return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('[\\s._/-]*')}\\.?)${after}`, 'giu');
}

function hitsInCell(text: string, cell: number, labels: Label[]): Hit[] {
	const hits: Hit[] = [];
	for (const label of labels) {
		for (const match of text.matchAll(label.pattern)) {
			const start = match.index;
			const end = start + match[0].length;
			if (hits.some((hit) => start < hit.end && end > hit.start)) continue;
			const colon = /[:：]$/.test(match[0]);
			if (!colon && start > 0 && end === text.length) continue;
			hits.push({
				label,
				cell,
				start,
				end,
				exact: match[1] === label.text,
				inside: start > 0,
				colon,
				rest: '',
			});
		}
	}
	hits.sort((a, b) => a.start - b.start);
	return hits.map((hit, index) => ({
		...hit,
		inside: index === 0 && hit.inside,
		rest: text.slice(hit.end, hits[index + 1]?.start).trim(),
	}));
}

function valueOf(
	hit: Hit,
	lines: Line[],
	index: number,
	hits: Hit[][],
): { written: string; place: Place } | undefined {
	const next = lines[index]?.cells[hit.cell + 1];
	const nextIsLabel = (hits[index] ?? []).some(
		(other) => other.cell === hit.cell + 1 && other.start === 0,
	);
	if (hit.rest !== '')
		return { written: continued(hit, hit.rest, lines, index + 1, hits), place: 'sameCell' };
	if (next && !nextIsLabel)
		return { written: continued(hit, next.text, lines, index + 1, hits), place: 'nextCell' };
	const below = lines[index + 1]?.cells.length === 0 ? index + 2 : index + 1;
	const cell = cellBelow(hit, lines[index], lines[below]);
	if (!cell || (hits[below] ?? []).some((other) => lines[below]?.cells[other.cell] === cell))
		return undefined;
	return { written: continued(hit, cell.text, lines, below + 1, hits), place: 'nextLine' };
}

/** The cell below the label, or the only cell of the next line when the label is alone in its line. */
function cellBelow(hit: Hit, line: Line | undefined, below: Line | undefined): Cell | undefined {
	const above = line?.cells[hit.cell];
	if (!above || !below) return undefined;
	const under = below.cells.find((cell) => cell.start < above.end && cell.end > above.start);
	return (
		under ?? (line.cells.length === 1 && below.cells.length === 1 ? below.cells[0] : undefined)
	);
}

/** For a multiline field, the lines up to an empty line or the next label. */
function continued(hit: Hit, first: string, lines: Line[], from: number, hits: Hit[][]): string {
	const parts = [first];
	for (let index = from; hit.label.field.multiline && index < lines.length; index++) {
		const line = lines[index];
		if (
			!line ||
			line.cells.length === 0 ||
			hits[index]?.length ||
			/^[\p{L}][\p{L} /-]{1,40}[:：]/u.test(line.text)
		)
			break;
		parts.push(line.text);
	}
	return parts.join(' ');
}
