// SPDX-License-Identifier: Apache-2.0
// Applies the changes of docs/howto/add_an_event.md, add_a_message.md and add_a_command.md to a copy of the tree and compiles the copy.
// Without a step, the compiler must name the missing place.
//
// usage: node --test scripts/howto_test.mjs     BUILD: a build folder with compile_commands.json (default build/release)
//
// A block of a page changes a single file: a line `--- FILE`, then lines that begin with a space (context), `-` (removed) or `+` (new).
// `@@` separates parts at later places of the file.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const build = process.env.BUILD ?? join(root, 'build/release');
const nodeModules = join(root, 'apps/web/node_modules');

/** @returns {{ file: string, hunks: { old: string[], fresh: string[] }[] }[]} the changes of a page, in their order */
export function changesOf(markdown) {
  return [...markdown.matchAll(/^```diff\n--- (\S+)\n([\s\S]*?)^```$/gm)].map(([, file, body]) => ({
    file,
    hunks: body.split(/^@@\n/m).map((hunk) => {
      const lines = hunk.replace(/\n$/, '').split('\n');
      return {
        old: lines.filter((line) => line[0] !== '+').map((line) => line.slice(1)),
        fresh: lines.filter((line) => line[0] !== '-').map((line) => line.slice(1)),
      };
    }),
  }));
}

/** @returns {string} the text with the changes made; throws when a place is not there, or there more than once */
export function changed(text, { file, hunks }) {
  for (const { old, fresh } of hunks) {
    const at = text.split('\n' + old.join('\n') + '\n').length - 1;
    assert.equal(at, 1, `${file} has ${at === 0 ? 'no' : 'more than one'} place of these lines:\n${old.join('\n')}`);
    text = text.replace('\n' + old.join('\n') + '\n', () => '\n' + fresh.join('\n') + '\n');
  }
  return text;
}

const folders = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A copy of the sources with the changes made. */
function treeWith(changes) {
  const folder = mkdtempSync(join(tmpdir(), 'howto-'));
  folders.push(folder);
  for (const part of ['src', 'apps/parlance', 'apps/web/src'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, 'apps/web'), { recursive: true });
  cpSync(join(root, 'apps/web/tsconfig.json'), join(folder, 'apps/web/tsconfig.json'));
  if (existsSync(nodeModules)) symlinkSync(nodeModules, join(folder, 'apps/web/node_modules'));
  for (const change of changes)
    writeFileSync(join(folder, change.file), changed(readFileSync(join(folder, change.file), 'utf8'), change));
  return folder;
}

// Parallel compilations: the number of processors.
let free = availableParallelism();
const waiting = [];
async function run(program, options, cwd) {
  if (free > 0) --free;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    return await new Promise((resolve) =>
      execFile(program, options, { cwd, maxBuffer: 1 << 26 }, (error, out, err) =>
        resolve({ ok: !error, text: out + err }),
      ),
    );
  } finally {
    const next = waiting.shift();
    if (next) next();
    else ++free;
  }
}

let commands = [];
before(() => {
  assert.ok(
    existsSync(join(build, 'compile_commands.json')),
    `${build} is no build folder; configure one: cmake --preset release`,
  );
  commands = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8')).flatMap(apart);
});

