/** Multipart creates, read as a stream: only files that are read later are kept in memory. */
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import busboy, { type Busboy } from 'busboy';
import { takeIn, type Intake } from '../processing/intake';
import type { Submission } from '../state/executions';
import { missing, problem, unprocessable, type Problem, type Refusal } from './answers';
import { complete, dropBody, Interrupted, jsonObject } from './body';

interface Parts {
	intakes: Array<Promise<Intake>>;
	texts: Map<string, string>;
	order: string[];
	problems: Problem[];
}

/** Reads the body to its end and returns its content. Raises a Refusal (422) or Interrupted. */
export async function readMultipart(request: IncomingMessage): Promise<Submission> {
	const parts: Parts = { intakes: [], texts: new Map(), order: [], problems: [] };
	const parser = parserOf(request, parts);
	if (!parser) {
		await dropBody(request);
		throw malformed('the boundary is missing');
	}
	try {
		// Not pipeline(): it would close the connection before a malformed body is answered.
		request.pipe(parser);
		await Promise.all([complete(request), finished(parser)]);
	} catch (error) {
		parser.destroy();
		await Promise.allSettled(parts.intakes);
		throw error instanceof Interrupted ? error : malformed((error as Error).message);
	}
	return submissionOf(parts, await Promise.all(parts.intakes));
}

function parserOf(request: IncomingMessage, parts: Parts): Busboy | undefined {
	const unlimited = { fieldNameSize: 1024, fieldSize: Infinity };
	let parser: Busboy;
	try {
		parser = busboy({
			headers: request.headers,
			defParamCharset: 'utf8',
			preservePath: true,
			limits: unlimited,
		});
	} catch {
		return undefined;
	}
	parser.on('file', (name, content, info) => {
		// Without a file name the parser gives undefined, contrary to its types.
		const fileName: string | undefined = info.filename;
		parts.order.push(name);
		if (name !== 'files')
			parts.problems.push(problem([name], 'extra fields not permitted', 'value_error.extra'));
		else if (!fileName) parts.problems.push(withoutFileName(name));
		const intake = takeIn(content, {
			fieldName: name,
			fileName: fileName ?? '',
			mediaType: info.mimeType,
		});
		intake.catch(() => undefined);
		parts.intakes.push(intake);
	});
	parser.on('field', (name, value) => {
		parts.order.push(name);
		if (name === 'files') parts.problems.push(withoutFileName(name));
		else parts.texts.set(name, value);
	});
	return parser;
}

function submissionOf({ texts, order, problems }: Parts, intakes: Intake[]): Submission {
	if (problems.length > 0) throw unprocessable(...problems);
	const userInputs = objectIn(texts, 'user_inputs');
	const metadata = objectIn(texts, 'metadata');
	if (intakes.length === 0 && !userInputs) throw unprocessable(missing('files'));
	const bodyFields = Object.fromEntries(
		[...texts].filter(([name]) => name !== 'user_inputs' && name !== 'metadata'),
	);
	return { userInputs, metadata, bodyFields, fieldOrder: order, fileUrls: [], intakes };
}

function objectIn(texts: Map<string, string>, name: string): Record<string, unknown> | null {
	const text = texts.get(name);
	return text === undefined ? null : jsonObject(text, [name]);
}

function withoutFileName(name: string): Problem {
	return problem([name], 'expected a file with a file name', 'value_error.file');
}

function malformed(reason: string): Refusal {
	return unprocessable(
		problem([], `the multipart body cannot be read: ${reason}`, 'value_error.multipart'),
	);
}
