import { headerOf, keyFields, refuse, text, textIn, unknownChoice } from './method';
import { readKeys } from './jwtKeys';
import type { TokenRule } from './jwtToken';
import { isTokenValid } from './jwtToken';
import type { AuthenticationMethod } from './method';

/** How long after its expiry a token is accepted, because clocks differ, in seconds (assumed). */
const DEFAULT_TOLERANCE_SECONDS = 60;

/** A larger tolerance would make the expiry of a token meaningless, in seconds (assumed). */
const LONGEST_TOLERANCE_SECONDS = 3600;

/** Only for public keys: an identity provider signs the tokens of all its applications with the same key pair. */
const NO_AUDIENCE =
	"Enter 'Audience' too: without it, tokens that your identity provider issues for other applications are accepted";

export const jwt: AuthenticationMethod = {
	option: {
		name: 'Bearer Token (JWT)',
		value: 'jwt',
		description:
			'Each call carries a signed token that the service gets from your identity provider. The service operator calls this method "oauth2".',
	},

	fields: [
		{
			displayName: 'Algorithm',
			name: 'algorithm',
			type: 'options',
			options: [
				{
					name: 'ES256',
					value: 'ES256',
					description: 'Signed with an elliptic curve key, checked with its public key',
				},
				{ name: 'HS256', value: 'HS256', description: 'Signed and checked with the same secret' },
				{
					name: 'RS256',
					value: 'RS256',
					description: 'Signed with an RSA key, checked with its public key',
				},
			],
			default: 'RS256',
			description:
				'How your identity provider signs. Tokens that are signed in another way are rejected.',
		},
		...keyFields('Secret', 'jwtSecret', {
			typeOptions: { password: true },
			description:
				'The secret with which your identity provider signs. At least 32 characters, used as text and not decoded.',
			displayOptions: { show: { algorithm: ['HS256'] } },
		}),
		...keyFields('Public Key', 'publicKey', {
			typeOptions: { rows: 5 },
			placeholder: 'e.g. -----BEGIN PUBLIC KEY----- …',
			description:
				'The public key of your identity provider, or its X.509 certificate, as PEM, with the lines BEGIN and END. The dates of a certificate are not checked.',
			displayOptions: { show: { algorithm: ['RS256', 'ES256'] } },
		}),
		text('Issuer', 'issuer', {
			placeholder: 'e.g. https://login.example.com/',
			description:
				'The required issuer of the token (iss). Case-sensitive. Not checked when empty.',
		}),
		text('Audience', 'audience', {
			placeholder: 'e.g. document-workflow-webhook',
			description:
				'The required audience of the token (aud). When empty, tokens for other applications are accepted too.',
		}),
		{
			displayName: 'Clock Tolerance (Seconds)',
			name: 'clockTolerance',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: LONGEST_TOLERANCE_SECONDS },
			default: DEFAULT_TOLERANCE_SECONDS,
			description:
				'How much the clocks of your identity provider and of n8n may differ. Tokens without an expiry time are always rejected.',
		},
	],

	read(entered) {
		const { algorithm = 'RS256', clockTolerance = DEFAULT_TOLERANCE_SECONDS } = entered;
		if (algorithm !== 'HS256' && algorithm !== 'RS256' && algorithm !== 'ES256')
			return unknownChoice('Algorithm');
		if (
			typeof clockTolerance !== 'number' ||
			!(clockTolerance >= 0 && clockTolerance <= LONGEST_TOLERANCE_SECONDS)
		) {
			return refuse(
				`'Clock Tolerance (Seconds)' is not a number from 0 to ${LONGEST_TOLERANCE_SECONDS}`,
			);
		}
		const read = readKeys(entered, algorithm);
		if (!read.ok) return read;
		const rule: TokenRule = {
			algorithm,
			keys: read.keys,
			issuer: textIn(entered, 'issuer'),
			audience: textIn(entered, 'audience'),
			toleranceSeconds: clockTolerance,
		};
		return {
			ok: true,
			required: `a bearer token signed with ${algorithm} in the header authorization`,
			...(rule.audience === '' && algorithm !== 'HS256' ? { warning: NO_AUDIENCE } : {}),
			isAuthentic: (call) => isTokenValid(rule, headerOf(call, 'authorization') ?? '', call.now),
		};
	},
};
