// SPDX-License-Identifier: Apache-2.0
// Extracts texts from sources that are hard to read, and breaks each rule of the prose check once in a small repository.
//   node --test scripts/check_prose_test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { badSubjects, faults, measured, sentences, shrunk, subjectFault } from './check_prose.mjs';
import { comments, descriptions, literals, markdown, shellComments, testNames, textsOf } from './prose_texts.mjs';

const lines = (...parts) => parts.join('\n');
const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean);

test('C++ comments: consecutive lines are one text, a trailing comment is another', () => {
  const source = lines(
    '// The gateway',
    '// renews its lease.',
    'int a;  // seconds',
    'int b;  // bytes',
    '/* A block. */',
    '}  // namespace x',
  );
  assert.deepEqual(paragraphs(comments(source, 'cpp')), [
    'The gateway\nrenews its lease.',
    'seconds',
    'bytes',
    'A block.',
  ]);
});
test('C++ comments: comment marks in literals are no comments', () => {
  const source = lines(
    'auto url = "http://host";',
    'auto raw = R"x(// no)x";',
    "char c = '\"'; // yes",
    "int n = 1'000; // also",
  );
  assert.deepEqual(paragraphs(comments(source, 'cpp')), ['yes', 'also']);
});
test('TypeScript comments: templates, nested templates and expressions are read past', () => {
  const source = lines(
    'const a = `// ${b ? `x // ${c}` : "//"}`; // one',
    'const d = /["`]/; // two',
    'const e = a / b; // three',
    "const f = '//';",
  );
  assert.deepEqual(paragraphs(comments(source, 'ts')), ['one', 'two', 'three']);
});
test('entries of a list in a comment are texts of their own', () =>
  assert.deepEqual(paragraphs(comments(lines('// Limits:', '// - first', '// - second'), 'cpp')), [
    'Limits:',
    'first',
    'second',
  ]));
test('indented lines of a comment are examples', () =>
  assert.deepEqual(paragraphs(comments(lines('// Usage:', '//   node it.mjs', '// The end.'), 'cpp')), [
    'Usage:',
    'The end.',
  ]));
test('shell comments', () =>
  assert.deepEqual(
    paragraphs(shellComments(lines('#!/bin/sh', '# Builds', '# the page.', 'x  # no', '# --- Part ---', '#   usage'))),
    ['Builds\nthe page.'],
  ));
test('adjacent C++ literals are one text', () =>
  assert.equal(literals(lines('fail("the file cannot "', '     "be opened");'), 'cpp'), 'the file cannot be opened'));
test('SQL, code, JSON, short texts and word lists are no prose', () => {
  const source = lines(
    'a("SELECT id from the table");',
    'b("{\\"a\\": the value of it}");',
    'c("too short");',
    `d("${'word '.repeat(40)}");`,
    'e("#include the file of it");',
  );
  assert.equal(literals(source, 'cpp'), '');
});
test('texts of TypeScript: values in templates count as one word', () =>
  assert.equal(literals('x = `${count} requests wait for you`;', 'ts'), 'N requests wait for you'));
test('literals: the bullets of a text are separate sentences, and table rows and vocabularies are none', () => {
  assert.equal(
    sentences(
      literals(
        String.raw`x = "Plan mode is active now.\n- Read the files first.\n| a row | with some words in it |";`,
        'cpp',
      ),
    ).length,
    2,
  );
  assert.equal(literals(`x = R"(\n${'some words '.repeat(20)}\n)";`, 'cpp'), '');
});
test('descriptions of fields and methods, which are no literals besides', () => {
  const source = lines(
    'field<&Preview::path>("path", "The file to show, below "',
    '  "the folder.").or_default(),',
    'wire::call<Preview, Result>("preview", "Shows it."),',
    'other("path", "is none of the kind")',
  );
  assert.deepEqual(descriptions(source), ['The file to show, below the folder.', 'Shows it.']);
  assert.equal(literals(source, 'cpp'), 'is none of the kind');
});
test('short descriptions are counted', () => {
  const found = textsOf(
    'src/a.h',
    'field<&A::b>("b", "A name"), field<&A::c>("c", ""), field<&A::d>("d", "Timeout, in milliseconds.")',
  );
  assert.equal(found.find((each) => each.kind === 'descriptions').short, 2);
});
test('names of C++ tests are sentences', () =>
  assert.equal(
    testNames(lines('TEST(Peer, IdsComeBackAsTheyCame) {', 'TEST_F(Peer, AnHTTPCallEnds) {'), 'cpp'),
    'Ids Come Back As They Came.\n\nAn HTTP Call Ends',
  ));
test('names of scripted tests', () => assert.equal(testNames("test('a', f);\n  it(\"b's\", g);", 'ts'), "a.\n\nb's"));
test('Markdown: code, tables, headings and addresses are left out', () => {
  const page = lines(
    '# What it is',
    '',
    'See [the page](docs/it.md).',
    '',
    '```',
    'it',
    '```',
    '| it | that |',
    '- one',
    '- two',
  );
  assert.deepEqual(paragraphs(markdown(page)), ['See [the page].', 'one', 'two']);
});
test('generated files are not measured', () => {
  assert.deepEqual(textsOf('docs/protocol/page.md', 'what it is'), []);
  assert.deepEqual(textsOf('apps/web/src/protocol.ts', '// Printed; do not edit by hand.\n// what it is'), []);
});

test('sentences end at paragraphs and at full stops', () =>
  assert.deepEqual(
    sentences('The hub\nwrites one event. The page reads\n\nthe event from it').map((each) => each.sentence),
    ['The hub writes one event.', 'the event from it'],
  ));
