// SPDX-License-Identifier: Apache-2.0
// The division of the tree into units, the inputs of a unit, and the reading of findings.
//   node --test scripts/tidy_test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { findings, flagsOf, inputsOf, partsOf, units } from './tidy.mjs';

test('flags are the words of a command with an effect on the syntax tree', () => {
  const command = 'clang++ -DA=\\"b\\" -I/r/src -isystem /usr/x -g -Wall -std=c++2b -o x/a.o -c /r/src/a.cpp';
  assert.deepEqual(flagsOf(command), ['-DA=\\"b\\"', '-I/r/src', '-isystem /usr/x', '-std=c++2b']);
  assert.deepEqual(flagsOf('c++ "-DF=\\"/a b\\"" -c a.cpp'), ['"-DF=\\"/a b\\""']);
});

const source = (file, flags = [], starts = false) => ({ file, flags, starts });

test('sources and tests of a folder are one unit with the flags of both', () => {
  const [unit, ...others] = units([source('src/a/x.cpp', ['-I1']), source('src/a/x_test.cpp', ['-I1', '-DT'])]);
  assert.deepEqual(others, []);
  assert.deepEqual(unit.files, ['src/a/x.cpp', 'src/a/x_test.cpp']);
  assert.deepEqual(unit.flags, ['-I1', '-DT']);
});

test('two programs, two values of a macro and two folders are two units each', () => {
  const names = (files) => units(files).map(({ name }) => name);
  assert.deepEqual(names([source('b/x.cpp', [], true), source('b/y.cpp', [], true)]), ['b', 'b.2']);
  assert.deepEqual(names([source('b/x.cpp', ['-DN=1']), source('b/y.cpp', ['-DN=2'])]), ['b', 'b.2']);
  assert.deepEqual(names([source('b/x.cpp'), source('b/c/y.cpp')]), ['b', 'b.c']);
});

test('a unit with a conflict is split into sources and tests, then into halves', () => {
  const lists = (...files) => partsOf({ name: 'a', files }).map((part) => part.files);
  assert.deepEqual(lists('x.cpp', 'x_test.cpp', 'y.cpp'), [['x.cpp', 'y.cpp'], ['x_test.cpp']]);
  assert.deepEqual(lists('x_test.cpp', 'y_test.cpp', 'z_test.cpp'), [['x_test.cpp', 'y_test.cpp'], ['z_test.cpp']]);
  assert.deepEqual(
    partsOf({ name: 'a', files: ['x.cpp', 'y.cpp'] }).map(({ name }) => name),
    ['a-1', 'a-2'],
  );
});

test('inputs are the own files of a source, circular includes as well', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'tidy-'));
  try {
    mkdirSync(path.join(root, 'src/a'), { recursive: true });
    writeFileSync(path.join(root, 'src/a/x.cpp'), '#include "a/x.h"\n#include "beside.h"\n#include <vector>\n');
    writeFileSync(path.join(root, 'src/a/x.h'), '#include "a/x.h"\n#include "absent.h"\n');
    writeFileSync(path.join(root, 'src/a/beside.h'), '');
    writeFileSync(path.join(root, 'src/a/other.h'), '');
    const inputs = inputsOf(root, 'src/a/x.cpp', [`-I${root}/src`]);
    assert.deepEqual([...inputs].sort(), ['src/a/beside.h', 'src/a/x.cpp', 'src/a/x.h']);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a finding is its first line with all notes', () => {
  const found = findings(
    '/r/a.cpp:1:2: error: bad [check]\n    1 | x\n/r/a.cpp:1:3: note: here\n/r/b.h:4:5: error: worse [check]\n',
  );
  assert.deepEqual(
    found.map(({ first }) => first),
    ['/r/a.cpp:1:2: error: bad [check]', '/r/b.h:4:5: error: worse [check]'],
  );
  assert.match(found[0].text, /note: here/);
});
