import fastify, { type FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { newCertificate } from '../../../harness/certificate';
import type { CredentialInput } from '../../../harness/n8n-rest';
import { SharePointError, SiteContents, type Entry, type LibraryFile } from './contents';

/** What a user of the example enters in its node "Settings". */
export const SETTINGS = {
	siteUrl: 'https://example.sharepoint.com/sites/Intake',
	library: 'Documents',
	list: 'Policies',
};
const SITE_ID =
	'example.sharepoint.com,6f2a1c55-0000-4000-8000-000000000001,6f2a1c55-0000-4000-8000-000000000002';

/** Stands in for Microsoft Graph with one SharePoint site, on loopback: it serves what n8n's nodes request in the example. */
export interface SharePoint {
	contents: SiteContents;
	/** The base URL of Microsoft Graph. */
	graphUrl: string;
	/** How often files were listed by their status. */
	polls: () => number;
	/** A credential of n8n's own type. */
	credential: CredentialInput;
	/** For NODE_EXTRA_CA_CERTS of a process that calls the stand-in. */
	certificateFile: string;
	stop: () => Promise<void>;
}

const HOST = new URL(SETTINGS.siteUrl).hostname;
const SITES = '/v1.0/sites';
/** The site by its ID, as n8n's nodes ask for it once they have found it. */
const SITE = `${SITES}/:site`;
/** The site by its address: two colons in a path of fastify are one. */
const SITE_BY_URL = `${SITES}/${HOST}::/sites/Intake`;
const LIST = `${SITE}/lists/:list/items`;
const EQUALS = /^fields\/(\w+) eq '([^']*)'$/;

const inSite = z.object({ site: z.literal(SITE_ID) });
const inLibrary = inSite.extend({ list: z.literal(SETTINGS.library), id: z.string() });
const inList = inSite.extend({ list: z.literal(SETTINGS.list) });
const address = z.object({ id: z.string() });
const itemQuery = z.object({
	$filter: z.string().regex(EQUALS),
	$top: z.coerce.number().int().positive(),
	$expand: z.literal('fields($select=Title)'),
});
const downloadQuery = z.object({ UniqueId: z.string(), tempauth: z.string() });
const written = z.record(z.unknown());
const DOWNLOADS = '/download.aspx';

