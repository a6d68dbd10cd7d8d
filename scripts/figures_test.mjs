// SPDX-License-Identifier: Apache-2.0
// Reads functions of sources that are hard to read, and breaks every figure once in a small repository.
//   node --test scripts/figures_test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { cpp_functions } from './cpp_functions.mjs';
import { faults, measured, quantile, shrunk } from './figures.mjs';
import { circles } from './tree.mjs';
import { ts_functions } from './ts_functions.mjs';

const told = (functions) => functions.map((each) => `${each.name} ${each.line} ${each.lines}`);
const cpp = (...lines) => told(cpp_functions(lines.join('\n')));
const ts = (...lines) => told(ts_functions(lines.join('\n')));

const sources = [
  ['a function of one line', ['int one() { return 1; }'], ['one 1 1']],
  ['a declaration over two lines counts', ['int', 'two(int a) {', '  return a;', '}'], ['two 1 4']],
  [
    'a prototype, a default and a deleted one are none',
    ['int f(int);', 'struct A { A() = default; A(A&) = delete; };'],
    [],
  ],
  [
    'braces in comments, strings and characters',
    ['void f() {', '  // }', '  /* } */', `  g("}", '}', '\\'', "\\"}");`, '}'],
    ['f 1 5'],
  ],
  ['raw strings', ['constexpr auto text = R"sh(', 'f() {', ')" }', ')sh";', 'int g() { return 1; }'], ['g 5 1']],
  [
    'digit separators are no characters',
    ["int f() { return 1'000'000; }", 'int g() { return 1; }'],
    ['f 1 1', 'g 2 1'],
  ],
  [
    'directives with braces',
    ['#define OPEN {', '#define BOTH(x) \\', '  { x', 'int f() {', '#if A', '  a();', '#endif', '}'],
    ['f 4 5'],
  ],
  ['lambdas count with the outer one', ['void f() {', '  g([] {', '    h();', '  });', '}'], ['f 1 5']],
  [
    'a lambda that is a value is a function',
    ['constexpr auto f = [](int a) -> std::pair<int, int> {', '  return {a, a};', '};'],
    ['lambda 1 3'],
  ],
  [
    'lambdas in a table',
    ['const Entry table[] = {', '    {"a", [](X& x) { x.a(); }},', '    {"b", [n = 3](X& x) mutable { x.b(n); }}};'],
    ['lambda 2 1', 'lambda 3 1'],
  ],
  ['subscripts are no lambdas', ['int a = b[c[0]];', 'int d[] = {b[0], (b)[1]};', 'int f() { return 1; }'], ['f 3 1']],
  [
    'templates',
    ['template <typename T, int n = (1 > 0)>', 'std::vector<T> f(std::array<T, n> a) {', '  return {};', '}'],
    ['f 2 3'],
  ],
  [
    'constructors with initialisers',
    ['struct A : B {', '  A() : B{1}, c_(2), d_{[] { return 3; }()} {', '    f();', '  }', '};'],
    ['lambda 2 1', 'A::A 2 3'],
  ],
  [
    'initialisers of packs',
    ['template <class... T>', 'struct A : T... {', '  A(T... t) : T(t)... { f(); }', '};'],
    ['A::A 3 1'],
  ],
  [
    'destructors and members elsewhere',
    ['A::~A() { f(); }', 'int B::c<int>::d() const noexcept { return 1; }'],
    ['A::~A 1 1', 'd 2 1'],
  ],
  [
    'operators',
    [
      'bool operator==(A, A) { return 1; }',
      'struct B {',
      '  int operator()(int) const { return 1; }',
      '  B& operator[](int) { return *this; }',
      '  operator char*() { return 0; }',
      '};',
      'void* operator new[](size_t n) { return 0; }',
      'S operator""_s(const char*) { return {}; }',
      'std::ostream& operator<<(std::ostream& o, B) { return o; }',
    ],
    [
      'operator== 1 1',
      'B::operator() 3 1',
      'B::operator[] 4 1',
      'B::operator 5 1',
      'operatornew[] 7 1',
      'operator 8 1',
      'operator<< 9 1',
    ],
  ],
  [
    'concepts and constraints',
    [
      'template <class T>',
      'concept C = requires(T t) {',
      '  { t.f() } -> std::same_as<int>;',
      '};',
      'template <class T>',
      '  requires C<T> && (sizeof(T) < 4)',
      'int f(T) {',
      '  return 1;',
      '}',
      'template <class T> requires requires(T t) { t.g(); }',
      'int g(T) { return 1; }',
      'template <class T>',
      'int h(T) requires(!C<T>) { return 1; }',
    ],
    ['f 7 3', 'g 11 1', 'h 13 1'],
  ],
  [
    'trailing types and attributes',
    ['[[nodiscard]] auto f() noexcept(noexcept(g())) -> Result<int> { return 1; }'],
    ['f 1 1'],
  ],
  [
    'values with braces are none',
    [
      'int a{3};',
      'std::map<int, int> b{{1, 2}};',
      'std::function<int(int)> c{d};',
      'struct E { int a{}; std::vector<int> b = {1}; };',
      'enum class F : int { a, b };',
    ],
    [],
  ],
  [
    'returned types with a class key',
    ['struct A f() { return {}; }', 'struct alignas(8) B final : C<D> { int g() { return 1; } };'],
    ['f 1 1', 'B::g 2 1'],
  ],
  [
    'local classes count with the outer function',
    ['int f() {', '  struct A { int g() { return 1; } };', '  return 1;', '}'],
    ['f 1 4'],
  ],
  [
    'what is in linkage blocks and access sections',
    [
      'extern "C" {',
      'int f() { return 1; }',
      '}',
      'extern "C" int g() { return 1; }',
      'class A {',
      ' public:',
      '  int h() { return 1; }',
      '};',
    ],
    ['f 2 1', 'g 4 1', 'A::h 7 1'],
  ],
  ['tests by their names', ['TEST(Suite, DoesThis) {', '  f();', '}'], ['Suite.DoesThis 1 3']],
  ['a default argument with braces', ['int f(A a = {}, B b = B{1}) { return 1; }'], ['f 1 1']],
];
for (const [what, lines, expected] of sources) test(`C++: ${what}`, () => assert.deepEqual(cpp(...lines), expected));

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

