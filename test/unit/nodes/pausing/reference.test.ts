import { openReference, sealReference } from '../../../../nodes/DocumentWorkflow/pausing/reference';
import { anyCharacter, cases, fc } from '../../../properties';

const SEALER = { clientId: 'client', clientSecret: 'a secret of the tests' };
const ADDRESS = 'https://n8n.example.com/webhook-waiting/17/document-workflow?signature=abc';
const NOW = Date.UTC(2026, 0, 1);
const LATER = NOW + 3_600_000;

describe('A reference to a paused n8n execution', () => {
	it('opens with the same client, for the same workflow, before it expires', () => {
		const reference = sealReference(ADDRESS, 'intake', LATER, SEALER);
		expect(openReference(reference, 'intake', NOW, SEALER)).toEqual({
			ok: true,
			resumeUrl: ADDRESS,
		});
	});

	it('opens when it was sealed by an earlier build of this version', () => {
		const sealed =
			'1.t85us0.n2fWJXj5e6lJcW1oXo7SlQxOb3AJ2MbKw7_EJtPno1ObCW1URgnOzhuhNoEFLfMSx8Y1_U-M263XI77dHi61FMwxe_8irIrJi6G5XOTO1kVljzi7DyRrE4Y8Tp-WGscuimFuxcRJ';
		expect(openReference(sealed, 'intake', NOW, SEALER)).toEqual({ ok: true, resumeUrl: ADDRESS });
	});

	it('opens to the second at which it expires', () => {
		const reference = sealReference(ADDRESS, 'intake', LATER, SEALER);
		expect(openReference(reference, 'intake', LATER, SEALER).ok).toBe(true);
		expect(openReference(reference, 'intake', LATER + 1, SEALER).ok).toBe(false);
	});

	it.each([
		'',
		'1',
		'1.',
		'1..',
		'1.abc',
		'1.abc.',
		'1.abc.AAAA',
		`1.abc.${'A'.repeat(37)}`,
		'0.abc.AAAA',
	])('is none where a part is missing or more stands behind it: %j', (text) => {
		const [valid = ''] = [sealReference(ADDRESS, 'intake', LATER, SEALER)];
		for (const given of [text, `${valid}.${text}`])
			expect(openReference(given, 'intake', NOW, SEALER)).toEqual({
				ok: false,
				reason: 'it is not from this version of the package',
			});
	});

	it('shows no part of the address, and is different each time', () => {
		const [first, second] = [0, 1].map(() => sealReference(ADDRESS, 'intake', LATER, SEALER));
		expect(first).not.toBe(second);
		for (const part of ['n8n', 'webhook', '17', 'signature'])
			expect(
				Buffer.from(String(first).split('.')[2] ?? '', 'base64url').toString('latin1'),
			).not.toContain(part);
	});

	it.each([
		[
			'another client secret',
			'intake',
			NOW,
			{ ...SEALER, clientSecret: 'a secret of the testt' },
			'another client secret',
		],
		['another client', 'intake', NOW, { ...SEALER, clientId: 'other' }, 'another client secret'],
		['another workflow', 'claims', NOW, SEALER, 'another workflow'],
		['a time after it has expired', 'intake', LATER + 1_000, SEALER, 'expired'],
	])('does not open for %s', (_what, workflowId, now, sealer, reason) => {
		const opened = openReference(
			sealReference(ADDRESS, 'intake', LATER, SEALER),
			workflowId,
			now,
			sealer,
		);
		expect(opened).toEqual({ ok: false, reason: expect.stringContaining(reason) });
	});

	it('does not open with a later expiry than it was sealed with', () => {
		const [version, , sealed] = sealReference(ADDRESS, 'intake', NOW - 1_000, SEALER).split('.');
		const longer = [version, Math.ceil(LATER / 1000).toString(36), sealed].join('.');
		expect(openReference(longer, 'intake', NOW, SEALER)).toMatchObject({
			ok: false,
			reason: expect.stringContaining('altered'),
		});
	});

	it('does not open when any of its characters is changed', () => {
		const reference = sealReference(ADDRESS, 'intake', LATER, SEALER);
		fc.assert(
			fc.property(
				fc.nat(reference.length - 2),
				fc.constantFrom('A', 'b', '7', '_', '.'),
				(index, character) => {
					fc.pre(reference[index] !== character);
					const altered = reference.slice(0, index) + character + reference.slice(index + 1);
					expect(openReference(altered, 'intake', NOW, SEALER).ok).toBe(false);
				},
			),
			cases(500),
		);
	});

	it('does not open, without throwing, when it is any other text', () => {
		const oneOf = fc.oneof(
			fc.string(),
			fc.string({ unit: anyCharacter }),
			fc
				.tuple(fc.constant('1'), fc.base64String(), fc.base64String())
				.map((parts) => parts.join('.')),
		);
		fc.assert(
			fc.property(oneOf, (text) =>
				expect(openReference(text, 'intake', NOW, SEALER).ok).toBe(false),
			),
			cases(1_000),
		);
	});

	it('works with any address, workflow and secret', () => {
		fc.assert(
			fc.property(
				fc.webUrl(),
				fc.string({ minLength: 1 }),
				fc.string({ minLength: 1 }),
				fc.string({ minLength: 1 }),
				(address, workflowId, clientId, clientSecret) => {
					const sealer = { clientId, clientSecret };
					expect(
						openReference(
							sealReference(address, workflowId, LATER, sealer),
							workflowId,
							NOW,
							sealer,
						),
					).toEqual({ ok: true, resumeUrl: address });
				},
			),
		);
	});
});
