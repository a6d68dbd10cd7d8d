// SPDX-License-Identifier: Apache-2.0
// Reads functions and classes of C++ sources that are hard to read.
//   node --test scripts/cpp_functions_test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';

import { cppDeclarations, cppFunctions } from './cpp_functions.mjs';

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
for (const [what, lines, expected] of sources)
  test(`C++: ${what}`, () =>
    assert.deepEqual(
      cppFunctions(lines.join('\n')).map((each) => `${each.name} ${each.line} ${each.lines}`),
      expected,
    ));

const classes = [
  [
    'methods with and without a body',
    ['class A {', '  int f();', '  virtual void g(bool quiet) = 0;', '  bool h() const { return 1; }', '};'],
    ['A 3 0'],
  ],
  [
    'constructors, friends, aliases and deleted functions do not count',
    [
      'struct A {',
      '  A();',
      '  explicit A(int) : a(1) {}',
      '  ~A();',
      '  A(const A&) = delete;',
      '  A& operator=(const A&) = delete;',
      '  friend bool operator==(const A&, const A&) = default;',
      '  using F = void (int);',
      '};',
    ],
    ['A 0 0'],
  ],
  [
    'members of type bool',
    [
      'struct A {',
      '  bool a = false;',
      '  bool b;',
      '  mutable bool c{};',
      '  static constexpr bool d = true;',
      '  std::optional<bool> e{};',
      '  std::function<bool(int)> f;',
      '};',
    ],
    ['A 0 3'],
  ],
  [
    'members of an inner class belong to this class',
    ['class A {', '  struct B {', '    bool a = false;', '    void f();', '  };', '  bool b = false;', '};'],
    ['A 0 1', 'A::B 1 1'],
  ],
];
for (const [what, lines, expected] of classes)
  test(`C++ classes: ${what}`, () =>
    assert.deepEqual(
      cppDeclarations(lines.join('\n'))
        .classes.map((each) => `${each.name} ${each.methods} ${each.booleans}`)
        .sort(),
      expected,
    ));
