import type { Place } from './place';
import { errorAt } from './place';

/** @throws NodeOperationError when the value is not a number above zero */
export function readNumber(place: Place, value: unknown, field: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number > 0) return number;
	throw errorAt(
		place,
		`'${field}' must be a number above zero, and it is ${JSON.stringify(value)}`,
		'Enter a number, or remove the option',
	);
}
