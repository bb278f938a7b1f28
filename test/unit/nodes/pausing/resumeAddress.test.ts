import { openReference } from '../../../../nodes/DocumentWorkflow/pausing/reference';
import {
	hasPauseDownstream,
	referencesTo,
} from '../../../../nodes/DocumentWorkflow/pausing/resumeAddress';
import { HOUR, LONGEST_WAIT_HOURS } from '../../../../nodes/DocumentWorkflow/time';
import { contextOf, node } from '../../support/context';

describe('The reference to an n8n execution', () => {
	const SEALER = { clientId: 'c', clientSecret: 'secret of the tests' };
	const context = contextOf({
		evaluateExpression: (expression: string) =>
			expression === '{{ $execution.resumeUrl }}'
				? 'https://n8n.example.com/webhook-waiting/17?signature=abc'
				: '',
	});

	it('is its resume address with a path of its own, so that no other paused node is called', () => {
		const reference = referencesTo(context, SEALER)?.('intake') ?? '';
		expect(openReference(reference, 'intake', Date.now(), SEALER)).toEqual({
			ok: true,
			resumeUrl: 'https://n8n.example.com/webhook-waiting/17/document-workflow?signature=abc',
		});
	});

	it('is the same for all executions of a workflow in one run, and different for another workflow', () => {
		const references = referencesTo(context, SEALER);
		expect(references?.('intake')).toBe(references?.('intake'));
		expect(references?.('claims')).not.toBe(references?.('intake'));
	});

	it('is valid for twice the longest wait of the panel, because a wait may begin long after the create', () => {
		const longest = LONGEST_WAIT_HOURS * HOUR;
		const reference = referencesTo(context, SEALER)?.('intake') ?? '';
		const opened = (later: number) =>
			openReference(reference, 'intake', Date.now() + later, SEALER).ok;
		expect(opened(2 * longest - HOUR)).toBe(true);
		expect(opened(2 * longest + HOUR)).toBe(false);
	});

	it.each([
		['without a scheme', 'n8n.example.com/webhook-waiting/17?signature=abc'],
		['without a scheme, with a port', 'n8n.example.com:5678/webhook-waiting/17?signature=abc'],
		['without a host', 'https:///?signature=abc'],
		['empty', ''],
		['not a text', undefined],
	])('is not made of a resume address that is %s, and the log names the setting', (_what, url) => {
		const warn = jest.fn<void, [string]>();
		const without = contextOf({
			evaluateExpression: () => url ?? null,
			logger: { warn, info: warn, error: warn, debug: warn },
		});
		expect(referencesTo(without, SEALER)).toBeUndefined();
		expect(warn.mock.calls).toEqual([
			[expect.stringMatching(/^No notification can resume .*WEBHOOK_URL.*https:\/\/$/)],
		]);
		expect(warn.mock.calls[0]?.[0]).not.toMatch(/signature|example/);
	});

	const NEVER_PAUSES = { operation: 'wait', waiting: { keepRunning: true } };

	it.each([
		['a Wait for Completion', { operation: 'wait' }, {}, true],
		['one with other options', { operation: 'wait', waiting: { longestWaitHours: 2 } }, {}, true],
		['one that never pauses', NEVER_PAUSES, {}, false],
		['one that is disabled', { operation: 'wait' }, { disabled: true }, false],
		['a node of another kind', { operation: 'wait' }, { type: 'other' }, false],
		['a Create', { operation: 'create' }, {}, false],
	])('is needed of a Create with %s behind it: %#', (_what, parameters, more, expected) => {
		const child = { name: 'Next', type: node.type, typeVersion: 1, disabled: false, ...more };
		// n8n leaves the parameters out unless it is asked for them.
		const context = contextOf({
			getChildNodes: (_name, options) => [
				{ ...child, ...(options?.includeNodeParameters === true && { parameters }) },
			],
		});
		expect(hasPauseDownstream(context)).toBe(expected);
		expect(hasPauseDownstream(contextOf({ getChildNodes: () => [] }))).toBe(false);
	});
});
