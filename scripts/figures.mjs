// SPDX-License-Identifier: Apache-2.0
// Measures the tree: lengths of files and functions, the share of tests, sources per folder, circular includes.
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

import { cpp_functions } from './cpp_functions.mjs';
import { circles, code, included_file, includes, is_test, licence, listed_files, source } from './tree.mjs';
import { ts_functions } from './ts_functions.mjs';

// Limits of single figures, and of figures per file, function or folder. Units: lines; per cent for the share; sources for folders.
export const limits = {
  'median-file': 120,
  'median-function': 5,
  'p99-function': 40,
  'test-share': 40,
  file: 400,
  function: 60,
  folder: 25,
};
const at_least = new Set(['test-share']);
const web = /\.(ts|tsx|js|mjs)$/;
const measures = /^bench\//; // neither a part of the programs nor a test of them
const printed = (text) => /do not edit by hand/i.test(text.split('\n', 10).join('\n')); // by a program, from tables that are measured

export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : 0;
}

const stem = (file) => file.replace(/\.[a-z]+$/, '');
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const by_value = (a, b) => b.value - a.value || (a.name < b.name ? -1 : 1);

function functions_of(file, text) {
  if (code.test(file)) return cpp_functions(text);
  return web.test(file) ? ts_functions(text) : [];
}

// The files that a source includes or imports.
function neighbours(file, text, files) {
  if (code.test(file)) return includes(text.split('\n')).map((each) => included_file(each.name, file, files));
  if (!web.test(file)) return [];
  return [...text.matchAll(/^(?:import|export)\b[^;'"]*['"](\.[^'"]+)['"]/gms)].map(([, name]) => {
    const beside = path.posix.join(path.posix.dirname(file), name);
    return ['', '.ts', '.tsx'].map((end) => beside + end).find((candidate) => files.has(candidate)) ?? '';
  });
}

// A header and its .cpp count as a single node, so that a circle may lead through both.
function circles_of(texts) {
  const edges = new Map();
  for (const [file, text] of texts) {
    const own = edges.get(stem(file)) ?? edges.set(stem(file), new Set()).get(stem(file));
    for (const other of neighbours(file, text, texts)) if (other && stem(other) !== stem(file)) own.add(stem(other));
  }
  return circles(edges).map((group) => ({ name: group.join(' '), value: group.length }));
}

// Files with the same stem count as a single source. Tests and their shared files do not count.
function folders_of(files) {
  const counts = new Map();
  for (const name of new Set(files.filter((file) => !is_test(file)).map(stem))) {
    const folder = path.posix.dirname(name);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([name, value]) => ({ name, value }));
}

// All figures: {name of a figure: number, or [{name, value}] with the worst first}.
export function measured(root) {
  const texts = new Map(
    listed_files(root)
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
  const functions = files.flatMap((file) =>
    functions_of(file, texts.get(file)).map((each) => ({ name: `${file}:${each.name}`, value: each.lines, file })),
  );
  const product = functions
    .filter((each) => !is_test(each.file) && !measures.test(each.file))
    .map((each) => each.value);
  const counted = lengths.filter((each) => !measures.test(each.name));
  const tests = counted.filter((each) => is_test(each.name) || each.name.startsWith('fuzz/'));
  const lines = (list) => sum(list.map((each) => each.value));
  return {
    'median-file': quantile(
      lengths.map((each) => each.value),
      0.5,
    ),
    'median-function': quantile(product, 0.5),
    'p99-function': quantile(product, 0.99),
    'test-share': Math.floor((1000 * lines(tests)) / Math.max(1, lines(counted))) / 10,
    file: lengths.sort(by_value),
    function: functions.sort(by_value),
    folder: folders_of(files.filter((file) => code.test(file) || web.test(file))).sort(by_value),
    circle: circles_of(texts).sort(by_value),
  };
}

// "words … number" lines of a list, without comments: Map from the words to the rest.
function list_of(root, name, line) {
  const file = path.join(root, 'scripts', name);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return new Map(
    lines
      .filter((text) => text.trim() && !text.startsWith('#'))
      .map((text) => line.exec(text)?.slice(1, 3) ?? [text, '']),
  );
}

const outside = (kind, value) => (at_least.has(kind) ? value < limits[kind] : value > (limits[kind] ?? 0));
const worse = (kind, value, known) => (at_least.has(kind) ? value < known : value > known);

// The figures outside their limits: Map from "kind name" to the value, without the long tables.
function open_figures(figures, tables) {
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

const limit_of = (key) => limits[key.split(' ')[0]] ?? 'none';

// All faults, a line each.
export function faults(root, figures = measured(root)) {
  const tables = list_of(root, 'long_tables.txt', /^(\S+)\s+(.*)$/);
  const known = list_of(root, 'figures_open.txt', /^(.*\S)\s+([\d.]+)$/);
  const open = open_figures(figures, tables);
  const lengths = new Map([...figures.file, ...figures.function].map((each) => [each.name, each.value]));
  const found = [];
  for (const [key, value] of open) {
    if (!known.has(key)) found.push(`${key}: ${value}, the limit is ${limit_of(key)}`);
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
  const open = open_figures(figures, list_of(root, 'long_tables.txt', /^(\S+)\s+(.*)$/));
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
      `${kind.padEnd(16)} ${String(what).padEnd(22)} ${at_least.has(kind) ? 'at least' : 'at most'} ${limits[kind] ?? 0}`,
    );
  }
}

function main(parts) {
  const root = path.resolve(
    parts.find((part) => !part.startsWith('-')) ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '..'),
  );
  const figures = measured(root);
  if (parts.includes('--open')) {
    for (const [key, value] of open_figures(figures, list_of(root, 'long_tables.txt', /^(\S+)\s+(.*)$/)))
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
