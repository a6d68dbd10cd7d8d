// Compares docs/reference/settings.md with the table of settings: each setting has a row with its variable, default and need for trust.
//   node --test scripts/settings_doc_test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const table = read('apps/parlance/config/setting_table.cpp');
const page = read('docs/reference/settings.md');

const names = { databases_setting: 'databases' };
const specs = [...table.matchAll(/SettingSpec\{\s*("[a-z-]+"|databases_setting),\s*"(PARLANCE_\w+)",\s*(?:\{\}|\w+),\s*(?:"([^"]*)"|[\w:]+),([\s\S]*?)\}(?:,\s*(?=SettingSpec|\};)|\s*\};)/g)].map(
  ([, name, variable, value, rest]) => ({ name: names[name] ?? name.slice(1, -1), variable, value: value ?? '', trust: /FolderMay::not_say/.test(rest) ? 'never' : /FolderMay::say\b/.test(rest) ? '' : 'T' }),
);
const rows = page.split('\n').filter((line) => line.startsWith('| `--')).map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
const row_of = (name) => rows.find((row) => new RegExp(`^\`--${name}\\b(?!-)`).test(row[1]));

test('the table of settings is read whole', () => assert.equal(specs.length, table.match(/SettingSpec\{/g).length));
for (const { name, variable, value, trust } of specs) {
  test(`--${name} has a row with variable, default and trust`, () => {
    const row = row_of(name);
    assert.ok(row, `docs/reference/settings.md has no row for --${name}`);
    assert.equal(row[2], `\`${variable}\``);
    if (value && value !== 'false') assert.ok(row[3].includes(`\`${value}\``), `the default is ${value}, not ${row[3]}`);
    assert.equal(row[4], trust);
  });
}
test('each row is a setting', () => assert.equal(rows.length, specs.length));
