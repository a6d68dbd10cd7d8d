// SPDX-License-Identifier: Apache-2.0
// The selection of tests by folder, on a small build graph.
//   node --test scripts/dependent_tests_test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';

import { dependent, programsOf } from './dependent_tests.mjs';

const ninja = `
build bin/hub_test src/hub/hub_test_tests.cmake: CXX_EXECUTABLE_LINKER__hub_test_Debug src/hub/CMakeFiles/hub_test.dir/a.o | src/hub/libhub.a src/base/libbase.a || src/base/libbase.a
build bin/page_test: CXX_EXECUTABLE_LINKER__page_test_Debug src/page/CMakeFiles/page_test.dir/a.o | src/page/libpage.a src/hub/libhub.a
build bin/base_test: CXX_EXECUTABLE_LINKER__base_test_Debug src/base/CMakeFiles/base_test.dir/a.o | src/base/libbase.a
build bin/parlance: CXX_EXECUTABLE_LINKER__parlance_Debug apps/CMakeFiles/parlance.dir/a.o | src/hub/libhub.a
build bin/chat_test: CXX_EXECUTABLE_LINKER__chat_test_Debug tests/CMakeFiles/chat_test.dir/a.o | src/base/libbase.a || bin/parlance
build src/hub/libhub.a: CXX_STATIC_LIBRARY_LINKER__hub_Debug src/hub/CMakeFiles/hub.dir/b.o
`;

test('a folder has its own tests, tests that link it, and tests that start a program of it', () => {
  assert.deepEqual(dependent(programsOf(ninja), 'src/hub'), {
    near: ['bin/hub_test'],
    far: ['bin/page_test', 'bin/chat_test'],
  });
});

test('a folder with a longer name is another folder', () => {
  assert.deepEqual(dependent(programsOf(ninja), 'src/pag'), { near: [], far: [] });
});

test('an application has the tests that start it', () => {
  assert.deepEqual(dependent(programsOf(ninja), 'apps'), { near: [], far: ['bin/chat_test'] });
});
