// SPDX-License-Identifier: Apache-2.0
// The version of CMakeLists.txt is the version of the packages and of the names in documents.
//   node --test scripts/version_test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const [, version] = /project\(parlance VERSION (\d+\.\d+\.\d+)/.exec(read('CMakeLists.txt'));
const minor = version.replace(/\.\d+$/, '');

for (const name of ['apps/web/package.json', 'apps/vscode-extension/package.json']) {
  test(`${name} has the version ${version}`, () => assert.equal(JSON.parse(read(name)).version, version));
}
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
for (const name of ['docs/howto/use_as_a_library.md', 'examples/CMakeLists.txt']) {
  test(`${name} requests the minor version`, () => {
    const requested = [...read(name).matchAll(/find_package\(parlance ([\d.]+)/g)].map((match) => match[1]);
    assert.deepEqual([...new Set(requested)], [minor]);
  });
}