/** Files that are compiled together stand under a name that CMake made: each gets the words of all. */
function apart(entry) {
  if (!/\/Unity\/unity_\d+_cxx\.cxx$/.test(entry.file)) return [entry];
  const files = readFileSync(entry.file, 'utf8').matchAll(/^#include "(.*)"$/gm);
  return Array.from(files, ([, file]) => ({ file, command: entry.command.replaceAll(entry.file, file) }));
}

/** The compiler's word for one source of the copy, with the options of the build but for its precompiled headers, which are of the tree. */
function compile(folder, file) {
  const entry = commands.find((one) => one.file === join(root, file));
  assert.ok(entry, `${file} is not in ${build}/compile_commands.json`);
  const words = entry.command.split(' ').filter((word) => word !== '');
  const from = words.findIndex((word) => /(?:clang\+\+|g\+\+|c\+\+)[-0-9.]*$/.test(word));
  const options = [];
  for (let i = from + 1; i < words.length; ++i) {
    if (words[i] === '-o') i += 1;
    else if (words[i] === '-Xclang' && /^-include/.test(words[i + 1])) i += 3;
    else if (words[i] === '-include') i += 1;
    else if (words[i] === '-c' || words[i] === '-Winvalid-pch' || /^-M/.test(words[i]))
      i += /^-M[TF]$/.test(words[i]) ? 1 : 0;
    else if (words[i] === `-I${root}`) options.push(`-I${folder}`);
    else options.push(words[i].replaceAll(`${root}/src`, `${folder}/src`).replaceAll(`${root}/apps`, `${folder}/apps`));
  }
  return run(words[from], ['-fsyntax-only', '-UNDEBUG', ...options], folder);
}

function typecheck(folder) {
  return run(
    process.execPath,
    [join(nodeModules, 'typescript/lib/tsc.js'), '--noEmit', '-p', join(folder, 'apps/web')],
    folder,
  );
}

const pageOf = (name) => changesOf(readFileSync(join(root, 'docs/howto', name), 'utf8'));
const noPage = existsSync(nodeModules)
  ? false
  : 'the npm packages of apps/web are not there: ./check setup installs them';
const event = pageOf('add_an_event.md');
const message = pageOf('add_a_message.md');
const command = pageOf('add_a_command.md');
const without = (changes, ...files) =>
  files.reduce((left, file) => {
    const fewer = left.filter((change) => !change.file.endsWith(file));
    assert.notEqual(fewer.length, left.length, `no step changes ${file}`);
    return fewer;
  }, changes);
const source = (name) => {
  const entry = commands.find((one) => one.file.startsWith(`${root}/`) && one.file.endsWith(`/${name}`));
  assert.ok(entry, `${name} is in no build`);
  return entry.file.slice(root.length + 1);
};

async function compiles(folder, names) {
  await Promise.all(
    names.map(async (name) => {
      const { ok, text } = await compile(folder, source(name));
      assert.ok(ok, text);
    }),
  );
}
async function namesThePlace(changes, name, place) {
  const { ok, text } = await compile(treeWith(changes), source(name));
  assert.ok(!ok, `${name} compiles without it`);
  assert.match(text, place);
}
async function pageNamesThePlace(changes, place) {
  const { ok, text } = await typecheck(treeWith(changes));
  assert.ok(!ok, 'the page compiles without it');
  assert.match(text, place);
}

test('a missing or ambiguous place is reported', () => {
  const change = { file: 'x', hunks: [{ old: ['b'], fresh: ['b', 'c'] }] };
  assert.equal(changed('a\nb\n', change), 'a\nb\nc\n');
  assert.throws(() => changed('a\nB\n', change), /no place/);
  assert.throws(() => changed('a\nb\na\nb\n', change), /more than one place/);
});

test('the tutorials', { concurrency: true }, async (t) => {
  const whole = treeWith([...event, ...message, ...command]);
  const step = (name, body, skip = false) => t.test(name, { skip }, body);
  await Promise.all([
    step('all changes of the pages compile', () =>
      compiles(whole, [
        'hub/conversation/event.cpp',
        'wire_form/event_tables.cpp',
        'openai/turn_stream.cpp',
        'hub_over_page.cpp',
        'face/page/conversations.cpp',
        'page_description.cpp',
        'hub/runtime/command_executor.cpp',
        'driver/page/page_commands.cpp',
        'wire_form/command_forms.cpp',
        'chat_commands.cpp',
      ]),
    ),
    step(
      'the page with the changes compiles',
      async () => {
        const { ok, text } = await typecheck(whole);
        assert.ok(ok, text);
      },
      noPage,
    ),
    step('an event without its weight', () =>
      namesThePlace(without(event, 'hub/conversation/event.cpp'), 'hub/conversation/event.cpp', /Milestone/),
    ),
    step('an event without its table', () =>
      namesThePlace(without(event, 'wire_form/event_tables.h'), 'wire_form/event_tables.cpp', /Milestone/),
    ),
    step('an event for every frontend', () => {
      const wide = structuredClone(event);
      for (const { hunks } of wide)
        for (const hunk of hunks) hunk.fresh = hunk.fresh.filter((line) => !line.includes('for_pages_alone'));
      return namesThePlace(wide, 'openai/turn_stream.cpp', /Milestone/);
    }),
    step(
      'an event without its fold in the page',
      () =>
        pageNamesThePlace(
          without(event, 'transcript.ts').filter((one) => !one.file.endsWith('item_view.tsx')),
          /transcript\.ts.*MilestoneEvent.*never/,
        ),
      noPage,
    ),
    step(
      'an item without its drawing in the page',
      () => pageNamesThePlace(without(event, 'item_view.tsx'), /item_view\.tsx/),
      noPage,
    ),
    step('a message without its permission', () =>
      namesThePlace(without(message, 'permissions.h'), 'hub_over_page.cpp', /Measure/),
    ),
    step('a message without its handler', () =>
      namesThePlace(without(message, 'page/conversations.h', 'page/conversations.cpp'), 'hub_over_page.cpp', /Measure/),
    ),
  ]);
});

test('the page about commands', { concurrency: true }, async (t) => {
  await Promise.all([
    t.test('a command without its rules', () => {
      const plain = structuredClone(command);
      for (const { hunks } of plain)
        for (const hunk of hunks) hunk.fresh = hunk.fresh.filter((line) => !line.includes('CommandRow'));
      return namesThePlace(plain, 'hub/runtime/command_executor.cpp', /CommandRow<parlance::hub::AddNote>/);
    }),
    t.test('a command without its execution', () =>
      namesThePlace(
        without(command, 'command_executor.h', 'command_executor.cpp'),
        'hub/runtime/command_executor.cpp',
        /AddNote/,
      ),
    ),
    t.test('a command without its row in the shared store', () =>
      namesThePlace(without(command, 'command_tables.h'), 'wire_form/command_forms.cpp', /AddNote/),
    ),
  ]);
});
