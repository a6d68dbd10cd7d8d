// SPDX-License-Identifier: Apache-2.0
// Runs clang-tidy over units. A unit includes the sources of a folder, so that clang-tidy parses their headers once.
//
//   node scripts/tidy.mjs CLANG_TIDY BUILD [FOLDER… | --since COMMIT]
//
// BUILD holds compile_commands.json with a command for each file (the preset `includes`). Without further arguments, all of its files
// are checked; with --since, the files that differ from the commit, new files included. TIDY_JOBS is the number of processes, default 1.
//
// build/tidy/UNIT has the source and the command of a unit. To correct findings:
//   clang-tidy-19 --fix -p build/tidy/UNIT build/tidy/UNIT/unit.cpp
// build/tidy/clean has an empty file for each clean unit. Its name is a hash of all inputs, except the headers of the system. A unit with
// such a file costs nothing. With --since, findings in other files are not shown.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { includes } from './tree.mjs';

const mostFiles = 48; // of a unit: about 1 GB of memory and 45 s
const entryPoint = /^(int main\(|extern "C" int LLVMFuzzerTestOneInput)/m;

/** Flags of a command without compiler, input, output, warnings and debug data. A flag and its separate value are one string. */
export function flagsOf(command) {
  const words = command.match(/(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/g).slice(1);
  const found = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (/^-[oc]$/.test(word)) words.shift();
    else if (/^-(isystem|include|Xclang)$/.test(word)) found.push(`${word} ${words.shift()}`);
    else if (!/^-[gW]/.test(word)) found.push(word);
  }
  return found;
}

const macros = (flags) => new Map(flags.filter((flag) => flag.startsWith('-D')).map((flag) => flag.split(/=(.*)/s)));

/** True if no macro has two values. */
function agree(left, right) {
  const known = macros(left);
  return [...macros(right)].every(([name, value]) => !known.has(name) || known.get(name) === value);
}

/** Units of files with flags: [{file, flags, starts}], where `starts` means a function main. Such a function is alone in its unit. */
export function units(files) {
  const found = [];
  for (const { file, flags, starts } of files) {
    const folder = path.posix.dirname(file);
    let unit = found.find(
      (each) =>
        each.folder === folder && each.files.length < mostFiles && !(starts && each.starts) && agree(each.flags, flags),
    );
    if (!unit) found.push((unit = { folder, files: [], flags: [], starts: false }));
    unit.files.push(file);
    unit.flags.push(...flags.filter((flag) => !unit.flags.includes(flag)));
    unit.starts ||= starts;
  }
  const count = new Map();
  for (const unit of found) {
    const number = (count.get(unit.folder) ?? 0) + 1;
    count.set(unit.folder, number);
    unit.name = unit.folder.replaceAll('/', '.') + (number > 1 ? `.${number}` : '');
  }
  return found;
}

/** All files of the tree that a source reads, itself included; paths from the root. */
export function inputsOf(root, file, flags, known = new Map()) {
  const folders = flags.filter((flag) => flag.startsWith('-I')).map((flag) => path.relative(root, flag.slice(2)));
  const seen = new Set();
  const read = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    if (!known.has(name))
      known.set(
        name,
        includes(readFileSync(path.join(root, name), 'utf8').split('\n')).filter(({ quoted }) => quoted),
      );
    for (const { name: included } of known.get(name)) {
      const places = [path.dirname(name), ...folders].map((folder) => path.join(folder, included));
      const place = places.find((each) => !each.startsWith('..') && existsSync(path.join(root, each)));
      if (place) read(place);
    }
  };
  read(file);
  return seen;
}

/** Findings of the output of clang-tidy: [{first, text}]. */
export function findings(output) {
  const found = [];
  for (const line of output.split('\n')) {
    if (/^\S+: (error|warning): /.test(line) || /^error: /.test(line)) found.push({ first: line, text: line });
    else if (found.length && line) found.at(-1).text += `\n${line}`;
  }
  return found;
}

/** Files of the build as units expect them, and headers with the flags of a source that includes them. */
function chosen(root, build, wanted) {
  const commands = JSON.parse(readFileSync(path.join(build, 'compile_commands.json'), 'utf8'));
  const sources = commands
    .map(({ file, command }) => ({ file: path.relative(root, file), flags: flagsOf(command) }))
    .filter(({ file }) => !file.startsWith('build/'))
    .sort((left, right) => (left.file < right.file ? -1 : 1));
  const known = new Map();
  const found = sources.filter(({ file }) => wanted(file));
  const missing = new Set(wanted.headers ?? []);
  for (const { file, flags } of missing.size ? sources : []) {
    const inputs = inputsOf(root, file, flags, known);
    for (const header of missing) if (inputs.has(header) && missing.delete(header)) found.push({ file: header, flags });
  }
  for (const each of found) each.starts = entryPoint.test(readFileSync(path.join(root, each.file), 'utf8'));
  return found;
}

