import { readFileSync } from 'node:fs';
import { fieldOf, readValue } from '../../../nodes/DocumentWorkflow/results/values/convert';
const TODAY = '2026-11-24';
const rows: any[] = [];
let sec: any;
const dec = (s: string) => s.replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\n|\\t/g, (m, a, b) => m === '\\n' ? '\n' : m === '\\t' ? '\t' : String.fromCharCode(parseInt(a ?? b, 16)))
 .replace(/\{([^{}]+?)\*(\d+)\}/g, (_m, x, n) => x.repeat(Number(n)));
for (const line of readFileSync(__dirname + '/../../../second/' + (process.env.T ?? 'table') + '.txt', 'utf8').split('\n')) {
 if (line === '' || line.startsWith('// ')) continue;
 if (line.startsWith('@ ')) { const [kind, field, type] = line.slice(2).split(' ;').map((x) => x.trim()); sec = { kind, field: dec(field!), type }; continue; }
 const at = line.indexOf('=> '); if (at < 0) throw new Error(line);
 const text = dec(line.slice(0, at).replace(/ $/, '')); const exp = line.slice(at + 3).split(' ');
 ['us', 'uk', 'europe'].forEach((style, i) => { const e = exp.length === 1 ? exp[0] : exp[i]; if (e === undefined) throw new Error(line); if (e !== '.') rows.push({ ...sec, text, style, e }); });
}
it('runs', () => {
 const fig: any = {}; const out: string[] = []; let wrong = 0, unm = 0, conv = 0;
 for (const r of rows) {
  const nf = r.type === 'nf'; const d = nf || r.type === '' || r.type === 'string' ? undefined : r.type;
  const t0 = Date.now();
  const { value, needed } = readValue(r.text, fieldOf(r.field, d, nf), { style: r.style, today: TODAY });
  if (Date.now() - t0 > 20) out.push('SLOW ' + r.text.slice(0, 20) + (Date.now() - t0));
  const got = value !== undefined && value !== r.text ? String(value) : needed !== undefined ? '?' : '=';
  const g = value === null ? 'null' : got;
  const typed = value === undefined || typeof value === 'string' || value === null;
  const expd = typed && r.e === r.text ? '=' : r.e;
  const ok = g === expd || (expd === '~' && (g === '=' || g === '?'));
  const isConv = !['=', '?', '~'].includes(expd);
  if (isConv) { unm++; if (g === expd) conv++; }
  if (!['=', '?'].includes(g) && g !== expd) wrong++;
  const f = (fig[r.kind + ' | ' + r.style] ??= [0, 0, 0, 0]);
  f[g === 'null' ? 3 : g === '=' ? 1 : g === '?' ? 2 : 0]++;
  if (!ok) out.push(`${r.kind} | ${r.style} | ${r.field} | ${r.type} | ${JSON.stringify(r.text.slice(0, 60))}: expected ${expd}, got ${g}`);
 }
 console.log(Object.entries(fig).map(([k, v]) => k + ': ' + (v as any).join(' ')).join('\n'));
 console.log(out.join('\n'));
 console.log({ cases: rows.length, unm, conv, wrong, diffs: out.length });
});
