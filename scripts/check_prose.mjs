// SPDX-License-Identifier: Apache-2.0
// Measures the English of the tree: pages, comments, texts for users, descriptions of fields, names of tests, commit subjects.
//
//   node scripts/check_prose.mjs             prints each fault; exit code 1 after a fault
//   node scripts/check_prose.mjs FILE…       prints the figures of these files, listed exceptions included
//   node scripts/check_prose.mjs --worst     also prints the ten worst files of each kind
//   node scripts/check_prose.mjs --shrink    removes entries of passing and deleted files from scripts/prose_exceptions.txt
//   node scripts/check_prose.mjs --open      prints all entries that the list needs, for use after files moved
//
// scripts/prose_exceptions.txt lists the files that fail today. The list may only get shorter: a passing entry is a fault too.
// docs/style.md explains the rules.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { textsOf } from './prose_texts.mjs';
import { listedFiles } from './tree.mjs';

export const limits = { pronouns: 4, long: 5, sentence: 30, leastWords: 60, subject: 72 };
// Commit subjects are checked from this revision on. A clone without the revision, such as a shallow clone, skips them.
export const base = '48ccd863b844096ccf8a26f858e062e7911beb62';
const listName = 'scripts/prose_exceptions.txt';

const pronouns = new Set(
  'what who whoever whom whose one those nobody somebody anybody it that which nothing there they them'.split(' '),
);
const phrases = new RegExp(
  [
    'anew',
    'whoever',
    'of before',
    'no more(?! than)',
    'for ever',
    'mend(?:s|ed|ing)?',
    '(?:is|are) told',
    'stands? in',
    'lies? in',
    'goes along',
    'as it stands',
    'by itself alone',
    'lets? go of',
  ]
    .map((each) => `\\b${each}\\b`)
    .join('|'),
  'i',
);
const whatIs = /^what\b[^?]*\b(?:is|are)\b[^?]*$/i; // a clause in place of a noun; questions pass

