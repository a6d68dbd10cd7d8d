// SPDX-License-Identifier: Apache-2.0
// Measures the tree: lengths of files and functions, sizes of classes, the share of tests, sources per folder, the reach of central
// headers, circular includes.
//
//   node scripts/figures.mjs [FOLDER]           prints the figures; exit code 1 for a new figure outside its limit
//   node scripts/figures.mjs --worst [FOLDER]   also the ten worst of each kind
//   node scripts/figures.mjs --shrink [FOLDER]  updates improved entries of scripts/figures_open.txt
//   node scripts/figures.mjs --open [FOLDER]    prints all entries that the list needs, for use after files moved
//
// scripts/long_tables.txt lists tables of data that may stay long. scripts/figures_open.txt lists figures outside their limits today.
// An entry may improve, never worsen. An unnecessary entry is a fault.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { cppDeclarations } from './cpp_functions.mjs';
import { circles, code, includedFile, includes, isTest, licence, listedFiles, source } from './tree.mjs';
import { tsFunctions } from './ts_functions.mjs';

// Limits of single figures, and of figures per file, function, class, folder or header. Units: lines; per cent for the share; sources for
// folders; member functions and bools of a class; .cpp files with bodies of a class; .cpp files that include a header, also indirectly.
export const limits = {
  'median-file': 120,
  'median-function': 5,
  'p99-function': 40,
  'test-share': 40,
  file: 400,
  function: 60,
  folder: 25,
  methods: 40,
  booleans: 4,
  bodies: 3,
  reach: 150,
};
// Headers with a limited reach: each edit compiles all files that they reach.
const centralHeaders = ['event', 'conversation'].map((name) => `src/parlance/hub/conversation/${name}.h`);
const atLeast = new Set(['test-share']);
const web = /\.(ts|tsx|js|mjs)$/;
const measures = /^bench\//; // neither a part of the programs nor a test of them
const printed = (text) => /do not edit by hand/i.test(text.split('\n', 10).join('\n')); // by a program, from tables that are measured

export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : 0;
}

const stem = (file) => file.replace(/\.[a-z]+$/, '');
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const byValue = (a, b) => b.value - a.value || (a.name < b.name ? -1 : 1);

function declarationsOf(file, text) {
  if (code.test(file)) return cppDeclarations(text);
  return { functions: web.test(file) ? tsFunctions(text) : [], classes: [] };
}

// The files that a source includes or imports.
function neighbours(file, text, files) {
  if (code.test(file)) return includes(text.split('\n')).map((each) => includedFile(each.name, file, files));
  if (!web.test(file)) return [];
  return [...text.matchAll(/^(?:import|export)\b[^;'"]*['"](\.[^'"]+)['"]/gms)].map(([, name]) => {
    const beside = path.posix.join(path.posix.dirname(file), name);
    return ['', '.ts', '.tsx'].map((end) => beside + end).find((candidate) => files.has(candidate)) ?? '';
  });
}

// The number of .cpp files of each class with bodies of its functions. A class is a name in a folder.
function bodiesOf(declarations) {
  const places = new Map();
  for (const [file, { functions }] of declarations) {
    if (!file.endsWith('.cpp')) continue;
    for (const { name } of functions) {
      const owner = name
        .split('::')
        .slice(0, -1)
        .filter((part) => /^[A-Z]/.test(part)); // without namespaces
      if (!owner.length) continue;
      const key = `${path.posix.dirname(file)}:${owner.join('::')}`;
      (places.get(key) ?? places.set(key, new Set()).get(key)).add(file);
    }
  }
  return [...places].map(([name, files]) => ({ name, value: files.size }));
}

