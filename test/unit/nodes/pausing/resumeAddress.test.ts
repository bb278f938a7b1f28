import type { IExecuteFunctions } from 'n8n-workflow';

import { openReference } from '../../../../nodes/DocumentWorkflow/pausing/reference';
import {
	hasPauseDownstream,
	referencesTo,
} from '../../../../nodes/DocumentWorkflow/pausing/resumeAddress';
import { contextOf, node } from '../../support/context';

describe('The reference to an n8n execution', () => {
	const SEALER = { clientId: 'c', clientSecret: 'secret of the tests' };
	const context = contextOf({
		evaluateExpression: (() =>
			'https://n8n.example.com/webhook-waiting/17?signature=abc') as unknown as IExecuteFunctions['evaluateExpression'],
	});

	it('is its resume address with a path of its own, so that no other paused node is called', () => {
		const reference = referencesTo(context, 0, SEALER)('intake');
		expect(openReference(reference, 'intake', Date.now(), SEALER)).toEqual({
			ok: true,
			resumeUrl: 'https://n8n.example.com/webhook-waiting/17/document-workflow?signature=abc',
		});
	});

	it('is the same for all executions of a workflow in one run, and different for another workflow', () => {
		const references = referencesTo(context, 0, SEALER);
		expect(references('intake')).toBe(references('intake'));
		expect(references('claims')).not.toBe(references('intake'));
	});

	it('is valid for thirty days, or twice the pause when that is longer', () => {
		const DAY = 24 * 3_600_000;
		for (const [pause, days] of [
			[0, 29],
			[40, 79],
		] as const) {
			const reference = referencesTo(context, pause * DAY, SEALER)('intake');
			expect(openReference(reference, 'intake', Date.now() + days * DAY, SEALER).ok).toBe(true);
		}
		expect(
			openReference(
				referencesTo(context, 0, SEALER)('intake'),
				'intake',
				Date.now() + 31 * DAY,
				SEALER,
			).ok,
		).toBe(false);
	});

	it.each([
		['a Wait for Completion that pauses', { operation: 'wait', howToWait: 'pause' }, {}, true],
		['a Wait for Completion that polls', { operation: 'wait', howToWait: 'poll' }, {}, false],
		['a Wait for Completion with default settings', { operation: 'wait' }, {}, false],
		['one that is disabled', { operation: 'wait', howToWait: 'pause' }, { disabled: true }, false],
		['a node of another kind', { operation: 'wait', howToWait: 'pause' }, { type: 'other' }, false],
		['a Create', { operation: 'create', howToWait: 'pause' }, {}, false],
	])('is needed of a Create with %s behind it: %#', (_what, parameters, more, expected) => {
		const child = {
			name: 'Next',
			type: node.type,
			typeVersion: 1,
			disabled: false,
			parameters,
			...more,
		};
		expect(hasPauseDownstream(contextOf({ getChildNodes: () => [child] }))).toBe(expected);
		expect(hasPauseDownstream(contextOf({ getChildNodes: () => [] }))).toBe(false);
	});
});
