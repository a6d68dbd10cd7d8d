// SPDX-License-Identifier: Apache-2.0
// The version of CMakeLists.txt is the version of the packages and of the names in documents.
//   node --test scripts/version_test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const [, version] = /project\(parlance VERSION (\d+\.\d+\.\d+)/.exec(read('CMakeLists.txt'));
const minor = version.replace(/\.\d+$/, '');

for (const folder of ['apps/web', 'apps/vscode-extension']) {
  test(`${folder} has the version ${version}`, () => {
    const lock = JSON.parse(read(`${folder}/package-lock.json`));
    const versions = [JSON.parse(read(`${folder}/package.json`)).version, lock.version, lock.packages[''].version];
    assert.deepEqual([...new Set(versions)], [version]);
  });
}
test('the newest heading of CHANGELOG.md is the version with its date, below "Unreleased"', () => {
  const headings = read('CHANGELOG.md').match(/^## .*$/gm);
  assert.equal(headings[0], '## [Unreleased]');
  assert.match(headings[1], new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`));
});
for (const name of ['parlance', 'sqlite-helper'])
  test(`the man page of ${name} names the version`, () =>
    assert.ok(read(`docs/man/${name}.1`).includes(`"parlance ${version}"`)));
test('docs/howto/vscode.md names the VSIX of this version', () => {
  const named = [...read('docs/howto/vscode.md').matchAll(/parlance-linux-x64-([\d.]+)\.vsix/g)].map(
    (match) => match[1],
  );
  assert.deepEqual([...new Set(named)], [version]);
});
test('docs/howto/install.md names the packages of this version', () => {
  const named = [...read('docs/howto/install.md').matchAll(/parlance[-_](\d+\.\d+\.\d+)/g)].map((match) => match[1]);
  assert.deepEqual([...new Set(named)], [version]);
});
for (const name of [
  'docs/howto/use_as_a_library.md',
  'examples/CMakeLists.txt',
  'tests/package/alone/CMakeLists.txt',
]) {
  // Version 9.9 never exists, as tests/package/alone checks.
  test(`${name} requests the minor version`, () => {
    const requested = [...read(name).matchAll(/find_package\(parlance (?!9\.9)([\d.]+)/g)].map((match) => match[1]);
    assert.deepEqual([...new Set(requested)], [minor]);
  });
}
