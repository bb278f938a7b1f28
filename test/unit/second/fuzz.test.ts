import { fieldOf, readValue } from '../../../nodes/DocumentWorkflow/results/values/convert';
const T = ['1', '12', '123', '0', '00', '7', ',', ',', '.', '.', "'", '’', ' ', '\u00a0', '\u202f', '$', '€', 'USD', 'CHF', 'US$', 'C$', 'US $', '(', ')', '-', '−', '\u2011', '+', '%', 'each', 'M', '/', '\n', '\t', '234', '567', '000', ',000', ',234', '.234', '.50', 'l', 'O', '²', '１', ':', '*', 'mn', 'A', '¢'];
let seed = 12345; const rnd = () => { seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5; return (seed >>> 0) / 4294967296; };
const SP = '[ \\t\\n\\u00a0\\u202f]';
const SG = '(?:US ?\\$|[CA]\\$|CA\\$|[$€])';
const CD = '(?:USD|CHF)';
function oracle(text: string, style: string, money: boolean): number | undefined {
  let t = text.replace(/[\u00a0\u202f]/g, ' ').replace(/’/g, "'").replace(/[−\u2011]/g, '-').trim();
  let sg = 0, cd = 0, neg = 0, plus = 0, pct = 0, op = 0, cl = 0;
  for (;;) {
    const f = new RegExp(`^(?:(${SG})|(${CD})(?![A-Za-z])|(-)|(\\+)|(\\())${SP}*`).exec(t);
    if (f) { t = t.slice(f[0].length); if (f[1]) sg++; if (f[2]) cd++; if (f[3]) neg++; if (f[4]) plus++; if (f[5]) op++; continue; }
    const b = new RegExp(`${SP}*(?:(${SG})|(?<![A-Za-z])(${CD})|(-)|(%)|(\\)))$`).exec(t);
    if (b) { t = t.slice(0, b.index); if (b[1]) sg++; if (b[2]) cd++; if (b[3]) neg++; if (b[4]) pct++; if (b[5]) cl++; continue; }
    break;
  }
  if (sg > 1 || cd > 1 || pct > 1 || neg + plus + op > 1 || op !== cl) return undefined;
  money ||= sg + cd > 0;
  if (pct && money) return undefined;
  const dec = style === 'europe' ? ',' : '.';
  const at = t.lastIndexOf(dec); let int = t, frac = '';
  if (at >= 0) { int = t.slice(0, at); frac = t.slice(at + 1); if (!/^\d+$/.test(frac)) return undefined; }
  const seps = [...new Set(int.replace(/\d/g, ''))];
  if (seps.length > 1) return undefined;
  if (seps.length === 1) {
    const s = seps[0]!; if (style === 'europe' ? !". '".includes(s) : !",'".includes(s)) return undefined;
    const g = int.split(s);
    const west = /^\d{1,3}$/.test(g[0]!) && g.slice(1).every((x) => /^\d{3}$/.test(x));
    const ind = s === ',' && g.length > 2 && /^\d{1,2}$/.test(g[0]!) && g.slice(1, -1).every((x) => /^\d\d$/.test(x)) && /^\d{3}$/.test(g.at(-1)!);
    if (!west && !ind) return undefined;
    int = g.join('');
  } else if (!/^\d*$/.test(int)) return undefined;
  if (int + frac === '' ) return undefined;
  if (/^0\d/.test(int)) return undefined;
  if ((int + frac).length > 15) return undefined;
  if (money && frac.length === 3 && !/^0/.test(int + frac)) return undefined;
  const n = Number(int + (frac ? '.' + frac : ''));
  return neg + op > 0 && n !== 0 ? -n : n;
}
it('agrees', () => {
  const bad: Record<string, string> = {}; let conv = 0; let n = 0;
  for (let i = 0; i < 1_500_000; i++) {
    const len = 1 + Math.floor(rnd() * 7); let t = ''; for (let k = 0; k < len; k++) t += T[Math.floor(rnd() * T.length)];
    const style = ['us', 'uk', 'europe'][i % 3]!; const dn = i % 2 === 0;
    const name = dn ? 'Rate' : 'Limit';
    const r = readValue(t, fieldOf(name, dn ? 'number' : undefined), { style: style as any, today: '2026-11-24' });
    const got = typeof r.value === 'number' ? r.value : undefined;
    if (r.value === null || typeof r.value === 'string') continue;
    const pctOk = dn || !/%/.test(t);
    const want = pctOk ? oracle(t, style, !dn) : undefined;
    n++; if (got !== undefined) conv++;
    if (got !== want && Object.keys(bad).length < 40) bad[JSON.stringify(t) + ' ' + style + ' ' + name] = `got ${got} want ${want}`;
  }
  console.log(n, conv, bad);
});