/** Starts the stand-in over TLS, with a new certificate in `folder`. */
export async function startSharePoint(folder: string): Promise<SharePoint> {
	const certificate = await newCertificate(join(folder, 'sharepoint.crt'), '127.0.0.1');
	const contents = new SiteContents();
	const token = randomUUID();
	let polls = 0;
	const app = fastify({ https: certificate, forceCloseConnections: true });
	rejectErrors(app, token);
	answerItems(app, contents, () => polls++);
	const graphUrl = () => `https://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
	answerFiles(app, contents, graphUrl);
	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		contents,
		graphUrl: graphUrl(),
		polls: () => polls,
		credential: credentialFor(graphUrl(), token),
		certificateFile: certificate.file,
		stop: async () => app.close(),
	};
}

/** The token is stored as after a person has signed in. */
function credentialFor(graphUrl: string, token: string): CredentialInput {
	return {
		name: 'Microsoft account',
		type: 'microsoftOAuth2Api',
		data: {
			clientId: 'sharepoint-stand-in',
			clientSecret: 'never-asked-for',
			authUrl: `${graphUrl}/authorize`,
			accessTokenUrl: `${graphUrl}/token`,
			scope: 'openid offline_access Sites.ReadWrite.All',
			graphApiBaseUrl: graphUrl,
			oauthTokenData: { access_token: token, token_type: 'Bearer' },
		},
	};
}

/** Rejects calls without a token, and answers errors in the form of Microsoft Graph. */
function rejectErrors(app: FastifyInstance, token: string): void {
	app.addHook('onRequest', async ({ url, headers }) => {
		if (!url.startsWith(SITES) || headers.authorization === `Bearer ${token}`) return;
		throw new SharePointError(401, 'unauthenticated', 'The token is not valid');
	});
	app.setErrorHandler((error, _request, reply) => {
		const { status, code } =
			error instanceof SharePointError ? error : { status: 400, code: 'invalidRequest' };
		return reply.status(status).send({ error: { code, message: String(error) } });
	});
}

function answerItems(app: FastifyInstance, contents: SiteContents, onPoll: () => void): void {
	app.get(SITE_BY_URL, () => ({ id: SITE_ID }));
	app.get(LIST, ({ params, query }) => {
		inLibrary.omit({ id: true }).parse(params);
		const { $filter, $top } = itemQuery.parse(query);
		const [, column = '', value = ''] = EQUALS.exec($filter) ?? [];
		onPoll();
		return { value: contents.filesWith(column, value).slice(0, $top).map(shortListItem) };
	});
	app.get(`${LIST}/:id`, ({ params }) => listItem(contents.file(inLibrary.parse(params).id)));
	app.patch(`${LIST}/:id/fields`, ({ params, body }) => {
		const { fields } = contents.changeFile(inLibrary.parse(params).id, written.parse(body));
		return fields;
	});
	app.post(LIST, ({ params, body }, reply) => {
		inList.parse(params);
		const { fields } = z.object({ fields: written }).strict().parse(body);
		return reply.status(201).send(listItem(contents.addRow(fields)));
	});
}

/** A file has an address for its download that needs no token, as in SharePoint. */
function answerFiles(app: FastifyInstance, contents: SiteContents, graphUrl: () => string): void {
	const signed = new Map<string, string>();
	app.get(`${SITE_BY_URL}::/lists/${SETTINGS.library}/items/:id/driveItem`, ({ params }) =>
		driveItem(contents.file(address.parse(params).id)),
	);
	app.get(`${SITE}/drive/items/:id`, ({ params }) => {
		const file = contents.file(inSite.extend(address.shape).parse(params).id);
		if (file.gone)
			throw new SharePointError(404, 'itemNotFound', 'The resource could not be found');
		const tempauth = randomUUID();
		signed.set(tempauth, file.uniqueId);
		const query = `UniqueId=${file.uniqueId}&tempauth=${tempauth}`;
		return {
			...driveItem(file),
			'@microsoft.graph.downloadUrl': `${graphUrl()}${DOWNLOADS}?${query}`,
		};
	});
	app.get(DOWNLOADS, ({ query }, reply) => {
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

const PERSON = {
	user: {
		id: '7f0e3b52-0000-4000-8000-000000000001',
		displayName: 'Intake',
		email: 'intake@example.com',
	},
};

/** The address at which a person sees the file. */
export function webUrlOf({ name }: LibraryFile): string {
	return `${SETTINGS.siteUrl}/Shared%20Documents/${encodeURIComponent(name)}`;
}

/** An entry as a short list item: what n8n's node requests with Simplify. */
function shortListItem(entry: Entry | LibraryFile): Record<string, unknown> {
	return {
		'@odata.etag': etagOf(entry),
		createdDateTime: entry.created,
		id: entry.id,
		lastModifiedDateTime: entry.created,
		webUrl:
			'name' in entry ? webUrlOf(entry) : `${SETTINGS.siteUrl}/Lists/Policies/${entry.id}_.000`,
		'fields@odata.navigationLink': `items/${entry.id}/fields`,
		fields: { '@odata.etag': etagOf(entry), Title: entry.fields.Title },
	};
}

/** An entry as a list item with all its columns. */
function listItem(entry: Entry | LibraryFile): Record<string, unknown> {
	const isFile = 'name' in entry;
	return {
		...shortListItem(entry),
		eTag: etagOf(entry),
		createdBy: PERSON,
		lastModifiedBy: PERSON,
		contentType: isFile ? { id: '0x0101', name: 'Document' } : { id: '0x0100', name: 'Item' },
		fields: {
			'@odata.etag': etagOf(entry),
			...entry.fields,
			...(isFile ? { FileLeafRef: entry.name } : {}),
		},
	};
}

/** The file behind an entry of the library. */
function driveItem(file: LibraryFile): Record<string, unknown> {
	return {
		id: file.uniqueId,
		name: file.name,
		webUrl: webUrlOf(file),
		size: file.content.length,
		createdDateTime: file.created,
		lastModifiedDateTime: file.created,
		eTag: etagOf(file),
		createdBy: PERSON,
		lastModifiedBy: PERSON,
		parentReference: {
			driveId: 'b!intake',
			driveType: 'documentLibrary',
			id: '01ROOT',
			path: '/drive/root:',
		},
		file: { mimeType: file.mediaType },
		fileSystemInfo: { createdDateTime: file.created, lastModifiedDateTime: file.created },
	};
}

/** The header with the name of a downloaded file, in the form that allows any character. */
function contentDisposition({ name }: LibraryFile): string {
	return `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
}

function etagOf({ uniqueId }: Entry): string {
	return `"${uniqueId},1"`;
}