const function_of = (lines) => `int f() {\n${'  g();\n'.repeat(lines - 2)}}\n`;
const clean = {
  'src/hub/a.h': 'int f();\n',
  'src/hub/a.cpp': '#include "hub/a.h"\nint f() { return 1; }\n',
  'src/hub/a_test.cpp': '#include "hub/a.h"\n'.repeat(5),
  'bench/long.cpp': 'int x;\n'.repeat(99),
};

function in_tree(changes, look) {
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
const tests_of = (lines) => ({ 'tests/much_test.cpp': 'int x;\n'.repeat(lines) });
const many = (count, name) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/hub/${name(n)}`, 'int x;\n']));

const seeded = [
  [
    'a long file',
    { 'src/hub/b.cpp': 'int x;\n'.repeat(401), ...tests_of(400) },
    ['file src/hub/b.cpp: 401, the limit is 400'],
  ],
  [
    'a long function',
    { 'src/hub/b_test.cpp': function_of(61) },
    ['function src/hub/b_test.cpp:f: 61, the limit is 60'],
  ],
  [
    'functions that are long as a rule',
    { 'src/hub/b.cpp': function_of(6) + function_of(6), ...tests_of(20) },
    ['median-function: 6, the limit is 5'],
  ],
  [
    'a function in a hundred',
    { 'src/hub/b.cpp': function_of(41) + 'int h() { return 1; }\n'.repeat(3), ...tests_of(60) },
    ['p99-function: 41, the limit is 40'],
  ],
  [
    'files that are long as a rule',
    Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`tests/f${n}_test.cpp`, 'int x;\n'.repeat(121)])),
    ['median-file: 121, the limit is 120'],
  ],
  ['too few tests', { 'src/hub/b.cpp': 'int x;\n'.repeat(30) }, ['test-share: 13.1, the limit is 40']],
  ['a full folder', { ...many(25, (n) => `b${n}.h`), ...tests_of(100) }, ['folder src/hub: 26, the limit is 25']],
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
    { 'src/hub/b_test.cpp': function_of(63), 'scripts/figures_open.txt': 'function src/hub/b_test.cpp:f  62\n' },
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
    { 'src/hub/b_test.cpp': function_of(63), 'scripts/long_tables.txt': 'src/hub/b_test.cpp:f \n' },
    ['scripts/long_tables.txt: src/hub/b_test.cpp:f has no reason'],
  ],
  [
    'a table that is short',
    { 'scripts/long_tables.txt': 'src/hub/a.cpp:f  words\n' },
    ['scripts/long_tables.txt: src/hub/a.cpp:f is not longer than 60 lines, or gone: take it off the list'],
  ],
];

test('a tree within the limits has no faults', () => assert.deepEqual(in_tree({}, faults), []));
test('an improved open figure passes', () =>
  assert.deepEqual(
    in_tree(
      { 'src/hub/b_test.cpp': function_of(61), 'scripts/figures_open.txt': 'function src/hub/b_test.cpp:f  80\n' },
      faults,
    ),
    [],
  ));
test('a table with a reason may be long', () =>
  assert.deepEqual(
    in_tree(
      {
        'src/hub/b_test.cpp': function_of(61),
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
    'src/hub/b_test.cpp': function_of(61) + function_of(62).replace('f', 'g'),
    'src/hub/c.cpp': 'int x;\n'.repeat(500),
    'scripts/figures_open.txt': open,
  };
  assert.equal(
    in_tree(tree, (root) => shrunk(root)),
    '# why\nfunction src/hub/b_test.cpp:f  61\nfunction src/hub/b_test.cpp:g  61\ntest-share  20\n',
  );
});
test('generated files are not measured', () =>
  assert.deepEqual(
    in_tree({ 'apps/web/b.ts': '// Printed by a program; do not edit by hand.\n' + 'let x;\n'.repeat(500) }, faults),
    [],
  ));
test('tests and their shared files do not count for folders', () =>
  assert.equal(
    in_tree(
      { ...many(30, (n) => `b${n}_test.cpp`), 'src/hub/test_things.h': '', 'src/hub/b_test_support.h': '' },
      measured,
    ).folder.find((each) => each.name === 'src/hub').value,
    1,
  ));
for (const [what, changes, expected] of seeded)
  test(`caught: ${what}`, () => assert.deepEqual(in_tree(changes, faults), expected));
