import type { IHookFunctions } from 'n8n-workflow';

import { failIfUnreachable } from '../../../../nodes/DocumentWorkflow/trigger/fields';
import { node } from '../../support/context';

const check = (path: unknown) => () => {
	const context: Partial<IHookFunctions> = {
		getNode: () => node,
		getNodeParameter: (name: string, fallback: string) =>
			name === 'path' ? (path ?? fallback) : 'other',
	};
	failIfUnreachable(context as IHookFunctions);
};

it.each(['document-workflow', 'a/b_c.d/1', 'ü', 'with space', '...', 'a..b', '/leading/', ':id'])(
	'The path %j can be activated, because a call can reach it',
	(path) => expect(check(path)).not.toThrow(),
);

it.each([
	undefined,
	'',
	'.',
	'..',
	'a/../b',
	'a/..',
	'%2e%2e',
	'a?b',
	'a#b',
	'a\\b',
	'end ',
	'a%20b',
	'%',
	7,
])('The path %j cannot be activated, and the message names the parameter', (path) => {
	expect(check(path)).toThrow("'Path' cannot be used in a URL");
	expect(thrownBy(check(path))).toMatchObject({
		description: "Use letters, digits, hyphens and slashes under 'Path'",
	});
});

function thrownBy(work: () => void): unknown {
	try {
		return work();
	} catch (error) {
		return error;
	}
}
