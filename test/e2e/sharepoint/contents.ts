import { randomUUID } from 'node:crypto';

export type Fields = Record<string, unknown>;
type Column = 'line' | 'lines' | 'number' | { choices: string[] };

/** An entry of the library or of the list, with the values of its columns. */
export interface Entry {
	/** Counts up within a library or list, as in SharePoint. */
	id: string;
	uniqueId: string;
	/** ISO date and time. */
	created: string;
	fields: Fields;
}

export interface LibraryFile extends Entry {
	name: string;
	mediaType: string;
	content: Buffer;
	/** A person edits it: its columns cannot be changed. */
	checkedOut: boolean;
	/** Its entry exists, its content does not. */
	gone: boolean;
}

/** An error of SharePoint, with the status and the code of its answer. */
export class SharePointError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
	) {
		super(message);
	}
}

const LONGEST_LINE = 255; // characters
const LIBRARY: Record<string, Column> = {
	Title: 'line',
	IntakeStatus: { choices: ['New', 'Sent', 'Done', 'Review', 'Failed'] },
	IntakeProblem: 'lines',
};
const LIST: Record<string, Column> = {
	Title: 'line',
	FileLink: 'lines',
	PolicyNumber: 'line',
	NamedInsured: 'line',
	TotalPremium: 'number',
	ToCheck: 'lines',
	Execution: 'line',
};

/** A SharePoint site with a library and a list, prepared as the example asks for it. */
export class SiteContents {
	readonly files: LibraryFile[] = [];
	readonly rows: Entry[] = [];

	/** Adds a file to the library as a person does: its status is the default of the column. */
	put(
		name: string,
		mediaType: string,
		content: Buffer,
		fields: Fields = { IntakeStatus: 'New' },
	): LibraryFile {
		const file = {
			...newEntry(this.files.length + 1, { ...fields }),
			name,
			mediaType,
			content,
			checkedOut: false,
			gone: false,
		};
		this.files.push(file);
		return file;
	}

	/** A file by the identifier of its entry or its own. Raises a SharePointError when there is none. */
	file(id: string): LibraryFile {
		const file = this.files.find((each) => each.id === id || each.uniqueId === id);
		if (!file)
			throw new SharePointError(404, 'itemNotFound', 'The specified list item was not found');
		return file;
	}

	/** The files whose column has this value, the oldest first. Raises a SharePointError when there is no such column. */
	filesWith(column: string, value: string): LibraryFile[] {
		if (!(column in LIBRARY))
			throw new SharePointError(400, 'invalidRequest', `Column '${column}' does not exist`);
		return this.files.filter(({ fields }) => fields[column] === value);
	}

	/** Raises a SharePointError for a file that is checked out, and for values that do not fit their columns. */
	changeFile(id: string, fields: Fields): LibraryFile {
		const file = this.file(id);
		if (file.checkedOut)
			throw new SharePointError(423, 'resourceLocked', 'The file is checked out for editing');
		check(LIBRARY, fields);
		Object.assign(file.fields, fields);
		return file;
	}

	/** Raises a SharePointError for values that do not fit their columns. */
	addRow(fields: Fields): Entry {
		check(LIST, fields);
		const row = newEntry(this.rows.length + 1, fields);
		this.rows.push(row);
		return row;
	}

	clear(): void {
		this.files.length = 0;
		this.rows.length = 0;
	}
}

function newEntry(number: number, fields: Fields): Entry {
	return { id: String(number), uniqueId: randomUUID(), created: new Date().toISOString(), fields };
}

function check(columns: Record<string, Column>, fields: Fields): void {
	for (const [name, value] of Object.entries(fields)) {
		const column = columns[name];
		if (!column)
			throw new SharePointError(400, 'invalidRequest', `Field '${name}' is not recognized`);
		if (value !== null && !fits(column, value))
			throw new SharePointError(400, 'invalidRequest', `Invalid value in the field '${name}'`);
	}
}

function fits(column: Column, value: unknown): boolean {
	if (column === 'number') return typeof value === 'number';
	if (typeof value !== 'string') return false;
	if (column === 'line') return value.length <= LONGEST_LINE && !value.includes('\n');
	return column === 'lines' || column.choices.includes(value);
}
