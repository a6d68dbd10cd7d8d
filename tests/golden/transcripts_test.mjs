// SPDX-License-Identifier: Apache-2.0
// Plays each golden transcript beside this file with the programs of a build, and compares every frame.
//
//   BIN=build/release/bin node --test tests/golden/transcripts_test.mjs        GOLDEN_UPDATE=1 writes the received frames
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { played } from './transcript.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const bin = resolve(process.env.BIN ?? join(here, '../../build/release/bin'));
const [, version] = /project\(parlance VERSION (\d+\.\d+\.\d+)/.exec(
  readFileSync(join(here, '../../CMakeLists.txt'), 'utf8'),
);
// The C++ tests beside the code play these.
const elsewhere = new Set(['openai', 'sqlite_bridge']);

const protocols = readdirSync(here, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !elsewhere.has(entry.name),
);
for (const { name: protocol } of protocols) {
  for (const name of readdirSync(join(here, protocol)).filter((each) => each.endsWith('.transcript'))) {
    test(`${protocol}/${name}`, async () => {
      const file = join(here, protocol, name);
      const got = await played(file, bin, version);
      if (process.env.GOLDEN_UPDATE) writeFileSync(file, `${got.join('\n')}\n`);
      assert.deepEqual(got, readFileSync(file, 'utf8').trimEnd().split('\n'));
    });
  }
}

test('every protocol has a golden transcript', () => {
  const printed = readdirSync(join(here, '../../docs/protocol')).map((page) => page.replace(/\.md$/, ''));
  const playedHere = new Set([...protocols.map((each) => each.name), ...elsewhere]);
  assert.deepEqual(
    printed.filter((protocol) => !playedHere.has(protocol)),
    [],
  );
});
