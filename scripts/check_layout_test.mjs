// SPDX-License-Identifier: Apache-2.0
// Breaks every rule of check_layout.mjs once in a small repository: a rule without an effect is a fault.
//   node --test scripts/check_layout_test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { faults } from './check_layout.mjs';
import * as houseRules from './layout_rules.mjs';

// The table of a small source folder: nested folders, and folders that share a row.
const rules = {
  house: 'src',
  arrows: {
    base: [],
    wire: ['base'],
    codec: ['base', 'wire'],
    'codec/json': ['base', 'wire', 'codec'],
    transport: ['base'],
    'protocol/*': ['base', 'wire', 'codec', 'protocol/jsonrpc'],
    hub: ['base'],
    'face/common': ['hub'],
    'face/page': ['hub', 'protocol/*', 'face/common'],
    server: ['codec/.'],
    service: ['base', 'wire', 'codec/*', 'transport', 'protocol', 'hub', 'face'],
  },
  testArrows: { hub: ['face'] },
  libraries: [
    { path: /^boost\/beast/, folders: ['transport'], onlyCpp: true },
    { path: /^sqlite3\.h$/, folders: ['codec'] },
    { path: /^gtest[/.]/, folders: [] },
    { path: /^CLI\//, folders: [] },
  ],
  licensed: /^src\/licensed\//,
  forbidden: houseRules.forbidden,
  sharedAppHeaders: [],
  commands: [
    { call: /^parlance$/, files: /^apps\/parlance\//, names: /"([a-z]+)"/g, groups: ['memory'] },
    { call: /^\.\/check$/, files: /^check$/, names: /^ {4}([a-z]+(?: \| [a-z]+)*)\)/gm, every: true },
  ],
  generatedDocuments: /^docs\/protocol\//,
  namedAllTheSame: { 'what others say': ['WatchdogSec'] },
};

const header = '// A thing. Any thread.\n#pragma once\n';

// A repository without faults.
const clean = {
  'src/base/error.h': header,
  'src/base/error.cpp': '#include "base/error.h"\n',
  'src/service/message.h': `${header}#include <string>\n#include "base/error.h"\n#include "wire/type.h"\n`,
  'src/wire/type.h':
    '#pragma once\n\n#include <map>\n\nnamespace parlance {\n\nclass Later;\n\n// What a message is.\nclass Type;\n}\n',
  'src/protocol/jsonrpc/dialect.h': header,
  'src/protocol/mcp/dialect.h': `${header}#include "protocol/jsonrpc/dialect.h"\n`,
  'src/protocol/gorpc/dialect.h': header,
  'src/hub/hub.h': header,
  'src/codec/value.h': header,
  'src/codec/json/parser.h': `${header}#include "codec/value.h"\n`,
  'src/face/common/card.h': `${header}#include "hub/hub.h"\n`,
  'src/face/page/face.h': `${header}#include "face/common/card.h"\n#include "protocol/mcp/dialect.h"\n`,
  'src/transport/http.cpp': '#include <boost/beast/http.hpp>\n',
  'src/service/hub_over_mcp.cpp':
    '#include "hub/hub.h"\n#include "protocol/mcp/dialect.h"\n#include "codec/json/parser.h"\n',
  'src/hub/hub_test.cpp':
    '#include <gtest/gtest.h>\n#include "hub/hub.h"\n#include "tests/support/loop.h"\n#include "face/page/face.h"\n',
  'src/server/rows.h': `${header}#include "codec/value.h"\n`,
  'tests/support/loop.h': header,
  'src/codec/json/CMakeLists.txt':
    'parlance_folder(codec_json DEPENDS base wire codec SYSTEM_DEPENDS simdjson\n  TEST_DEPENDS parlance_hub)\n',
  'tests/vectors/recorded.json': '{"a":\t1}',
  'src/wire/test_types.h': `${header}#include <gtest/gtest.h>\n`,
  'src/wire/type_test.cpp': '#include "wire/test_types.h"\nTEST(Type, IsTold) {}\n',
  'apps/parlance/main.cpp':
    '#include "hub/hub.h"\n#include "commands.h"\n#include <CLI/CLI.hpp>\nadd("memory"); add("why"); add("--state");\n',
  'apps/parlance/commands.h': header,
  check: 'case $1 in\n    unit | peer) ;;\nesac\n',
  'README.md':
    '# A project\n\nSee docs/work/plan.md, /workshop and [the list](docs/decisions/0000-index.md#list). `src/hub/hub.h`, `hub/hub`, `src/protocol/<p>/dialect.h`, `hub.h`, `Type`, `WatchdogSec`, `{"a": 1}`, `--state DIR`, `parlance memory why`, `./check unit -R Type`.\n\n```\n./check unit | peer   says more\nparlance memory why ID\nnode src/wire/type.h\n```\n',
  'CONTRIBUTING.md':
    '| folder | may include |\n|---|---|\n| `base` | |\n| `wire` | base |\n| `codec` | |\n| `codec/json` | |\n| `transport` `protocol/*` | |\n| `hub` | |\n| `face/common` `face/page` | |\n| `service` `server` | |\n| `apps` | |\n',
  'docs/protocol/made.md': '`Nowhere`\n',
  'docs/decisions/0000-index.md': '# List\n\n- [one](0001-one.md)\n',
  'docs/decisions/0001-one.md':
    'See [above](../../README.md) and [elsewhere](https://example.org).\n\n```\n[](const T& code)\n```\n',
};

function faultsWith(changes, house = rules) {
  const root = mkdtempSync(path.join(tmpdir(), 'layout-'));
  try {
    for (const [name, text] of Object.entries({ ...clean, ...changes })) {
      if (text === null) continue;
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    return faults(root, house);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const add = (file, text) => ({ [file]: (clean[file] ?? '') + text });
const slashWork = '/' + 'work';

const seeded = [
  [
    'an arrow that points up',
    add('src/base/error.cpp', '#include "hub/hub.h"\n'),
    /^src\/base\/error\.cpp:2: src\/base may not include src\/hub/,
  ],
  [
    'an arrow that points up, in angle brackets',
    add('src/base/error.cpp', '#  include <hub/hub.h>\n'),
    /src\/base may not include src\/hub/,
  ],
  [
    'a domain folder that sees messages',
    add('src/hub/hub.h', '#include "wire/type.h"\n'),
    /src\/hub may not include src\/wire/,
  ],
  [
    'a file beside the includer, by its bare name',
    add('src/hub/hub.h', '#include "../base/error.h"\n'),
    /without "\.\."/,
  ],
  [
    'a dialect that knows another',
    add('src/protocol/mcp/dialect.h', '#include "protocol/gorpc/dialect.h"\n'),
    /src\/protocol\/mcp may not include src\/protocol\/gorpc/,
  ],
  [
    'the shared envelope that knows a dialect',
    add('src/protocol/jsonrpc/dialect.h', '#include "protocol/mcp/dialect.h"\n'),
    /src\/protocol\/jsonrpc may not include src\/protocol\/mcp/,
  ],
  [
    'a folder that knows one below it',
    add('src/codec/value.h', '#include "codec/json/parser.h"\n'),
    /src\/codec may not include src\/codec\/json/,
  ],
  [
    'a folder that knows one beside it',
    add('src/face/common/card.h', '#include "face/page/face.h"\n'),
    /src\/face\/common may not include src\/face\/page/,
  ],
  [
    'what only the folders below may be included from',
    { 'src/service/codec.cpp': '#include "codec/value.h"\n' },
    /src\/service may not include src\/codec /,
  ],
  [
    'what only the folder itself may be included from',
    add('src/server/rows.h', '#include "codec/json/parser.h"\n'),
    /src\/server may not include src\/codec\/json/,
  ],
  [
    'what only tests may include',
    add('src/hub/hub.h', '#include "face/page/face.h"\n'),
    /src\/hub may not include src\/face\/page/,
  ],
  [
    "a test that includes what its folder's tests may not",
    { 'src/wire/more_test.cpp': '#include "hub/hub.h"\n' },
    /src\/wire may not include src\/hub/,
  ],
  [
    'a link that points up',
    { 'src/wire/CMakeLists.txt': '# hub\nparlance_folder(wire DEPENDS base hub)\n' },
    /^src\/wire\/CMakeLists\.txt:1: wire may not link hub; it may include: base/,
  ],
  ['an include of nothing', add('src/hub/hub.h', '#include "base/errors.h"\n'), /does not exist/],
  [
    'product code that includes a test',
    add('src/hub/hub.h', '#include "tests/support/loop.h"\n'),
    /only tests include tests/,
  ],
  [
    'product code that includes what tests share',
    add('src/wire/type.h', '#include "wire/test_types.h"\n'),
    /only tests include tests/,
  ],
  [
    'a library in the wrong folder',
    add('src/hub/hub.h', '#include <sqlite3.h>\n'),
    /<sqlite3\.h> belongs in src\/codec, not in src\/hub/,
  ],
  [
    'a heavy library in a header',
    { 'src/transport/http.h': `${header}#include <boost/beast/http.hpp>\n` },
    /in a header/,
  ],
  [
    'a test library in product code',
    add('src/base/error.cpp', '#include <gtest/gtest.h>\n'),
    /belongs in tests and apps/,
  ],
  [
    'a program that includes another',
    { 'apps/other/main.cpp': '#include "apps/parlance/commands.h"\n' },
    /not for others to include/,
  ],
  ['a folder that no table knows', { 'src/misc/thing.h': header }, /src\/misc is not in the table/],
  ['a name in another case', { 'src/base/ErrorCode.h': header }, /snake_case, not ErrorCode\.h/],
  [
    'a header without a word',
    { 'src/base/silent.h': '#pragma once\n\n#include <string>\n\nnamespace parlance {\nstruct Silent {};\n}\n' },
    /begins with a comment/,
  ],
  ['a header without a guard', { 'src/base/bare.h': '// Something.\nstruct Bare {};\n' }, /no #pragma once/],
  ['a tab', add('src/base/error.cpp', '\tint x;\n'), /a tab/],
  ['a source without a licence', { 'src/licensed/thing.mjs': 'f();\n' }, /names no licence/],
  ['a carriage return', add('src/base/error.cpp', 'int x;\r\n'), /a carriage return/],
  ['a last line without an end', add('README.md', 'the end'), /no line end/],
  ['the path of a machine', add('README.md', `See ${slashWork}/main/plan.md\n`), /a path of one machine/],
  [
    'a registry in a lock file',
    { 'package-lock.json': '{ "resolved": "http' + 's://example.org/x.tgz" }\n' },
    /a registry address/,
  ],
  ['a link to nothing', add('README.md', '[docs](docs/missing.md)\n'), /^README\.md:10: a link to docs\/missing\.md/],
  [
    'a link to a missing heading',
    add('README.md', '[docs](README.md#no-such-part)\n'),
    /^README\.md:10: a link to #no-such-part, a heading that README\.md does not have/,
  ],
  ['a decision that the index does not list', { 'docs/decisions/0002-two.md': 'Two.\n' }, /not in the list/],
  ['two decisions with one number', { 'docs/decisions/0001-two.md': 'Two.\n' }, /another decision has this number/],
  [
    'a path that is not there',
    add('README.md', '`src/base/gone.h`\n'),
    /^README\.md:10: `src\/base\/gone\.h`: src\/base\/gone\.h does not exist/,
  ],
  ['a path in the house that is not there', add('README.md', 'See `hub/gone`.\n'), /src\/hub\/gone does not exist/],
  ['a pattern that fits nothing', add('README.md', '`src/protocol/<p>/messages.h`\n'), /messages\.h does not exist/],
  ['the name of no file', add('README.md', '`gone.cpp`\n'), /there is no gone\.cpp/],
  ['a word of no source', add('README.md', '`Type::goes_away()`\n'), /goes_away is nowhere/],
  ['a flag of no program', add('README.md', '`--gone FILE`\n'), /no source knows --gone/],
  ['a command that is not there', add('README.md', '`parlance vanish`\n'), /parlance knows no "vanish"/],
  [
    'a command of a group that is not there',
    add('README.md', '```sh\nA=b parlance memory vanish\n```\n'),
    /parlance knows no "vanish"/,
  ],
  ['a flag of a command that is not there', add('README.md', '`parlance memory --gone`\n'), /parlance knows no --gone/],
  [
    'a label that is not there',
    add('README.md', '```\n./check unit | golden   both\n```\n'),
    /\.\/check knows no "golden"/,
  ],
  ['a test that is not there', add('README.md', '`./check unit -R Vanished`\n'), /no test is called Vanished/],
  [
    'a block that calls a file that is not there',
    add('README.md', '```\nnode scripts/../src/gone.mjs\n./src/gone.sh\n```\n'),
    /gone\.sh does not exist/,
  ],
  ['an exception that is not needed', { 'README.md': '# Nothing\n' }, /no document names `WatchdogSec`/],
  [
    'a table for people without a row',
    { 'CONTRIBUTING.md': clean['CONTRIBUTING.md'].replace('| `hub` | |\n', '') },
    /^CONTRIBUTING\.md:1: the table has no row for hub/,
  ],
  [
    'a table for people with a row too many',
    { 'CONTRIBUTING.md': clean['CONTRIBUTING.md'].replace('`apps`', '`record`') },
    /^CONTRIBUTING\.md:11: scripts\/layout_rules\.mjs has no row for record/,
  ],
  ['a merge conflict', add('README.md', '<<<<' + '<<< HEAD\n'), /a merge conflict/],
];

test('a clean repository has no faults', () => assert.deepEqual(faultsWith({}), []));
test('excused names of other projects may appear', () =>
  assert.deepEqual(faultsWith(add('docs/decisions/0001-one.md', '`WatchdogSec`\n')), []));

// Tables with faults of their own.
const tables = [
  ['a row without a folder', { record: [] }, /there is no folder src\/record/],
  ['an entry that is no row', { base: ['nowhere'] }, /"nowhere" is in no row/],
  ['a row of tests without a folder', {}, /there is no folder src\/gone/, { gone: ['hub'] }],
  ['arrows in a circle', { base: ['hub'] }, /arrows in a circle: base hub/],
];
for (const [what, rows, expected, ofTests] of tables) {
  test(`caught: ${what}`, () => {
    const found = faultsWith(
      { 'CONTRIBUTING.md': null },
      { ...rules, arrows: { ...rules.arrows, ...rows }, testArrows: { ...rules.testArrows, ...ofTests } },
    );
    assert.ok(found.length === 1 && expected.test(found[0]), found.join('\n'));
  });
}

// The same source folder a level deeper, as "parlance/hub/hub.h".
test('the source folder may have another place', () => {
  const deeper = Object.fromEntries(
    Object.entries(clean).map(([name, text]) => [
      name.replace(/^src\//, 'src/parlance/'),
      text.replace(/"(?=(base|wire|codec|protocol|hub|face)\/)/g, '"parlance/').replace(/src\//g, 'src/parlance/'),
    ]),
  );
  const house = { ...rules, house: 'src/parlance' };
  const nothing = Object.fromEntries(
    Object.keys(clean)
      .filter((name) => name.startsWith('src/'))
      .map((name) => [name, null]),
  );
  assert.deepEqual(faultsWith({ ...nothing, ...deeper }, house), []);
  const broken = { ...deeper, 'src/parlance/base/error.cpp': '#include "parlance/hub/hub.h"\n' };
  assert.deepEqual(
    faultsWith({ ...nothing, ...broken }, house).map((line) => line.split(' (')[0]),
    ['src/parlance/base/error.cpp:1: src/parlance/base may not include src/parlance/hub'],
  );
});
for (const [what, changes, expected] of seeded) {
  test(`caught: ${what}`, () => {
    const found = faultsWith(changes);
    assert.ok(
      found.some((line) => expected.test(line)),
      `expected ${expected} in:\n${found.join('\n')}`,
    );
    assert.ok(found.length <= 2, `one fault draws one complaint, not:\n${found.join('\n')}`);
  });
}
