// SPDX-License-Identifier: Apache-2.0
// Reads functions of scripts, and breaks every figure once in a small repository.
//   node --test scripts/figures_test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { faults, measured, quantile, shrunk } from './figures.mjs';
import { circles } from './tree.mjs';
import { tsFunctions } from './ts_functions.mjs';

const told = (functions) => functions.map((each) => `${each.name} ${each.line} ${each.lines}`);
const ts = (...lines) => told(tsFunctions(lines.join('\n')));

const scripts = [
  [
    'functions and constants',
    [
      'export async function f(',
      '  a,',
      ') {',
      '  g();',
      '}',
      'const h = (a) => a;',
      'const i = (a) =>',
      '  a + 1;',
      'const j = 3;',
    ],
    ['f 1 5', 'h 6 1', 'i 7 2'],
  ],
  [
    'members of a class',
    [
      'class A {',
      '  #a = 1;',
      '  constructor(a) {',
      '    this.a = a;',
      '  }',
      '  private async b(): Promise<void> {',
      '    if (a) {',
      '    }',
      '  }',
      '}',
    ],
    ['constructor 3 3', 'b 6 4'],
  ],
  ['tests in a group', ["describe('a', () => {", "  it('b', () => {", '    f();', '  });', '});'], ['it 2 3']],
  [
    'functions in others count with the outer one',
    ['function f() {', '  const g = () => {', '    h();', '  };', '}'],
    ['f 1 5'],
  ],
];
for (const [what, lines, expected] of scripts)
  test(`TypeScript: ${what}`, () => assert.deepEqual(ts(...lines), expected));

test('quantiles', () =>
  assert.deepEqual([quantile([3, 1, 2], 0.5), quantile([1, 2, 3, 4], 0.99), quantile([], 0.5)], [2, 4, 0]));
test('circles', () =>
  assert.deepEqual(
    circles(
      new Map([
        ['a', ['b']],
        ['b', ['c', 'd']],
        ['c', ['a']],
        ['d', ['d']],
      ]),
    ),
    [['a', 'b', 'c']],
  ));

const functionOf = (lines) => `int f() {\n${'  g();\n'.repeat(lines - 2)}}\n`;
const clean = {
  'src/hub/a.h': 'int f();\n',
  'src/hub/a.cpp': '#include "hub/a.h"\nint f() { return 1; }\n',
  'src/hub/a_test.cpp': '#include "hub/a.h"\n'.repeat(5),
  'bench/long.cpp': 'int x;\n'.repeat(99),
};