// The number of .cpp files of the programs and the library that include each central header, also indirectly.
function reachOf(texts) {
  const includers = new Map();
  for (const [file, text] of texts) {
    if (!code.test(file)) continue;
    for (const other of neighbours(file, text, texts))
      if (other) (includers.get(other) ?? includers.set(other, []).get(other)).push(file);
  }
  return centralHeaders
    .filter((header) => texts.has(header))
    .map((header) => {
      const reached = new Set([header]);
      for (const file of reached) for (const next of includers.get(file) ?? []) reached.add(next); // grows during the walk
      return { name: header, value: [...reached].filter((file) => /^(src|apps)\/.*\.cpp$/.test(file)).length };
    });
}

// A header and its .cpp count as a single node, so that a circle may lead through both.
function circlesOf(texts) {
  const edges = new Map();
  for (const [file, text] of texts) {
    const own = edges.get(stem(file)) ?? edges.set(stem(file), new Set()).get(stem(file));
    for (const other of neighbours(file, text, texts)) if (other && stem(other) !== stem(file)) own.add(stem(other));
  }
  return circles(edges).map((group) => ({ name: group.join(' '), value: group.length }));
}

// Files with the same stem count as a single source. Tests and their shared files do not count.
function foldersOf(files) {
  const counts = new Map();
  for (const name of new Set(files.filter((file) => !isTest(file)).map(stem))) {
    const folder = path.posix.dirname(name);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([name, value]) => ({ name, value }));
}

// All figures: {name of a figure: number, or [{name, value}] with the worst first}.
export function measured(root) {
  const texts = new Map(
    listedFiles(root)
      .filter((file) => source.test(file))
      .map((file) => [file, readFileSync(path.join(root, file), 'utf8')])
      .filter(([, text]) => !printed(text)),
  );
  const files = [...texts.keys()];
  const lengths = files.map((name) => ({
    name,
    value:
      texts
        .get(name)
        .split('\n')
        .filter((line) => !licence.test(line)).length - 1,
  }));
  const declarations = new Map(files.map((file) => [file, declarationsOf(file, texts.get(file))]));
  const functions = files.flatMap((file) =>
    declarations.get(file).functions.map((each) => ({ name: `${file}:${each.name}`, value: each.lines, file })),
  );
  const classes = files.flatMap((file) =>
    declarations.get(file).classes.map((each) => ({ ...each, name: `${file}:${each.name}` })),
  );
  const product = functions.filter((each) => !isTest(each.file) && !measures.test(each.file)).map((each) => each.value);
  const counted = lengths.filter((each) => !measures.test(each.name));
  const tests = counted.filter((each) => isTest(each.name) || each.name.startsWith('fuzz/'));
  const lines = (list) => sum(list.map((each) => each.value));
  return {
    'median-file': quantile(
      lengths.map((each) => each.value),
      0.5,
    ),
    'median-function': quantile(product, 0.5),
    'p99-function': quantile(product, 0.99),
    'test-share': Math.floor((1000 * lines(tests)) / Math.max(1, lines(counted))) / 10,
    file: lengths.sort(byValue),
    function: functions.sort(byValue),
    folder: foldersOf(files.filter((file) => code.test(file) || web.test(file))).sort(byValue),
    methods: classes.map(({ name, methods }) => ({ name, value: methods })).sort(byValue),
    booleans: classes.map(({ name, booleans }) => ({ name, value: booleans })).sort(byValue),
    bodies: bodiesOf(declarations).sort(byValue),
    reach: reachOf(texts).sort(byValue),
    circle: circlesOf(texts).sort(byValue),
  };
}

// "words … number" lines of a list, without comments: Map from the words to the rest.
function listOf(root, name, line) {
  const file = path.join(root, 'scripts', name);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return new Map(
    lines
      .filter((text) => text.trim() && !text.startsWith('#'))
      .map((text) => line.exec(text)?.slice(1, 3) ?? [text, '']),
  );
}

const outside = (kind, value) => (atLeast.has(kind) ? value < limits[kind] : value > (limits[kind] ?? 0));
const worse = (kind, value, known) => (atLeast.has(kind) ? value < known : value > known);

