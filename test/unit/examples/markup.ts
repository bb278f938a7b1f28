import { Expression, type IDataObject } from 'n8n-workflow';

type Parameters = Record<string, unknown>;

/** The parameters of a node whose text n8n or a mail program shows as HTML, or Slack as markup. */
const SHOWN: Record<string, (parameters: Parameters) => unknown[]> = {
	emailSend: ({ emailFormat, html }) => (emailFormat === 'text' ? [] : [html]),
	form: ({ completionTitle, completionMessage, jsonOutput }) => [
		...[completionTitle, completionMessage, jsonOutput],
	],
	gmail: ({ emailType, message }) => (emailType === 'text' ? [] : [message]),
	microsoftOutlook: ({ additionalFields, bodyContent, message }) =>
		(additionalFields as Parameters | undefined)?.bodyContentType === 'Text'
			? []
			: [bodyContent, message],
	microsoftTeams: ({ message }) => [message],
	slack: ({ text }) => [text],
};

export function htmlIn({ type, parameters }: { type: string; parameters: object }): string[] {
	const shown = SHOWN[type.split('.').pop() ?? '']?.(parameters as Parameters) ?? [];
	return shown.filter((text): text is string => typeof text === 'string' && text.startsWith('='));
}

const MARKUP = '<img src=x>&';

/** Stands for whatever an expression reads: any field, a list of one, or a text with markup. */
function hostile(): unknown {
	return new Proxy(() => undefined, {
		apply: hostile,
		get: (_target, key) => {
			if (key === Symbol.toPrimitive || key === 'toString') return () => MARKUP;
			if (key === 'toFixed') return () => '1.00';
			if (/^\d+$/.test(String(key))) return hostile();
			const given: object = [String(MARKUP), [hostile()]].find(
				(each) => key in Object(each),
			) as object;
			if (given === undefined) return hostile();
			const value: unknown = Reflect.get(Object(given) as object, key);
			return typeof value === 'function' ? (value as () => unknown).bind(given) : value;
		},
	});
}

/** What an expression shows if every value of a document has markup. Settings are the user's own. */
export function withHostileValues(text: string): string {
	const own = { item: { json: {} }, first: () => ({ json: {} }) };
	const $ = (name: string): unknown => (name === 'Settings' ? own : hostile());
	const data = { $json: hostile(), $, JSON, Object, String, Map };
	const made = String(Expression.resolveWithoutWorkflow(text.slice(1), data as IDataObject));
	if (!made.startsWith('[')) return made;
	return (JSON.parse(made) as Array<{ html?: string }>).map(({ html }) => html).join();
}