function inTree(changes, look) {
  const root = mkdtempSync(path.join(tmpdir(), 'figures-'));
  try {
    for (const [name, text] of Object.entries({ ...clean, ...changes })) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    return look(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
const testsOf = (lines) => ({ 'tests/much_test.cpp': 'int x;\n'.repeat(lines) });
const many = (count, name) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/hub/${name(n)}`, 'int x;\n']));

const seeded = [
  [
    'a long file',
    { 'src/hub/b.cpp': 'int x;\n'.repeat(401), ...testsOf(400) },
    ['file src/hub/b.cpp: 401, the limit is 400'],
  ],
  ['a long function', { 'src/hub/b_test.cpp': functionOf(61) }, ['function src/hub/b_test.cpp:f: 61, the limit is 60']],
  [
    'functions that are long as a rule',
    { 'src/hub/b.cpp': functionOf(6) + functionOf(6), ...testsOf(20) },
    ['median-function: 6, the limit is 5'],
  ],
  [
    'a function in a hundred',
    { 'src/hub/b.cpp': functionOf(41) + 'int h() { return 1; }\n'.repeat(3), ...testsOf(60) },
    ['p99-function: 41, the limit is 40'],
  ],
  [
    'files that are long as a rule',
    Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`tests/f${n}_test.cpp`, 'int x;\n'.repeat(121)])),
    ['median-file: 121, the limit is 120'],
  ],
  ['too few tests', { 'src/hub/b.cpp': 'int x;\n'.repeat(30) }, ['test-share: 13.1, the limit is 40']],
  ['a full folder', { ...many(25, (n) => `b${n}.h`), ...testsOf(100) }, ['folder src/hub: 26, the limit is 25']],
  [
    'a class with too many methods',
    {
      'src/hub/b.h': `class B {\n${Array.from({ length: 41 }, (_, n) => `  void f${n}();\n`).join('')}};\n`,
      ...testsOf(50),
    },
    ['methods src/hub/b.h:B: 41, the limit is 40'],
  ],
  [
    'a struct with too many bools',
    { 'src/hub/b.h': 'struct B {\n  bool a;\n  bool b;\n  bool c;\n  bool d;\n  bool e;\n};\n', ...testsOf(20) },
    ['booleans src/hub/b.h:B: 5, the limit is 4'],
  ],
  [
    'a class with bodies in many files',
    {
      ...Object.fromEntries(
        Array.from({ length: 4 }, (_, n) => [`src/hub/b${n}.cpp`, `void B::f${n}() { hub::g(); }\n`]),
      ),
      ...testsOf(20),
    },
    ['bodies src/hub:B: 4, the limit is 3'],
  ],
  [
    'a central header that reaches many files',
    {
      'src/parlance/hub/conversation/event.h': 'int x;\n',
      'src/parlance/hub/agent/agent.h': '#include "parlance/hub/conversation/event.h"\n',
      ...Object.fromEntries(
        Array.from({ length: 151 }, (_, n) => [`src/f${n}/a.cpp`, '#include "parlance/hub/agent/agent.h"\n']),
      ),
      'src/f0/b.cpp': 'int x;\n',
      'tests/c_test.cpp': '#include "parlance/hub/agent/agent.h"\n',
      ...testsOf(200),
    },
    ['reach src/parlance/hub/conversation/event.h: 151, the limit is 150'],
  ],
  [
    'headers in a circle',
    { 'src/hub/b.h': '#include "hub/c.h"\n', 'src/hub/c.h': '#include "hub/b.h"\n' },
    ['circle src/hub/b src/hub/c: 2, the limit is none'],
  ],
  [
    'a circle through a .cpp',
    { 'src/hub/b.h': '#include "hub/a.h"\n', 'src/hub/a.cpp': '#include "hub/b.h"\n' },
    ['circle src/hub/a src/hub/b: 2, the limit is none'],
  ],
  [
    'modules in a circle',
    { 'apps/web/b.ts': "import { c } from './c';\n", 'apps/web/c.tsx': "import {\n  b,\n} from './b.ts';\n" },
    ['circle apps/web/b apps/web/c: 2, the limit is none'],
  ],
  [
    'an open figure that got worse',
    { 'src/hub/b_test.cpp': functionOf(63), 'scripts/figures_open.txt': 'function src/hub/b_test.cpp:f  62\n' },
    ['function src/hub/b_test.cpp:f: 63, worse than the 62 of scripts/figures_open.txt'],
  ],
  [
    'fewer tests than is known',
    { 'src/hub/b.cpp': 'int x;\n'.repeat(30), 'scripts/figures_open.txt': '# why\ntest-share  20.5\n' },
    ['test-share: 13.1, worse than the 20.5 of scripts/figures_open.txt'],
  ],
  [
    'an open figure that is good',
    { 'scripts/figures_open.txt': 'file src/hub/a.cpp  420\n' },
    ['scripts/figures_open.txt: "file src/hub/a.cpp" is good now, or gone: take it off the list'],
  ],
  [
    'a table without a reason',
    { 'src/hub/b_test.cpp': functionOf(63), 'scripts/long_tables.txt': 'src/hub/b_test.cpp:f \n' },
    ['scripts/long_tables.txt: src/hub/b_test.cpp:f has no reason'],
  ],
  [
    'a table that is short',
    { 'scripts/long_tables.txt': 'src/hub/a.cpp:f  words\n' },
    ['scripts/long_tables.txt: src/hub/a.cpp:f is not longer than 60 lines, or gone: take it off the list'],
  ],
];

test('a tree within the limits has no faults', () => assert.deepEqual(inTree({}, faults), []));
test('an improved open figure passes', () =>
  assert.deepEqual(
    inTree(
      { 'src/hub/b_test.cpp': functionOf(61), 'scripts/figures_open.txt': 'function src/hub/b_test.cpp:f  80\n' },
      faults,
    ),
    [],
  ));
test('a table with a reason may be long', () =>
  assert.deepEqual(
    inTree(
      {
        'src/hub/b_test.cpp': functionOf(61),
        'scripts/long_tables.txt': 'src/hub/b_test.cpp:f  words, a line each\n',
      },
      faults,
    ),
    [],
  ));
test('the list of open figures shrinks', () => {
  const open =
    '# why\nfile src/hub/a.cpp  420\nfunction src/hub/b_test.cpp:f  80\nfunction src/hub/b_test.cpp:g  61\ntest-share  19\n';
  const tree = {
    'src/hub/b_test.cpp': functionOf(61) + functionOf(62).replace('f', 'g'),
    'src/hub/c.cpp': 'int x;\n'.repeat(500),
    'scripts/figures_open.txt': open,
  };
  assert.equal(
    inTree(tree, (root) => shrunk(root)),
    '# why\nfunction src/hub/b_test.cpp:f  61\nfunction src/hub/b_test.cpp:g  61\ntest-share  20\n',
  );
});
test('generated files are not measured', () =>
  assert.deepEqual(
    inTree({ 'apps/web/b.ts': '// Printed by a program; do not edit by hand.\n' + 'let x;\n'.repeat(500) }, faults),
    [],
  ));
test('tests and their shared files do not count for folders', () =>
  assert.equal(
    inTree(
      { ...many(30, (n) => `b${n}_test.cpp`), 'src/hub/test_things.h': '', 'src/hub/b_test_support.h': '' },
      measured,
    ).folder.find((each) => each.name === 'src/hub').value,
    1,
  ));
for (const [what, changes, expected] of seeded)
  test(`caught: ${what}`, () => assert.deepEqual(inTree(changes, faults), expected));
