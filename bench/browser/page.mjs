// SPDX-License-Identifier: Apache-2.0
// node bench/browser/page.mjs [ROUNDS]: measures the page in Chromium with 50,000 chunks in 10 s (mixed text, and 1 MB in one paragraph).
// Also measures the opening of conversations with 10,000 messages, 20 MB, and 1 MB in one paragraph. Prints the figures of each round, and
// the medians. Needs the built page (`npm run build` in apps/web); the measuring tests are tests/web/load_test.mjs and
// tests/web/long_test.mjs.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const rounds = Number(process.argv[2] ?? 3);
const root = fileURLToPath(new URL('../..', import.meta.url));
const env = { ...process.env, PARLANCE_LOAD_CHUNKS: '50000', PARLANCE_LOAD_SECONDS: '10' };
const seen = new Map(); // figure -> its value in each round

function run(file) {
  const { stdout } = spawnSync(process.execPath, [`${root}tests/web/run.mjs`, `${root}tests/web/${file}_test.mjs`], {
    env,
    encoding: 'utf8',
  });
  let test = '';
  for (const line of stdout.split('\n')) {
    test = /^(?:# Subtest: )(.*)/.exec(line)?.[1] ?? test;
    const said = /^# ((?:opened|sent) .*)/.exec(line)?.[1];
    if (!said) continue;
    console.log(`${test}: ${said}`);
    for (const [, name, value] of said.matchAll(/(opened in|p50|p95|max|at most|longest|JS heap) (\d+)/g)) {
      const key = `${test}: ${name}`;
      seen.set(key, [...(seen.get(key) ?? []), Number(value)]);
    }
  }
}

for (let round = 0; round < rounds; ++round) for (const file of ['load', 'long']) run(file);
console.log(`\nmedians of ${rounds}`);
for (const [name, values] of seen)
  console.log(`${name} ${values.sort((a, b) => a - b)[Math.floor(values.length / 2)]}`);
