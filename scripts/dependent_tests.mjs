// SPDX-License-Identifier: Apache-2.0
// The tests that a change in a folder can break, from the graph of the build.
//
//   node scripts/dependent_tests.mjs BUILD FOLDER near|far programs|numbers
//
// near: test programs with sources of the folder. far: other test programs with code of the folder or a started program of the folder.
// FOLDER has a CMakeLists.txt. `programs` prints targets for ninja. `numbers` prints quick tests of built programs for `ctest -I FILE`, in
// the test folder of FOLDER for `near`, of the build for `far`. With filters such as -R, ctest counts differently.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs and their inputs: {name: [path…]}, from the text of a build.ninja. */
export function programsOf(ninja) {
  const found = new Map();
  for (const [, name, inputs] of ninja.matchAll(/^build (bin\/[\w.-]+)[^:\n]*: CXX_EXECUTABLE_LINKER\S* (.*)$/gm))
    found.set(name, inputs.split(/[ |]+/));
  return found;
}

/** Test programs by distance from the folder: {near, far}. */
export function dependent(programs, folder) {
  const inside = (input) => input.startsWith(`${folder}/`);
  const own = (input) => input.startsWith(`${folder}/CMakeFiles/`);
  const isTest = (name) => name.endsWith('_test');
  const started = [...programs].filter(([name, inputs]) => !isTest(name) && inputs.some(inside)).map(([name]) => name);
  const near = [];
  const far = [];
  for (const [name, inputs] of programs) {
    if (!isTest(name)) continue;
    if (inputs.some(own)) near.push(name);
    else if (inputs.some((input) => inside(input) || started.includes(input))) far.push(name);
  }
  return { near, far };
}

const slow = new Set(['slow', 'peer', 'web']);
const labels = (each) => each.properties?.find(({ name }) => name === 'LABELS')?.value ?? [];

function numbers(build, tests, names) {
  const shown = execFileSync('ctest', ['--test-dir', path.join(build, tests), '--show-only=json-v1'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const programs = new Set(names.map((name) => path.resolve(build, name)));
  const found = JSON.parse(shown).tests.flatMap((each, index) =>
    programs.has(each.command?.[0]) && !labels(each).some((label) => slow.has(label)) ? [index + 1] : [],
  );
  return found.length ? `0,0,0,${found.join(',')}` : '';
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [build, folder, distance, what] = process.argv.slice(2);
  const names = dependent(programsOf(readFileSync(path.join(build, 'build.ninja'), 'utf8')), folder)[distance];
  console.log(what === 'numbers' ? numbers(build, distance === 'near' ? folder : '', names) : names.join('\n'));
}
