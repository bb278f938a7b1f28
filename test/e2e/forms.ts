import { until } from './support';

/** Sends the form that starts a workflow; returns the address of its next page. */
export async function submitForm(url: string, body: FormData): Promise<string> {
	const { status, text } = await postForm(url, body);
	const { formWaitingUrl } = JSON.parse(text) as { formWaitingUrl?: string };
	if (formWaitingUrl === undefined) throw new Error(`n8n answered ${status}: ${text}`);
	return formWaitingUrl;
}

/** Sends a form once n8n has registered it; returns the answer, which has no address when the form is the only page. */
export async function postForm(
	url: string,
	body: FormData,
): Promise<{ status: number; text: string }> {
	let answer = { status: 404, text: '' };
	await until(async () => {
		const response = await fetch(url, { method: 'POST', body });
		answer = { status: response.status, text: await response.text() };
		return answer.status !== 404;
	});
	return answer;
}

/** Sends a page of a form as it is, but for some answers, which are given by a part of their labels. */
export async function sendForm(
	url: string,
	html: string,
	answers: Record<string, string>,
): Promise<void> {
	const body = new FormData();
	for (const { id, label, value } of fieldsIn(html)) {
		const [, answer = value] = Object.entries(answers).find(([part]) => label.includes(part)) ?? [];
		body.append(id, answer);
	}
	const response = await fetch(url, { method: 'POST', body });
	if (response.status !== 200) throw new Error(await response.text());
}

/** The HTML of a form's next page, once n8n waits for it. */
export async function nextPage(url: string): Promise<string> {
	// n8n does not answer other requests while it runs the workflow.
	await until(async () => (await textAt(statusAt(url))) === 'form-waiting');
	return textAt(url);
}

/** Reads the last page of a form and, as its script does, tells n8n that it was shown. */
export async function openLastPage(url: string): Promise<string> {
	const html = await nextPage(url);
	await fetch(url, { method: 'POST' });
	return html;
}

export async function textAt(url: string): Promise<string> {
	const response = await fetch(url).catch(() => undefined); // n8n may be starting
	return (await response?.text())?.trim() ?? '';
}

/** Where a form asks whether n8n waits for it. */
function statusAt(url: string): string {
	const [path = '', query] = url.split('?');
	return `${path}/n8n-execution-status${query === undefined ? '' : `?${query}`}`;
}

/** The fields of a form as a browser reads its HTML. A hidden one has no label. */
function fieldsIn(html: string): Array<{ id: string; label: string; value: string }> {
	const fields = html.matchAll(
		/<(input|textarea|select)\b([^>]*\bid=['"](field-\d+)['"][^>]*)>([^<]*)/g,
	);
	return [...fields].map(([, tag, attributes = '', id = '', content = '']) => {
		const label = new RegExp(`<label[^>]*\\bfor=['"]${id}['"][^>]*>([^<]*)</label>`).exec(html);
		const value =
			tag === 'textarea'
				? content.replace(/\r\n?/g, '\n').replace(/^\n/, '').replaceAll('\n', '\r\n')
				: (/\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? '');
		return { id, label: decoded(label?.[1] ?? ''), value: decoded(value) };
	});
}

const ENTITIES: Record<string, string> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"' },
	...{ '#x27': "'", '#x60': '`', '#x3D': '=' },
};

function decoded(html: string): string {
	return html.replace(/&([^;&]+);/g, (text, name: string) => ENTITIES[name] ?? text);
}
