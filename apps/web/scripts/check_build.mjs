// What the gateway relies on: one script, one style sheet, nothing inline, and a size that opens fast over a phone's link.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const BUDGET_BYTES = 110 * 1024;  // script and style sheet together, gzip: the limit that docs and users see
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const faults = [];

const assets = readdirSync(join(dist, 'assets'));
const of = (ending) => assets.filter((name) => name.endsWith(ending));
if (of('.js').length !== 1) faults.push(`expected one script, found ${of('.js').join(', ') || 'none'}`);
if (of('.css').length !== 1) faults.push(`expected one style sheet, found ${of('.css').join(', ') || 'none'}`);

const html = readFileSync(join(dist, 'index.html'), 'utf8');
if (/<script(?![^>]*\ssrc=)/i.test(html)) faults.push('index.html has an inline script');
if (/<style|\sstyle=|\son\w+=/i.test(html)) faults.push('index.html has inline styles or handlers');
if (/(?:src|href)="(?:https?:)?\/\//i.test(html)) faults.push('index.html loads something from another origin');

let total = 0;
for (const name of [...of('.js'), ...of('.css')]) {
  const bytes = readFileSync(join(dist, 'assets', name));
  const packed = gzipSync(bytes, { level: 9 }).length;
  total += packed;
  console.log(`${name}: ${(bytes.length / 1024).toFixed(1)} KiB, gzip ${(packed / 1024).toFixed(1)} KiB`);
}
console.log(`together: gzip ${(total / 1024).toFixed(1)} KiB of ${BUDGET_BYTES / 1024} KiB`);
if (total > BUDGET_BYTES) faults.push(`script and style sheet are ${total} bytes gzip, the budget is ${BUDGET_BYTES}`);

for (const fault of faults) console.error(`check_build: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
