import type { AuthenticationMethod } from './method';

const WARNING =
	'Calls are not authenticated: anyone who knows the URL of the trigger can start your n8n workflow with made-up data. Ask the service operator for another method';

export const none: AuthenticationMethod = {
	option: {
		name: 'None (Not Recommended)',
		value: 'none',
		description: 'Anyone who knows the URL of the trigger can call it',
	},

	fields: [{ displayName: `${WARNING}.`, name: 'noneNotice', type: 'notice', default: '' }],

	read: () => ({ ok: true, warning: WARNING, isAuthentic: () => true }),
};
