import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { WebhookCall } from '../../../credentials/webhook/method';
import { METHODS, readAuthentication, callFields } from '../../../credentials/webhook/methods';
import { initially } from '../credentials/webhook/support';
import { CLAIMS, KEYS, NOW, SECONDS, settingsFor, tokenOf } from '../credentials/webhook/tokens';
import { listedValues, reporting, settingsIn, withValue } from './offered';
import type { Effect } from './effects';
import { NOT_SET, valuesWithoutEffect } from './effects';

type Entered = ICredentialDataDecryptedObject;

const SETTINGS = settingsIn(callFields);

/** The calls that each setting is tried with. */
async function everyCall(): Promise<WebhookCall[]> {
	const tokens = [
		await tokenOf('RS256'),
		await tokenOf('RS256', { ...CLAIMS, iss: 'other', aud: 'other' }),
		await tokenOf('RS256', { ...CLAIMS, exp: SECONDS - 30 }),
		await tokenOf('RS256', CLAIMS, {}, KEYS.RS256.other.signing),
		await tokenOf('HS256'),
		await tokenOf('HS256', CLAIMS, {}, KEYS.HS256.other.signing),
		await tokenOf('ES256'),
	];
	const headers: Array<WebhookCall['headers']> = [
		{},
		{ 'x-api-key': 'made-up-first-key' },
		{ 'x-api-key': 'made-up-second-key' },
		{ 'x-other': 'made-up-first-key' },
		...tokens.map((token) => ({ authorization: `Bearer ${token}` })),
	];
	return headers.map((each) => ({ headers: each, now: NOW }));
}

const BY_KEY: Entered = { triggerAuthentication: 'apiKey', apiKey: 'made-up-first-key' };
const BY_TOKEN = settingsFor('RS256');
const BY_SECRET = settingsFor('HS256');

/** How each field shows that it is used. */
const EFFECTS: Record<string, Effect<Entered>> = {
	triggerAuthentication: { scenes: [{ ...BY_KEY, ...BY_TOKEN }] },
	headerName: { scenes: [BY_KEY], values: ['x-other'] },
	apiKey: { scenes: [BY_KEY], values: ['made-up-second-key'] },
	secondApiKey: { scenes: [BY_KEY], values: ['made-up-second-key'] },
	algorithm: { scenes: [{ ...BY_SECRET, ...BY_TOKEN }] },
	jwtSecret: { scenes: [BY_SECRET], values: [KEYS.HS256.other.checking] },
	secondJwtSecret: { scenes: [BY_SECRET], values: [KEYS.HS256.other.checking] },
	publicKey: { scenes: [BY_TOKEN], values: [KEYS.RS256.other.checking] },
	secondPublicKey: { scenes: [BY_TOKEN], values: [KEYS.RS256.other.checking] },
	issuer: { scenes: [BY_TOKEN], values: ['other'] },
	audience: { scenes: [BY_TOKEN], values: ['other'] },
};

describe('What the form of the credential offers for calls of the trigger', () => {
	let calls: WebhookCall[];
	beforeAll(async () => void (calls = await everyCall()));

	it.each(METHODS.map((method) => [method.option.name, method] as const))(
		'for %s is what that method reads, and nothing else is read',
		(_, { option, fields, read }) => {
			const asked = new Set<string>();
			const filled = { ...initially, ...BY_KEY, ...BY_SECRET, ...BY_TOKEN };
			const offered = settingsIn(fields);
			const choices = offered.flatMap(({ path, property }) =>
				listedValues(property).map((value) => withValue(filled, path, value)),
			);
			for (const entered of [filled, ...choices])
				read(
					reporting({ ...entered, triggerAuthentication: option.value }, '', (path) =>
						asked.add(path),
					) as Entered,
				);
			expect([...asked].sort()).toEqual(offered.map(({ path }) => path).sort());
		},
	);

	it.each(SETTINGS.map((setting) => [setting.path, setting] as const))(
		'includes %s, which changes which calls are accepted',
		async (path, setting) => {
			const effect = EFFECTS[path];
			if (effect === undefined)
				throw new Error(`Add an effect for ${path} to EFFECTS here: where does its effect show?`);
			const outcomeOf = async (scene: Entered, value: unknown): Promise<unknown> => {
				const given = { ...initially, ...scene };
				const entered = value === NOT_SET ? given : withValue(given, path, value);
				const settings = readAuthentication(entered as Entered);
				return Promise.resolve(settings.ok ? calls.map(settings.isAuthentic) : settings);
			};
			expect(await valuesWithoutEffect(setting, effect, outcomeOf)).toEqual([]);
		},
	);
});
