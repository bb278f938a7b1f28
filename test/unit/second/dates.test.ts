import { fieldOf, readValue } from '../../../nodes/DocumentWorkflow/results/values/convert';
const TODAY = '2026-11-24';
const L: Record<string, Intl.DateTimeFormat[]> = {};
const loc = ['en', 'de', 'fr', 'es', 'de-AT', 'en-GB', 'fr-CA', 'es-MX', 'de-CH', 'it', 'nl', 'pt', 'sv', 'pl'];
it('months of all locales', () => {
  const out: Record<string, string[]> = {};
  for (const l of loc) for (const month of ['long', 'short'] as const) for (let m = 0; m < 12; m++) {
    const f = new Intl.DateTimeFormat(l, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' });
    const t = f.format(new Date(Date.UTC(2024, m, 4)));
    const want = `2024-${String(m + 1).padStart(2, '0')}-04`;
    for (const style of ['us', 'uk', 'europe'] as const) {
      const r = readValue(t, fieldOf('date'), { style, today: TODAY });
      if (r.value !== want) (out[l] ??= []).push(`${style} ${t} -> ${r.value ?? r.needed}`);
      if (r.value !== undefined && r.value !== want) console.log('WRONG', l, t, r.value);
    }
  }
  console.log(Object.entries(out).map(([k, v]) => k + ': ' + [...new Set(v.map((x) => x.replace(/^\S+ /, '')))].join(' | ')).join('\n'));
});
it('numeric', () => {
  let n = 0, conv = 0; const bad: string[] = [];
  for (let y = 1901; y < 2099; y += 7) for (let m = 0; m <= 13; m++) for (let d = 0; d <= 32; d++) for (const sep of ['/', '-', '.', ' ', ',']) for (const style of ['us', 'uk', 'europe'] as const) {
    const pad = (x: number) => String(x).padStart(2, '0');
    const t = style === 'us' ? `${pad(m)}${sep}${pad(d)}${sep}${y}` : `${pad(d)}${sep}${pad(m)}${sep}${y}`;
    const ok = m >= 1 && m <= 12 && d >= 1 && d <= new Date(y, m, 0).getDate() && (sep === '/' || sep === '-' || (sep === '.' && style !== 'us'));
    const want = ok ? `${y}-${pad(m)}-${pad(d)}` : undefined;
    const r = readValue(t, fieldOf('Notes'), { style, today: TODAY }); n++; if (r.value) conv++;
    if (r.value !== want) bad.push(`${style} ${t} ${r.value} want ${want}`);
    const y2 = y % 100; const t2 = t.replace(String(y), pad(y2));
    let full = 1900 + y2; while (full + 100 <= 2046) full += 100;
    const w2 = m >= 1 && m <= 12 && d >= 1 && d <= new Date(full, m, 0).getDate() && ok | 0 ? `${full}-${pad(m)}-${pad(d)}` : undefined;
    const r2 = readValue(t2, fieldOf('Effective'), { style, today: TODAY });
    if (r2.value !== w2 && !(ok === false && w2 === undefined && m === 2 && d === 29)) bad.push(`${style} ${t2} ${r2.value} want ${w2}`);
  }
  console.log(n, conv, bad.length, bad.slice(0, 10));
});