// The sentences of a text with at least four words, each with its words.
export function sentences(text) {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      paragraph
        .trim()
        .replace(/\s+/g, ' ')
        .split(/(?<=[.!?:;])\s+(?=[A-Z`"(*[])/),
    )
    .map((sentence) => ({ sentence, words: sentence.match(/[A-Za-z']+/g) ?? [] }))
    .filter((each) => each.words.length >= 4);
}

const isPronoun = (word) => pronouns.has(word.toLowerCase());
const perCent = (part, whole) => (whole ? (100 * part) / whole : 0);

function forbidden(sentence) {
  const text = sentence.replace(/`[^`]*`/g, '');
  return phrases.exec(text)?.[0] ?? (whatIs.test(text) ? 'what … is' : '');
}

// The figures of a text: shares in per cent, forbidden phrases, and the sentence with the most pronouns.
export function measured(text) {
  const all = sentences(text);
  const words = all.flatMap((each) => each.words);
  const share = (each) => (each.words.length > 6 ? perCent(each.words.filter(isPronoun).length, each.words.length) : 0);
  return {
    words: words.length,
    pronouns: perCent(words.filter(isPronoun).length, words.length),
    long: perCent(all.filter((each) => each.words.length > limits.sentence).length, all.length),
    phrases: [...new Set(all.map((each) => forbidden(each.sentence).toLowerCase()).filter(Boolean))],
    worst: all.reduce(
      (worst, each) => (share(each) > share(worst) ? each : worst),
      all[0] ?? { sentence: '', words: [] },
    ).sentence,
  };
}

// The reason for which a text fails, or ''. Shares of texts below 60 words are not judged: a single word would decide.
function faultOf({ words, pronouns: share, long, phrases: found, worst }, short = 0) {
  const why = [];
  if (words >= limits.leastWords && share > limits.pronouns)
    why.push(`${share.toFixed(1)} % pronoun-like words, the limit is ${limits.pronouns} %`);
  if (words >= limits.leastWords && long > limits.long)
    why.push(`${long.toFixed(0)} % of the sentences have over ${limits.sentence} words, the limit is ${limits.long} %`);
  if (found.length) why.push(`forbidden: ${found.map((each) => `"${each}"`).join(', ')}`);
  if (short) why.push(`${short} descriptions have fewer than three words`);
  return why.length && share > limits.pronouns ? `${why.join('; ')}; such as "${worst.slice(0, 110)}"` : why.join('; ');
}

// Every text of a tree: [{key: "kind file", fault, figures}].
function judged(root, files = listedFiles(root)) {
  return files.flatMap((file) => {
    if (!/\.(md|h|cpp|ts|tsx|mjs|json|sh)$|^(bench\/)?run$|^check$|^\.ci\/run$/.test(file)) return [];
    return textsOf(file, readFileSync(path.join(root, file), 'utf8')).map(({ kind, text, short }) => {
      const figures = measured(text);
      return { key: `${kind} ${file}`, kind, file, figures, fault: faultOf(figures, short) };
    });
  });
}

// Lists imperatives with the endings of other verb forms: third person, past and gerund do not pass.
const imperative =
  /^(?:(?:need|feed|seed|embed|shed|speed|bring|string|ring|pass|bypass|process|address|access|express|discuss|focus|compress|suppress|guess|miss|press)$|(?!.*(?:[^s]s|ed|ing)$))/i;

// The reason for which a commit subject fails, or ''.
export function subjectFault(subject) {
  const [, verb] = /^[a-z0-9_/.,+-]+: ([\w`"-]+)/.exec(subject) ?? [];
  if (!verb) return 'is not "scope: imperative summary"';
  if (subject.length > limits.subject) return `has ${subject.length} characters, the limit is ${limits.subject}`;
  if (subject.endsWith('.')) return 'ends with a full stop';
  return imperative.test(verb) ? '' : `does not begin with an imperative but with "${verb}"`;
}

// The failing subjects since the base revision; none in a clone without the base revision.
export function badSubjects(root, since = base) {
  const git = (...words) =>
    execFileSync('git', ['-C', root, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    git('merge-base', '--is-ancestor', since, 'HEAD');
    const lines = git('log', '--no-merges', '--format=%H %s', `${since}..HEAD`).split('\n').filter(Boolean);
    return lines
      .map((line) => ({
        key: `commit ${line.slice(0, 12)}`,
        fault: subjectFault(line.slice(41)),
        subject: line.slice(41),
      }))
      .filter((each) => each.fault);
  } catch {
    return [];
  }
}

const listLines = (root) =>
  existsSync(path.join(root, listName)) ? readFileSync(path.join(root, listName), 'utf8').split('\n') : [];
const isEntry = (line) => line.trim() !== '' && !line.startsWith('#');

// All failing texts and subjects of a tree: Map from "kind file" to the reason.
function failing(root, since) {
  const commits = badSubjects(root, since).map((each) => [each.key, `"${each.subject}" ${each.fault}`]);
  return new Map([
    ...judged(root)
      .filter((each) => each.fault)
      .map((each) => [each.key, each.fault]),
    ...commits,
  ]);
}

// Every fault of a tree, a line each.
export function faults(root, since = base, found = failing(root, since)) {
  const known = new Set(listLines(root).filter(isEntry));
  return [
    ...[...found].filter(([key]) => !known.has(key)).map(([key, why]) => `${key}: ${why}`),
    ...[...known]
      .filter((key) => !found.has(key))
      .map((key) => `${listName}: "${key}" passes now, or is gone: remove it (node scripts/check_prose.mjs --shrink)`),
  ];
}

// The list of exceptions without passing entries.
export function shrunk(root, since = base, found = failing(root, since)) {
  return listLines(root)
    .filter((line) => !isEntry(line) || found.has(line))
    .join('\n');
}

function printWorst(all) {
  for (const kind of ['docs', 'texts', 'descriptions', 'names', 'comments']) {
    const ofKind = all.filter((each) => each.kind === kind && each.figures.words >= limits.leastWords);
    const words = ofKind.reduce((sum, each) => sum + each.figures.words, 0);
    const share =
      ofKind.reduce((sum, each) => sum + each.figures.words * each.figures.pronouns, 0) / Math.max(1, words);
    console.log(`\n${kind}: ${words} words in ${ofKind.length} files, ${share.toFixed(1)} % pronoun-like`);
    for (const each of ofKind.sort((a, b) => b.figures.pronouns - a.figures.pronouns).slice(0, 10))
      console.log(`${each.figures.pronouns.toFixed(1).padStart(6)} %  ${each.file}`);
  }
}

function printFigures(each) {
  const { words, pronouns: share, long } = each.figures;
  console.log(
    `${each.key}: ${words} words, ${share.toFixed(1)} % pronoun-like, ${long.toFixed(0)} % long sentences${each.fault ? `\n    ${each.fault}` : ''}`,
  );
}

function main(options) {
  const root = path.resolve(path.join(path.dirname(fileURLToPath(import.meta.url)), '..'));
  const named = options.filter((each) => !each.startsWith('-'));
  if (named.length) {
    const texts = judged(
      root,
      named.map((each) => path.relative(root, path.resolve(each))),
    );
    texts.filter((each) => each.figures.words).forEach(printFigures);
    process.exitCode = texts.some((each) => each.fault) ? 1 : 0;
    return;
  }
  const found = failing(root, base);
  if (options.includes('--open')) return void [...found.keys()].sort().forEach((key) => console.log(key));
  if (options.includes('--shrink')) writeFileSync(path.join(root, listName), shrunk(root, base, found));
  if (options.includes('--worst')) printWorst(judged(root));
  const wrong = faults(root, base, found);
  for (const line of wrong) console.log(line);
  process.exitCode = wrong.length ? 1 : 0;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
