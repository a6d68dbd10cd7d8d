// SPDX-License-Identifier: Apache-2.0
// Compares reference pages with the code: each setting has a row in settings.md with its variable, default and need for trust, and each
// metric has a row in metrics.md, each error code has its numbers in errors.md, and each kind of event has a row in events.md.
//   node --test scripts/settings_doc_test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { isTest, listedFiles } from './tree.mjs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const table = read('apps/parlance/config/setting_table.cpp');
const page = read('docs/reference/settings.md');

const names = { databases_setting: 'databases' };
const specs = [
  ...table.matchAll(
    /SettingSpec\{\s*("[a-z-]+"|databases_setting),\s*"(PARLANCE_\w+)",\s*(?:\{\}|\w+),\s*(?:"([^"]*)"|[\w:]+),([\s\S]*?)\}(?:,\s*(?=SettingSpec|\};)|\s*\};)/g,
  ),
].map(([, name, variable, value, rest]) => ({
  name: names[name] ?? name.slice(1, -1),
  variable,
  value: value ?? '',
  trust: /FolderMay::not_say/.test(rest) ? 'never' : /FolderMay::say\b/.test(rest) ? '' : 'T',
}));
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `--'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
const rowOf = (name) => rows.find((row) => new RegExp(`^\`--${name}\\b(?!-)`).test(row[1]));

test('the table of settings is read whole', () => assert.equal(specs.length, table.match(/SettingSpec\{/g).length));
for (const { name, variable, value, trust } of specs) {
  test(`--${name} has a row with variable, default and trust`, () => {
    const row = rowOf(name);
    assert.ok(row, `docs/reference/settings.md has no row for --${name}`);
    assert.equal(row[2], `\`${variable}\``);
    if (value && value !== 'false')
      assert.ok(row[3].includes(`\`${value}\``), `the default is ${value}, not ${row[3]}`);
    assert.equal(row[4], trust);
  });
}
test('each row is a setting', () => assert.equal(rows.length, specs.length));

test('each metric of the gateway has a row, and each row is a metric', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const sources = listedFiles(root)
    .filter((file) => /^(src|apps)\/.*\.cpp$/.test(file) && !isTest(file))
    .map(read);
  const known = new Set(
    sources.flatMap((text) => [...text.matchAll(/\b(?:gauge|counter)\(\s*"(\w+)"/g)].map((match) => match[1])),
  );
  const listed = new Set(
    [...read('docs/reference/metrics.md').matchAll(/^\| `(\w+)` \| (?:gauge|counter)/gm)].map((match) => match[1]),
  );
  assert.deepEqual([...listed].sort(), [...known].sort());
});

test('each error code has its HTTP status and JSON-RPC number', () => {
  const rows = new Map(
    [...read('docs/reference/errors.md').matchAll(/^\| `(\w+)` \| (\d+) \| (-\d+) \|/gm)].map((match) => [
      match[1],
      [match[2], match[3]],
    ]),
  );
  const [, names] = /enum class Errc \{([\s\S]*?)\};/.exec(read('src/parlance/base/error.h'));
  const http = read('src/parlance/gateway/http_errors.cpp');
  const rpc = read('src/parlance/protocol/jsonrpc/dialect.cpp');
  const codes = [...names.matchAll(/^ {2}(\w+),/gm)].map((match) => match[1]);
  assert.deepEqual([...rows.keys()].sort(), [...codes].sort());
  for (const code of codes) {
    const [status] = [...http.slice(http.indexOf(`case Errc::${code}:`)).matchAll(/return (\d+);/g)].map(
      (match) => match[1],
    );
    const [, number] = new RegExp(`\\{Errc::${code}, (-\\d+)\\}`).exec(rpc);
    assert.deepEqual(rows.get(code), [status, number], code);
  }
});

test('each kind of event has a row, and each row is a kind', () => {
  const listed = [...read('docs/reference/events.md').matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
  const known = [...read('src/parlance/wire_form/event_tables.h').matchAll(/string_view tag = "(\w+)"/g)].map(
    (match) => match[1],
  );
  assert.deepEqual(listed.sort(), known.sort());
});
