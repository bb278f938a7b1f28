import type { IHookFunctions } from 'n8n-workflow';

import { failIfUnreachable } from '../../../../nodes/DocumentWorkflow/trigger/path';
import { node } from '../../support/context';

const check = (path: unknown) => () => {
	const context: Partial<IHookFunctions> = {
		getNode: () => node,
		getNodeParameter: (() => path) as unknown as IHookFunctions['getNodeParameter'],
	};
	failIfUnreachable(context as IHookFunctions);
};

it.each(['document-workflow', 'a/b_c.d/1', 'ü', 'with space', '...', 'a..b', '/leading/', ':id'])(
	'The path %j can be activated, because a call can reach it',
	(path) => expect(check(path)).not.toThrow(),
);

it.each(['', '.', '..', 'a/../b', 'a/..', '%2e%2e', 'a?b', 'a#b', 'a\\b', 'end ', 'a%20b', '%', 7])(
	'The path %j cannot be activated, and the message names the parameter',
	(path) => expect(check(path)).toThrow("'Path' cannot be used in a URL"),
);
