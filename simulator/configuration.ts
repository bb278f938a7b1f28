/**
 * The schema of the configuration file.
 * Changes through the administration interface are checked with the same schemas.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const text = z.string().min(1);
const seconds = z.number().min(0);
const httpUrl = z
	.string()
	.refine(
		(value) => /^https?:\/\//i.test(value) && URL.canParse(value),
		'must be an absolute http or https URL',
	);

const fieldType = z.enum(['text', 'number', 'amount', 'date', 'boolean']);

const field = z
	.object({
		name: text,
		labels: z.array(text).min(1),
		type: fieldType.default('text'),
		/** The value includes the following lines, up to an empty line or the next label. */
		multiline: z.boolean().optional(),
	})
	.strict();

const table = z
	.object({
		header: z.array(text).min(1),
		fields: z
			.array(z.object({ name: text, column: text, type: fieldType.default('text') }).strict())
			.min(1),
	})
	.strict()
	.superRefine((value, context) => {
		value.fields.forEach(({ column }, index) => {
			if (!value.header.includes(column)) {
				context.addIssue({
					code: 'custom',
					path: ['fields', index, 'column'],
					message: `"${column}" is not in the header`,
				});
			}
		});
	});

const step = z
	.object({
		stepName: text,
		fields: z.array(field).default([]),
		table: table.optional(),
		/** Cells have the text of the document, its page and its line; a JSON schema says what they are. */
		asWritten: z.boolean().optional(),
		/** A text in place of rows: a summary, or a class. Names in braces stand for values of the steps before. */
		content: text.optional(),
	})
	.strict();

const duration = z.union([
	z.object({ fixedSeconds: seconds }).strict(),
	z
		.object({
			medianSeconds: z.number().positive(),
			sigma: z.number().min(0).default(0.5),
			tail: z
				.object({ share: z.number().min(0).max(1), fromSeconds: seconds, toSeconds: seconds })
				.strict()
				.optional(),
		})
		.strict(),
]);

const webhookAuthentication = z.discriminatedUnion('type', [
	z.object({ type: z.literal('none') }).strict(),
	z.object({ type: z.literal('api_key'), header: text, key: text }).strict(),
	z
		.object({
			type: z.literal('oauth2'),
			tokenUrl: httpUrl,
			clientId: text,
			clientSecret: text,
			scope: text.optional(),
		})
		.strict(),
]);

const webhook = z
	.object({
		url: httpUrl,
		authentication: webhookAuthentication.default({ type: 'none' }),
		format: z.enum(['url', 'inline']).default('url'),
		inlineLimitBytes: z.number().int().positive().default(1_048_576),
		duplicates: z.number().int().min(0).default(0),
		delaySeconds: seconds.default(0),
		retry: z
			.object({
				attempts: z.number().int().min(1),
				firstDelayMilliseconds: z.number().min(0),
				longestDelayMilliseconds: z.number().min(0).optional(),
			})
			.strict()
			.default({ attempts: 5, firstDelayMilliseconds: 1000 }),
	})
	.strict();

const workflow = z
	.object({
		workflowId: text,
		name: text.optional(),
		fileAccess: z.enum(['multipart', 'publicUrls', 'oauth2Urls', 'boxLinks']).default('multipart'),
		duration: duration.default({ fixedSeconds: 2 }),
		failWith: z.record(z.unknown()).nullable().default(null),
		steps: z.array(step).default([]),
		webhooks: z.array(webhook).default([]),
	})
	.strict();

const client = z
	.object({
		clientId: text,
		clientSecret: text,
		environments: z
			.array(z.enum(['production', 'staging']))
			.min(1)
			.default(['production', 'staging']),
		workflows: z.array(text).default(['*']),
	})
	.strict();

const settingsShape = {
	tokenLifetimeSeconds: z.number().positive(),
	/** Parallel requests of one client; null: no limit. */
	parallelRequests: z.number().int().positive().nullable(),
	maximumBodyBytes: z.number().int().positive().nullable(),
};

