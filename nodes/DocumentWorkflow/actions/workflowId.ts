/** What follows `workflows/` in an address of the service's dashboard or API, up to the next separator. */
const IN_ADDRESS = /\/workflows?\/([^/?#\s]+)/i;

/** The ID in an address, also behind a fragment as single-page dashboards have it; undefined when there is none. */
export function workflowIdInAddress(address: string): string | undefined {
	const found = IN_ADDRESS.exec(address.trim())?.[1];
	if (found === undefined || !/^https?:\/\//i.test(address.trim())) return undefined;
	try {
		return decodeURIComponent(found);
	} catch {
		return found;
	}
}