test('shares are per cent of words and of sentences', () => {
  const { words, pronouns, long } = measured(`The hub writes it. ${'Word '.repeat(31)}.`);
  assert.deepEqual([words, Math.round(pronouns), long], [35, 3, 50]);
});
test('phrases are found in any case, but not in backticks', () => {
  assert.deepEqual(measured('The page begins Anew after that.').phrases, ['anew']);
  assert.deepEqual(measured('The word `anew` is forbidden here.').phrases, []);
  assert.deepEqual(measured('It takes no more than two seconds.').phrases, []);
  assert.deepEqual(measured('What the agent sees is the folder.').phrases, ['what … is']);
  assert.deepEqual(measured('What is the name of it?').phrases, []);
});

const subjects = [
  ['hub: write the event before the answer', ''],
  ['driver/acp: embed the reader', ''],
  ['docs: `parlance doctor` in an example', ''],
  ['The hub writes the event', 'is not "scope: imperative summary"'],
  ['hub: writes the event', 'does not begin with an imperative but with "writes"'],
  ['hub: fixed the event', 'does not begin with an imperative but with "fixed"'],
  ['hub: write the event.', 'ends with a full stop'],
  [`hub: write ${'x'.repeat(70)}`, 'has 81 characters, the limit is 72'],
];
for (const [subject, expected] of subjects)
  test(`a commit subject: ${subject.slice(0, 40)}`, () => assert.equal(subjectFault(subject), expected));

const good = 'The gateway renews its lease every five seconds. The hub writes each event once. ';
const poor = 'It is that which one of those has. ';
const clean = {
  'docs/a.md': good.repeat(6),
  'src/parlance/a.h': '// The gateway renews its lease.\n',
  'scripts/prose_exceptions.txt': '# why\n',
};

function inTree(changes, look) {
  const root = mkdtempSync(path.join(tmpdir(), 'prose-'));
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
const comment = (text) => text.replace(/(\S.*?\.) /g, '// $1\n');

const seeded = [
  [
    'a page of pronouns',
    { 'docs/a.md': poor.repeat(9) },
    /^docs docs\/a\.md: 6\d\.\d % pronoun-like words, the limit is 4 %; such as "It is that which one of those has\."$/,
  ],
  [
    'a page of long sentences',
    { 'docs/a.md': `${'word '.repeat(31)}. `.repeat(3) },
    /^docs docs\/a\.md: 100 % of the sentences have over 30 words/,
  ],
  [
    'a forbidden phrase, however short the file',
    { 'src/parlance/a.h': '// Begins anew after each error.\n' },
    /^comments src\/parlance\/a\.h: forbidden: "anew"$/,
  ],
  ['texts for users', { 'src/parlance/a.cpp': `auto a = "${poor.repeat(9)}";\n` }, /^texts src\/parlance\/a\.cpp: 6/],
  [
    'descriptions',
    { 'src/parlance/a.h': 'field<&A::b>("b", "A name")\n' },
    /^descriptions src\/parlance\/a\.h: 1 descriptions have fewer than three words$/,
  ],
  [
    'names of tests',
    { 'src/parlance/a_test.cpp': 'TEST(A, WhatIsToldToWhoeverIsThere) {\n'.repeat(9) },
    /^names src\/parlance\/a_test\.cpp: .*forbidden: "is told"/,
  ],
  [
    'an exception that passes',
    { 'scripts/prose_exceptions.txt': 'docs docs/a.md\n' },
    /"docs docs\/a\.md" passes now, or is gone: remove it/,
  ],
  [
    'an exception whose file is gone',
    { 'scripts/prose_exceptions.txt': 'docs docs/b.md\n' },
    /"docs docs\/b\.md" passes now, or is gone: remove it/,
  ],
];

test('a tree that follows the rules passes', () => assert.deepEqual(inTree({}, faults), []));
test('a listed file may fail', () =>
  assert.deepEqual(
    inTree(
      { 'src/parlance/a.h': comment(poor.repeat(9)), 'scripts/prose_exceptions.txt': 'comments src/parlance/a.h\n' },
      faults,
    ),
    [],
  ));
test('--shrink keeps comments and entries that still fail', () => {
  const tree = {
    'docs/b.md': poor.repeat(9),
    'scripts/prose_exceptions.txt': '# why\ndocs docs/a.md\ndocs docs/b.md\ndocs docs/c.md\n',
  };
  assert.equal(
    inTree(tree, (root) => shrunk(root)),
    '# why\ndocs docs/b.md\n',
  );
});
for (const [name, changes, expected] of seeded) {
  test(`caught: ${name}`, () => {
    const found = inTree(changes, faults);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0], expected);
  });
}

const inHistory = (names, look) =>
  inTree({}, (root) => {
    const git = (...words) =>
      execFileSync(
        'git',
        ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@localhost', '-c', 'commit.gpgsign=false', ...words],
        { encoding: 'utf8' },
      );
    git('init', '-q');
    for (const name of names) git('commit', '-q', '--allow-empty', '-m', name);
    return look(root, git);
  });

test('subjects since the base revision are checked, earlier ones are not', () =>
  inHistory(['Anything goes', 'hub: add a test', 'Added a test'], (root, git) =>
    assert.deepEqual(
      badSubjects(root, git('rev-parse', 'HEAD~2').trim()).map((each) => each.subject),
      ['Added a test'],
    ),
  ));
test('a clone without the base revision skips subjects', () =>
  inHistory(['Anything goes'], (root) => assert.deepEqual(badSubjects(root), [])));