const configuration = z
	.object({
		tokenLifetimeSeconds: settingsShape.tokenLifetimeSeconds.default(3600),
		parallelRequests: settingsShape.parallelRequests.default(null),
		maximumBodyBytes: settingsShape.maximumBodyBytes.default(null),
		/** Seed of random durations and delays, so that a run can be repeated. */
		seed: z.number().int().default(1),
		clients: z.array(client).min(1),
		workflows: z.array(workflow).default([]),
	})
	.strict()
	.superRefine((value, context) => {
		refuseRepeated(
			value.clients.map((entry) => entry.clientId),
			'clients',
			'clientId',
			context,
		);
		refuseRepeated(
			value.workflows.map((entry) => entry.workflowId),
			'workflows',
			'workflowId',
			context,
		);
	});

function refuseRepeated(ids: string[], list: string, name: string, context: z.RefinementCtx): void {
	ids.forEach((id, index) => {
		if (ids.indexOf(id) !== index) {
			context.addIssue({
				code: 'custom',
				path: [list, index, name],
				message: `"${id}" is there twice`,
			});
		}
	});
}

export type FieldType = z.infer<typeof fieldType>;
export type Field = z.infer<typeof field>;
export type Table = z.infer<typeof table>;
export type Step = z.infer<typeof step>;
export type Duration = z.infer<typeof duration>;
export type Webhook = z.infer<typeof webhook>;
export type Workflow = z.infer<typeof workflow>;
export type Client = z.infer<typeof client>;
export type Settings = z.infer<z.ZodObject<typeof settingsShape>>;
export type Configuration = z.infer<typeof configuration>;
/** Missing fields get the defaults. */
export type SimulatorConfiguration = z.input<typeof configuration>;
export type WorkflowChange = Partial<Omit<z.input<typeof workflow>, 'workflowId'>>;
export type Environment = 'production' | 'staging';

/** An invalid configuration, change or administration request; the message names each wrong field. */
export class ConfigurationError extends Error {
	override readonly name = 'ConfigurationError';
}

/** The configuration that is used when none is given. */
export const DEFAULT_CONFIGURATION_FILE = join(__dirname, 'simulator.json');

/** Checks a value against a schema; raises a ConfigurationError with one line for each wrong field. */
export function check<Output>(
	schema: z.ZodType<Output, z.ZodTypeDef, unknown>,
	value: unknown,
	what: string,
): Output {
	const outcome = schema.safeParse(value);
	if (outcome.success) return outcome.data;
	const lines = outcome.error.issues.map((issue) => `  ${pathOf(issue.path)}: ${issue.message}`);
	throw new ConfigurationError(`${what} is not valid:\n${lines.join('\n')}`);
}

/** Reads and checks a configuration: an object, or the path of a JSON file. */
export function loadConfiguration(source: SimulatorConfiguration | string): Configuration {
	if (typeof source !== 'string') return check(configuration, source, 'The configuration');
	return check(configuration, readJson(source), `The configuration ${source}`);
}

/** A workflow with some of its fields changed; its ID stays. */
export function changeWorkflow(current: Workflow, change: unknown): Workflow {
	const fields = check(
		workflow.omit({ workflowId: true }).partial().strict(),
		change,
		'The change of the workflow',
	);
	return { ...current, ...present(fields, change) };
}

/** Only the fields that were given, so that defaults do not overwrite the workflow's own values. */
function present<Fields extends object>(fields: Fields, given: unknown): Partial<Fields> {
	const names = new Set(Object.keys(given as object));
	return Object.fromEntries(
		Object.entries(fields).filter(([name]) => names.has(name)),
	) as Partial<Fields>;
}

function pathOf(path: Array<string | number>): string {
	const written = path
		.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
		.join('');
	return written.replace(/^\./, '') || '(whole)';
}

function readJson(file: string): unknown {
	let content: string;
	try {
		content = readFileSync(file, 'utf8');
	} catch (error) {
		throw new ConfigurationError(
			`The configuration ${file} cannot be read: ${(error as Error).message}`,
		);
	}
	try {
		return JSON.parse(content);
	} catch (error) {
		throw new ConfigurationError(
			`The configuration ${file} is not JSON: ${(error as Error).message}`,
		);
	}
}
