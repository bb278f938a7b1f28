import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { generate } from 'selfsigned';

export interface Certificate {
	cert: string;
	key: string;
	/** For NODE_EXTRA_CA_CERTS of a process that calls the server. */
	file: string;
}

/** A new certificate for servers of these names or addresses on loopback, also stored in `file`. */
export async function newCertificate(file: string, ...names: string[]): Promise<Certificate> {
	const { cert, private: key } = await generate(
		[{ name: 'commonName', value: names[0] ?? 'test' }],
		{
			keyType: 'ec',
			extensions: [
				{ name: 'basicConstraints', cA: true },
				{
					name: 'subjectAltName',
					altNames: names.map((name) =>
						isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
					),
				},
			],
		},
	);
	await writeFile(file, cert);
	return { cert, key, file };
}
