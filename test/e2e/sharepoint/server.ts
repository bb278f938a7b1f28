import fastify, { type FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { z } from 'zod';
import type { CredentialInput } from '../../../harness/n8n-rest';
import { contentDisposition, driveItem, listItem, shortListItem } from './answers';
import { SharePointError, SiteContents } from './contents';

/** What a user of the example enters in its node "Settings". */
export const SETTINGS = {
	site: 'example.sharepoint.com,6f2a1c55-0000-4000-8000-000000000001,6f2a1c55-0000-4000-8000-000000000002',
	library: 'Documents',
	list: 'Policies',
};

/** Stands in for a SharePoint tenant, on loopback: it serves what n8n's nodes request in the example. */
export interface SharePoint {
	contents: SiteContents;
	/** How often files were listed by their status. */
	polls: () => number;
	/** A credential of n8n's own type. */
	credential: CredentialInput;
	/** For NODE_EXTRA_CA_CERTS of a process that calls the stand-in. */
	certificateFile: string;
	stop: () => Promise<void>;
}

const TENANT = '/example.sharepoint.com';
const SITE = `${TENANT}/_api/v2.0/sites/${SETTINGS.site}`;
const LIBRARY_ITEMS = `${SITE}/lists/${SETTINGS.library}/items`;
const LIST_ITEMS = `${SITE}/lists/${SETTINGS.list}/items`;
const EQUALS = /^fields\/(\w+) eq '([^']*)'$/;

const address = z.object({ id: z.string() });
const itemQuery = z.object({
	$filter: z.string().regex(EQUALS),
	$top: z.coerce.number().int().positive(),
	$expand: z.literal('fields(select=Title)'),
});
const downloadQuery = z.object({ UniqueId: z.string(), tempauth: z.string() });
const written = z.object({ fields: z.record(z.unknown()) }).strict();

/** Starts the stand-in over TLS, with a new certificate in `folder`. */
export async function startSharePoint(folder: string): Promise<SharePoint> {
	const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
		],
	});
	const certificateFile = join(folder, 'sharepoint.crt');
	await writeFile(certificateFile, cert);

	const contents = new SiteContents();
	const token = randomUUID();
	let polls = 0;
	const app = fastify({ https: { cert, key }, forceCloseConnections: true });
	rejectErrors(app, token);
	answerItems(app, contents, () => polls++);
	answerDownloads(app, contents);
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	return {
		contents,
		polls: () => polls,
		credential: credentialFor(`127.0.0.1:${port}`, token),
		certificateFile,
		stop: async () => app.close(),
	};
}

/**
 * n8n's nodes call https://<subdomain>.sharepoint.com/… (nodes-base, MicrosoftSharePoint, requestDefaults), so a subdomain with a
 * slash is another host. The token is stored as after a person has signed in.
 */
function credentialFor(host: string, token: string): CredentialInput {
	return {
		name: 'Microsoft SharePoint account',
		type: 'microsoftSharePointOAuth2Api',
		data: {
			clientId: 'sharepoint-stand-in',
			clientSecret: 'never-asked-for',
			authUrl: `https://${host}/authorize`,
			accessTokenUrl: `https://${host}/token`,
			subdomain: `${host}/example`,
			oauthTokenData: { access_token: token, token_type: 'Bearer' },
		},
	};
}

/** Rejects calls without a token, and answers errors in SharePoint's form. */
function rejectErrors(app: FastifyInstance, token: string): void {
	app.addHook('onRequest', async ({ url, headers }) => {
		if (!url.startsWith(SITE) || headers.authorization === `Bearer ${token}`) return;
		throw new SharePointError(401, 'unauthenticated', 'The token is not valid');
	});
	app.setErrorHandler((error, _request, reply) => {
		const { status, code } =
			error instanceof SharePointError ? error : { status: 400, code: 'invalidRequest' };
		return reply.status(status).send({ error: { code, message: String(error) } });
	});
}

function answerItems(app: FastifyInstance, contents: SiteContents, onPoll: () => void): void {
	app.get(LIBRARY_ITEMS, ({ query }) => {
		const { $filter, $top } = itemQuery.parse(query);
		const [, column = '', value = ''] = EQUALS.exec($filter) ?? [];
		onPoll();
		return { value: contents.filesWith(column, value).slice(0, $top).map(shortListItem) };
	});
	app.get(`${LIBRARY_ITEMS}/:id/driveItem`, ({ params }) =>
		driveItem(contents.file(address.parse(params).id)),
	);
	app.patch(`${LIBRARY_ITEMS}/:id`, ({ params, body }) =>
		listItem(contents.changeFile(address.parse(params).id, written.parse(body).fields)),
	);
	app.post(LIST_ITEMS, ({ body }, reply) =>
		reply.status(201).send(listItem(contents.addRow(written.parse(body).fields))),
	);
}

/** A download redirects to an address that needs no token, as in SharePoint. */
function answerDownloads(app: FastifyInstance, contents: SiteContents): void {
	const signed = new Map<string, string>();
	app.get(`${SITE}/drive/items/:id/content`, ({ params }, reply) => {
		const { uniqueId, gone } = contents.file(address.parse(params).id);
		if (gone) throw new SharePointError(404, 'itemNotFound', 'The resource could not be found');
		const tempauth = randomUUID();
		signed.set(tempauth, uniqueId);
		return reply.redirect(
			`${TENANT}/_layouts/15/download.aspx?UniqueId=${uniqueId}&tempauth=${tempauth}`,
		);
	});
	app.get(`${TENANT}/_layouts/15/download.aspx`, ({ query }, reply) => {
		const { UniqueId, tempauth } = downloadQuery.parse(query);
		if (signed.get(tempauth) !== UniqueId)
			throw new SharePointError(401, 'unauthenticated', 'The address is not valid');
		const file = contents.file(UniqueId);
		return reply
			.header('content-disposition', contentDisposition(file))
			.type(file.mediaType)
			.send(file.content);
	});
}
