import { until } from './support';

const MINUTE = 60_000;

/** Sends the form that starts a workflow; returns the address of its next page. */
export async function submitForm(url: string, body: FormData): Promise<string> {
	let waitingUrl: string | undefined;
	await until(async () => {
		const response = await fetch(url, { method: 'POST', body });
		const text = await response.text();
		if (response.status === 404) return false; // n8n has not registered the form yet
		waitingUrl = (JSON.parse(text) as { formWaitingUrl?: string }).formWaitingUrl;
		if (waitingUrl === undefined) throw new Error(`n8n answered ${response.status}: ${text}`);
		return true;
	});
	return waitingUrl ?? '';
}

/** The HTML of a form's next page, once n8n waits for it. */
export async function nextPage(url: string): Promise<string> {
	// n8n does not answer other requests while it runs the workflow.
	await until(async () => (await textAt(statusAt(url))) === 'form-waiting', MINUTE);
	return textAt(url);
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
