import { escapeHtml } from '../words';

/** HTML that was written here, and so is not escaped when it is put into other HTML. */
export class Html {
	/** No other object has a private field, so nothing else can be taken for HTML. */
	constructor(private readonly text: string) {}

	toString(): string {
		return this.text;
	}
}

/** Writes HTML. Every text that is put in is escaped, so that no value can become markup. */
export function markup(
	written: TemplateStringsArray,
	...values: ReadonlyArray<string | number | Html | Html[]>
): Html {
	const parts = values.map((value, index) => {
		const isHtml = value instanceof Html || Array.isArray(value);
		const text = isHtml ? [value].flat().join('') : escapeHtml(String(value));
		return text + (written[index + 1] ?? '');
	});
	return new Html((written[0] ?? '') + parts.join(''));
}

/** Half-transparent colors fit light and dark screens. Two braces side by side would begin an expression of n8n. */
export const STYLE = markup`
:root { color-scheme: light dark; background: #f3f4f6; color: #1b2330; --card: #fff; --muted: #5b6676 }
body { margin: 0; font: 14px/1.5 system-ui, "Segoe UI", Roboto, Arial, sans-serif }
main { max-width: 980px; margin: 24px auto; padding: 32px 40px; border-radius: 12px; background: var(--card) }
main { overflow: auto } h1, h2, p { margin: 4px 0; line-height: 1.4; overflow-wrap: anywhere } h1 { font-size: 24px }
h2 { margin: 36px 0 6px; font-size: 16px } small, th, .score { font-size: 12px; font-weight: 500 }
small, th, td:first-child, .score { color: var(--muted) } .w { overflow-wrap: anywhere }
.verdict { margin: 20px 0 0; padding: 12px 16px; border-left: 4px solid #8a94a3; border-radius: 6px }
.verdict { background: #8a94a322 } .failed { border-color: #d63a3a; background: #d63a3a22 }
.fine { border-color: #1f9254; background: #1f925422 } .completed { border-color: #e5a100; background: #ffc40030 }
mark { padding: 1px 5px; border-radius: 4px; background: #ffc40060; color: CanvasText }
table { width: 100%; border-collapse: collapse } .list td:first-child, .docs td:last-child { width: 34% }
th, td { padding: 7px; border-bottom: 1px solid #8a94a340; text-align: left; vertical-align: top }
th { vertical-align: bottom } tbody th { padding-top: 24px; font-weight: 700 }
th:first-child, td:first-child { padding-left: 0 } th:last-child, td:last-child { padding-right: 0 }
.n, .score { text-align: right; font-variant-numeric: tabular-nums } td.n, .u { white-space: nowrap }
@media (min-width: 641px) { .rows:has(th:nth-child(10)) * { font-size: 12px } }
@media (prefers-color-scheme: dark) { :root { background: #101317; color: #e4e8ee; --card: #1a1e24; --muted: #9aa5b4 } }
@media screen and (max-width: 640px) { main { margin: 0; padding: 20px 16px; border-radius: 0 } thead { display: none }
tr { display: block; padding: 8px 0; border-bottom: 1px solid #8a94a355 }
td { display: block; padding: 2px 0; overflow: hidden } th, td { border: 0 }
.rows td { font-size: 14px; text-align: right; white-space: normal }
.rows td::before { content: attr(title); float: left; margin-right: 16px; color: var(--muted) }
.list tr { display: grid; grid-template-columns: 1fr auto; column-gap: 16px }
.list td:first-child { grid-column: 1 / 3; width: auto; font-size: 12px } }
@page { size: A4; margin: 15mm 14mm } @media print { body { font-size: 9.5pt } tr { break-inside: avoid }
main { max-width: none; margin: 0; padding: 0; overflow: visible } h2 { margin-top: 24px; break-after: avoid }
:root { background: none; color: #1b2330; --card: #fff; --muted: #5b6676 } mark, .verdict { print-color-adjust: exact }
.rows:has(th:nth-child(10)) * { font-size: 6.8pt } .rows:has(th:nth-child(10)) td { padding: 4px 3px } }
`;