/** The choice of the command line: a function of a file, with `headers` to be checked without a source. */
function choice(root, [option, ...rest]) {
  if (option === undefined) return () => true;
  if (option !== '--since') {
    const folders = [option, ...rest].map((folder) => path.normalize(folder).replace(/\/*$/, '/'));
    return (file) => folders.some((folder) => file.startsWith(folder) || folder === './');
  }
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).split('\0');
  const changed = new Set([
    ...git('diff', '-z', '--name-only', '--diff-filter=d', rest[0], '--', '*.cpp', '*.h'),
    ...git('ls-files', '-z', '--others', '--exclude-standard', '--', '*.cpp', '*.h'),
  ]);
  const wanted = (file) => changed.has(file);
  wanted.headers = [...changed].filter((file) => file.endsWith('.h'));
  return wanted;
}

function run(tool, args, root) {
  return new Promise((resolve) => {
    const child = spawn(tool, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    child.on('error', (error) => resolve({ status: 1, output: '', errors: `error: ${tool}: ${error.message}\n` }));
    child.on('close', (status) => resolve({ status, output, errors }));
  });
}

/** Names the inputs of a unit by a hash. */
function hashOf(root, seed, unit, known) {
  const hash = createHash('sha256').update(seed).update(unit.flags.join(' ').replaceAll(root, '.'));
  const inputs = new Set(unit.files.flatMap((file) => [...inputsOf(root, file, unit.flags, known)]));
  for (const file of [...inputs].sort()) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

/** The parts of a unit that does not compile: sources and tests, then halves. */
export function partsOf(unit) {
  const tests = unit.files.filter((file) => file.endsWith('_test.cpp'));
  const rest = unit.files.filter((file) => !file.endsWith('_test.cpp'));
  const half = Math.ceil(unit.files.length / 2);
  const lists = tests.length && rest.length ? [rest, tests] : [unit.files.slice(0, half), unit.files.slice(half)];
  return lists.map((files, index) => ({ ...unit, files, name: `${unit.name}-${index + 1}` }));
}

/** Runs clang-tidy over a unit: {status, found, errors}. Two sources with the same name in an unnamed namespace split the unit. */
async function checked(unit, context) {
  const { root, place, tool, only } = context;
  const folder = path.join(place, unit.name);
  const file = path.join(folder, 'unit.cpp');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, unit.files.map((name) => `#include "${path.join(root, name)}"\n`).join(''));
  const command = `clang++ ${unit.flags.join(' ')} -ferror-limit=0 -c ${file}`;
  writeFileSync(path.join(folder, 'compile_commands.json'), JSON.stringify([{ directory: root, file, command }]));
  // A unit includes sources, which the check forbids elsewhere.
  const args = ['--quiet', '--checks=-bugprone-suspicious-include', ...only, '-p', folder, file];
  const { status, output, errors } = await run(tool, args, root);
  if (unit.files.length === 1 || !output.includes('[clang-diagnostic-error]'))
    return { status, found: findings(output), errors };
  const whole = { status: 0, found: [], errors: '' };
  for (const part of partsOf(unit)) {
    const result = await checked(part, context);
    whole.status ||= result.status;
    whole.found.push(...result.found);
    whole.errors += result.errors;
  }
  return whole;
}

async function main([tool, build, ...options]) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  const place = path.join(root, 'build', 'tidy');
  const clean = path.join(place, 'clean');
  mkdirSync(clean, { recursive: true });
  const files = chosen(root, path.resolve(build), choice(root, options));
  const all = units(files);
  const since = options[0] === '--since';
  const only = since ? [`--line-filter=${JSON.stringify(files.map(({ file }) => ({ name: `/${file}` })))}`] : [];
  const seed = [
    execFileSync(tool, ['--version'], { encoding: 'utf8' }),
    readFileSync(path.join(root, '.clang-tidy'), 'utf8'),
    ...only,
  ].join('\0');
  const known = new Map();
  for (const unit of all) unit.stamp = hashOf(root, seed, unit, known);
  if (!options.length) {
    const stamps = new Set(all.map(({ stamp }) => stamp));
    for (const name of readdirSync(clean)) if (!stamps.has(name)) rmSync(path.join(clean, name));
  }
  const waiting = all
    .filter(({ stamp }) => !existsSync(path.join(clean, stamp)))
    .sort((left, right) => right.files.length - left.files.length);
  const [total, shown] = [all.length, new Set()];
  let [done, failed] = [total - waiting.length, 0];
  const work = async () => {
    for (let unit = waiting.shift(); unit; unit = waiting.shift()) {
      const begun = Date.now();
      const { status, found, errors } = await checked(unit, { root, place, tool, only });
      if (status === 0) writeFileSync(path.join(clean, unit.stamp), '');
      else failed += 1;
      const seconds = Math.round((Date.now() - begun) / 1000);
      console.log(`[${(done += 1)}/${total}] ${unit.name}: ${unit.files.length} files, ${seconds} s`);
      for (const { first, text } of found) if (!shown.has(first) && shown.add(first)) console.log(text);
      if (status !== 0 && !found.length) console.log(errors);
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.TIDY_JOBS ?? 1) }, work));
  console.log(`clean ${total - failed}, with findings ${failed}`);
  process.exitCode = failed ? 1 : 0;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await main(process.argv.slice(2));
