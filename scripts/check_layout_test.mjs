// Every rule of check_layout.mjs is broken once, on purpose, in a small repository of its own: a rule that catches nothing
// is no rule.   node --test scripts/check_layout_test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { faults } from './check_layout.mjs';

const header = '// A thing. Any thread.\n#pragma once\n';

// A repository in which nothing is wrong.
const clean = {
  'src/base/error.h': header,
  'src/base/error.cpp': '#include "base/error.h"\n',
  'src/peer/message.h': `${header}#include <string>\n#include "base/error.h"\n#include "wire/type.h"\n`,
  'src/wire/type.h': '#pragma once\n\n#include <map>\n\nnamespace parlance {\n\nclass Later;\n\n// What a message is.\nclass Type;\n}\n',
  'src/protocol/jsonrpc/dialect.h': header,
  'src/protocol/mcp/dialect.h': `${header}#include "protocol/jsonrpc/dialect.h"\n`,
  'src/protocol/gorpc/dialect.h': header,
  'src/hub/hub.h': header,
  'src/transport/http.cpp': '#include <boost/beast/http.hpp>\n',
  'src/service/hub_over_mcp.cpp': '#include "hub/hub.h"\n#include "protocol/mcp/dialect.h"\n',
  'src/hub/hub_test.cpp': '#include <gtest/gtest.h>\n#include "hub/hub.h"\n#include "tests/support/loop.h"\n',
  'tests/support/loop.h': header,
  'tests/vectors/recorded.json': '{"a":\t1}',
  'src/wire/test_types.h': `${header}#include <gtest/gtest.h>\n`,
  'src/wire/type_test.cpp': '#include "wire/test_types.h"\n',
  'apps/parlance/main.cpp': '#include "hub/hub.h"\n#include "commands.h"\n#include <CLI/CLI.hpp>\n',
  'apps/parlance/commands.h': header,
  'README.md': '# A project\n\nSee docs/work/plan.md, /workshop and [the list](docs/decisions/0000-index.md#list).\n',
  'docs/decisions/0000-index.md': '- [one](0001-one.md)\n',
  'docs/decisions/0001-one.md': 'See [above](../../README.md) and [elsewhere](https://example.org).\n\n```\n[](const T& code)\n```\n',
};

function faults_with(changes) {
  const root = mkdtempSync(path.join(tmpdir(), 'layout-'));
  try {
    for (const [name, text] of Object.entries({ ...clean, ...changes })) {
      if (text === null) continue;
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    return faults(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const add = (file, text) => ({ [file]: (clean[file] ?? '') + text });
const slash_work = '/' + 'work';

const seeded = [
  ['an arrow that points up', add('src/base/error.cpp', '#include "hub/hub.h"\n'), /^src\/base\/error\.cpp:2: src\/base may not include src\/hub/],
  ['an arrow that points up, in angle brackets', add('src/base/error.cpp', '#  include <hub/hub.h>\n'), /src\/base may not include src\/hub/],
  ['a domain folder that sees messages', add('src/hub/hub.h', '#include "wire/type.h"\n'), /src\/hub may not include src\/wire/],
  ['a file beside the includer, by its bare name', add('src/hub/hub.h', '#include "../base/error.h"\n'), /without "\.\."/],
  ['a dialect that knows another', add('src/protocol/mcp/dialect.h', '#include "protocol/gorpc/dialect.h"\n'), /no dialect knows another/],
  ['the shared envelope that knows a dialect', add('src/protocol/jsonrpc/dialect.h', '#include "protocol/mcp/dialect.h"\n'), /no dialect knows another/],
  ['an include of nothing', add('src/hub/hub.h', '#include "base/errors.h"\n'), /does not exist/],
  ['product code that includes a test', add('src/hub/hub.h', '#include "tests/support/loop.h"\n'), /only tests include tests/],
  ['product code that includes what tests share', add('src/wire/type.h', '#include "wire/test_types.h"\n'), /only tests include tests/],
  ['a library in the wrong folder', add('src/hub/hub.h', '#include <sqlite3.h>\n'), /<sqlite3\.h> belongs in src\/sqlite, not in src\/hub/],
  ['a heavy library in a header', { 'src/transport/http.h': `${header}#include <boost/beast/http.hpp>\n` }, /in a header/],
  ['a test library in product code', add('src/base/error.cpp', '#include <gtest/gtest.h>\n'), /belongs in tests and apps/],
  ['a program that includes another', { 'apps/other/main.cpp': '#include "apps/parlance/commands.h"\n' }, /not for others to include/],
  ['a folder that no table knows', { 'src/misc/thing.h': header }, /src\/misc is not in the table/],
  ['a name in another case', { 'src/base/ErrorCode.h': header }, /snake_case, not ErrorCode\.h/],
  ['a header without a word', { 'src/base/silent.h': '#pragma once\n\n#include <string>\n\nnamespace parlance {\nstruct Silent {};\n}\n' }, /begins with a comment/],
  ['a header without a guard', { 'src/base/bare.h': '// Something.\nstruct Bare {};\n' }, /no #pragma once/],
  ['a long file', { 'src/base/long.cpp': 'int x;\n'.repeat(501) }, /^src\/base\/long\.cpp:501: 501 lines/],
  ['an excuse without a reason', { 'src/base/long.cpp': 'int x;\n'.repeat(501), 'scripts/long_files.txt': 'src/base/long.cpp\n' }, /has no reason/],
  ['an excuse for a short file', { 'scripts/long_files.txt': 'src/base/error.cpp  used to be long\n' }, /short again/],
  ['an excuse for a file that is gone', { 'scripts/long_files.txt': 'src/base/gone.cpp  was long\n' }, /does not exist any more/],
  ['a tab', add('src/base/error.cpp', '\tint x;\n'), /a tab/],
  ['a carriage return', add('src/base/error.cpp', 'int x;\r\n'), /a carriage return/],
  ['a last line without an end', add('README.md', 'the end'), /no line end/],
  ['the path of a machine', add('README.md', `See ${slash_work}/main/plan.md\n`), /a path of one machine/],
  ['a registry in a lock file', { 'package-lock.json': '{ "resolved": "http' + 's://example.org/x.tgz" }\n' }, /a registry address/],
  ['a link to nothing', add('README.md', '[docs](docs/missing.md)\n'), /^README\.md:4: a link to docs\/missing\.md/],
  ['a decision that the index does not list', { 'docs/decisions/0002-two.md': 'Two.\n' }, /not in the list/],
  ['two decisions with one number', { 'docs/decisions/0001-two.md': 'Two.\n' }, /another decision has this number/],
  ['a merge conflict', add('README.md', '<<<<' + '<<< HEAD\n'), /a merge conflict/],
];

test('a clean repository has no faults', () => assert.deepEqual(faults_with({}), []));
test('a long file with a reason passes', () =>
  assert.deepEqual(faults_with({ 'src/base/long.cpp': 'int x;\n'.repeat(501), 'scripts/long_files.txt': '# why\nsrc/base/long.cpp  one table\n' }), []));
for (const [what, changes, expected] of seeded) {
  test(`caught: ${what}`, () => {
    const found = faults_with(changes);
    assert.ok(found.some((line) => expected.test(line)), `expected ${expected} in:\n${found.join('\n')}`);
    assert.ok(found.length <= 2, `one fault draws one complaint, not:\n${found.join('\n')}`);
  });
}
