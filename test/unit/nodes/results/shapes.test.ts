import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonRecord } from '../../../../service/contract';
import { isRecord } from '../../../../service/json';
import { type Given, onlyItem } from './support';

/** An answer of the service, and what a person may trust. Written before the code that reads it. */
interface Shape {
	id: string;
	title: string;
	given?: Pick<Given, 'minimumConfidence' | 'required'> & { byField?: Record<string, number> };
	answer: JsonRecord;
	needsReview: boolean;
	/** Names and words that the reason has. */
	reasons: string[];
	/** Undefined where it does not matter. */
	data?: JsonRecord;
	/** Whether other steps do not matter. */
	dataIsPartial?: boolean;
}

/** One a line. */
const SHAPES = readFileSync(join(__dirname, 'shapes.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as Shape);

const settingsOf = ({
	given: { minimumConfidence = 0.8, required = [], byField = {} } = {},
}: Shape) => {
	const judged = (minimum: number) => (minimum === 0 ? undefined : minimum);
	const fields = Object.entries(byField).map(([name, minimum]) => [name, judged(minimum)]);
	const own = Object.fromEntries(fields) as Record<string, number | undefined>;
	return { minimumConfidence: judged(minimumConfidence), required, byField: own };
};

const plain = (text: string) => text.toLowerCase().replaceAll('_', ' ');

describe('An answer of the service', () => {
	it.each(SHAPES.map((shape) => [shape.id, shape.title, shape] as const))(
		'%s: %s',
		async (_id, _title, shape) => {
			const item = await onlyItem(shape.answer, settingsOf(shape));
			const toReview = typeof item.toReview === 'string' ? item.toReview : '';
			expect([item.needsReview, toReview !== '']).toEqual([shape.needsReview, shape.needsReview]);
			for (const word of shape.reasons) expect(plain(toReview)).toContain(plain(word));
			const data = isRecord(item.data) ? item.data : {};
			for (const [name, expected] of Object.entries(shape.data ?? {}))
				expect(data[name]).toEqual(expected);
			if (shape.data !== undefined && shape.dataIsPartial !== true)
				expect(Object.keys(data)).toEqual(Object.keys(shape.data));
		},
	);
});