// The figures outside their limits: Map from "kind name" to the value, without the long tables.
function openFigures(figures, tables) {
  const found = new Map();
  for (const [kind, value] of Object.entries(figures)) {
    if (!Array.isArray(value)) {
      if (outside(kind, value)) found.set(kind, value);
    } else {
      for (const each of value)
        if (outside(kind, each.value) && !tables.has(each.name)) found.set(`${kind} ${each.name}`, each.value);
    }
  }
  return found;
}

const limitOf = (key) => limits[key.split(' ')[0]] ?? 'none';

// All faults, a line each.
export function faults(root, figures = measured(root)) {
  const tables = listOf(root, 'long_tables.txt', /^(\S+)\s+(.*)$/);
  const known = listOf(root, 'figures_open.txt', /^(.*\S)\s+([\d.]+)$/);
  const open = openFigures(figures, tables);
  const lengths = new Map([...figures.file, ...figures.function].map((each) => [each.name, each.value]));
  const found = [];
  for (const [key, value] of open) {
    if (!known.has(key)) found.push(`${key}: ${value}, the limit is ${limitOf(key)}`);
    else if (worse(key.split(' ')[0], value, Number(known.get(key))))
      found.push(`${key}: ${value}, worse than the ${known.get(key)} of scripts/figures_open.txt`);
  }
  for (const key of known.keys())
    if (!open.has(key)) found.push(`scripts/figures_open.txt: "${key}" is good now, or gone: take it off the list`);
  for (const [name, reason] of tables) {
    const limit = name.includes(':') ? limits.function : limits.file;
    if (!reason) found.push(`scripts/long_tables.txt: ${name} has no reason`);
    else if (!(lengths.get(name) > limit))
      found.push(`scripts/long_tables.txt: ${name} is not longer than ${limit} lines, or gone: take it off the list`);
  }
  return found;
}

// The list of open figures without resolved entries, and with improved values.
export function shrunk(root, figures = measured(root)) {
  const open = openFigures(figures, listOf(root, 'long_tables.txt', /^(\S+)\s+(.*)$/));
  const lines = readFileSync(path.join(root, 'scripts/figures_open.txt'), 'utf8').split('\n');
  const kept = lines.flatMap((line) => {
    const [, key, known] = /^([^#].*\S)\s+([\d.]+)$/.exec(line) ?? [];
    if (!key) return [line];
    if (!open.has(key)) return [];
    const value = Math.floor(open.get(key)); // a share in whole per cents: not every commit can add a test
    return [`${key}  ${worse(key.split(' ')[0], value, Number(known)) ? known : value}`];
  });
  return kept.join('\n');
}

function print(figures) {
  for (const [kind, value] of Object.entries(figures)) {
    const what = Array.isArray(value)
      ? kind === 'circle'
        ? `${value.length} of them`
        : `${value[0]?.value ?? 0} is the largest`
      : value;
    console.log(
      `${kind.padEnd(16)} ${String(what).padEnd(22)} ${atLeast.has(kind) ? 'at least' : 'at most'} ${limits[kind] ?? 0}`,
    );
  }
}

function main(parts) {
  const root = path.resolve(
    parts.find((part) => !part.startsWith('-')) ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '..'),
  );
  const figures = measured(root);
  if (parts.includes('--open')) {
    for (const [key, value] of openFigures(figures, listOf(root, 'long_tables.txt', /^(\S+)\s+(.*)$/)))
      console.log(`${key}  ${value}`);
    return;
  }
  if (parts.includes('--shrink')) writeFileSync(path.join(root, 'scripts/figures_open.txt'), shrunk(root, figures));
  print(figures);
  if (parts.includes('--worst')) {
    for (const kind of Object.keys(figures).filter((each) => Array.isArray(figures[each]))) {
      console.log(`\n${kind}`);
      for (const each of figures[kind].slice(0, 10)) console.log(`${String(each.value).padStart(5)}  ${each.name}`);
    }
  }
  const wrong = faults(root, figures);
  for (const line of wrong) console.log(line);
  process.exitCode = wrong.length ? 1 : 0;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
