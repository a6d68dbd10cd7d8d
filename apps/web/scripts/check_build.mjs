// SPDX-License-Identifier: Apache-2.0
// Checks the built page: one style sheet, scripts of this origin only, nothing inline, and limits of size for slow connections.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';

const FIRST_BYTES = 60_000; // gzip, of the style sheet and the scripts of the first screen
// With all parts on demand and both languages. No page loads all parts, so that a new view may raise this limit
// (docs/decisions/0065-stored-connections-to-models.md). The limit bounds the size of the program.
const ALL_BYTES = 147_000;
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const faults = [];

const assets = readdirSync(join(dist, 'assets'));
const of = (ending) => assets.filter((name) => name.endsWith(ending));
const read = (name) => readFileSync(join(dist, 'assets', name));
const packed = new Map([...of('.js'), ...of('.css')].map((name) => [name, gzipSync(read(name), { level: 9 }).length]));

const html = readFileSync(join(dist, 'index.html'), 'utf8');
const entries = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map((match) => basename(match[1]));
if (entries.length !== 1) faults.push(`index.html should have one script, and has ${entries.join(', ') || 'none'}`);
if (of('.css').length !== 1) faults.push(`expected one style sheet, found ${of('.css').join(', ') || 'none'}`);
if (/<script(?![^>]*\ssrc=)/i.test(html)) faults.push('index.html has an inline script');
if (/<style|\sstyle=|\son\w+=/i.test(html)) faults.push('index.html has inline styles or handlers');
if (/(?:src|href)="(?:https?:)?\/\//i.test(html)) faults.push('index.html loads something from another origin');

/** A script with its static imports. */
function withImports(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, from] of read(name)
    .toString()
    .matchAll(/\bimport\s*(?:[\w${}*,\s]*?\bfrom\s*)?["']\.\/([^"']+)["']/g))
    withImports(from, seen);
  return seen;
}

for (const name of of('.js'))
  for (const [, from] of read(name)
    .toString()
    .matchAll(/\bimport\(\s*(?!["'`]\.\/)([^)]{1,40})/g))
    faults.push(`${name} imports what is not beside it: ${from}`);

const first = new Set([...entries.flatMap((name) => [...withImports(name)]), ...of('.css')]);
const sum = (names) => [...names].reduce((bytes, name) => bytes + packed.get(name), 0);
for (const [name, bytes] of [...packed].sort((a, b) => b[1] - a[1]))
  console.log(`${name}: ${bytes} bytes gzip${first.has(name) ? ', at first' : ''}`);
console.log(`first load ${sum(first)} of ${FIRST_BYTES} bytes gzip, everything ${sum(packed.keys())} of ${ALL_BYTES}`);
if (sum(first) > FIRST_BYTES) faults.push(`the first load is ${sum(first)} bytes gzip, the budget is ${FIRST_BYTES}`);
if (sum(packed.keys()) > ALL_BYTES)
  faults.push(`scripts and style sheet are ${sum(packed.keys())} bytes gzip, the budget is ${ALL_BYTES}`);
if (first.size === packed.size) faults.push('nothing is loaded on demand: is src/part.ts still what splits the page?');

for (const fault of faults) console.error(`check_build: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
