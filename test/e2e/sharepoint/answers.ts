/** Entries and files in the shapes that SharePoint answers with. */
import type { Entry, LibraryFile } from './contents';

const SITE = 'https://example.sharepoint.com/sites/Intake';
const PERSON = {
	user: {
		id: '7f0e3b52-0000-4000-8000-000000000001',
		displayName: 'Intake',
		email: 'intake@example.com',
	},
};

/** The address at which a person sees the file. */
export function webUrlOf({ name }: LibraryFile): string {
	return `${SITE}/Shared%20Documents/${encodeURIComponent(name)}`;
}

/** An entry as a short list item: what n8n's node requests with Simplify. */
export function shortListItem(entry: Entry | LibraryFile): Record<string, unknown> {
	return {
		'@odata.etag': etagOf(entry),
		createdDateTime: entry.created,
		id: entry.id,
		lastModifiedDateTime: entry.created,
		webUrl: 'name' in entry ? webUrlOf(entry) : `${SITE}/Lists/Policies/${entry.id}_.000`,
		'fields@odata.navigationLink': `items/${entry.id}/fields`,
		fields: { '@odata.etag': etagOf(entry), Title: entry.fields.Title },
	};
}

/** An entry as a list item with all its columns. */
export function listItem(entry: Entry | LibraryFile): Record<string, unknown> {
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
export function driveItem(file: LibraryFile): Record<string, unknown> {
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
export function contentDisposition({ name }: LibraryFile): string {
	return `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
}

function etagOf({ uniqueId }: Entry): string {
	return `"${uniqueId},1"`;
}
