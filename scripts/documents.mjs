// SPDX-License-Identifier: Apache-2.0
// Checks names in documents: texts in backticks and commands in blocks of code must exist in the tree. Checked are paths, file names, flags,
// commands of the project, and single words (identifiers, fields, targets, labels, tests, environment variables). Other texts (JSON, SQL,
// C++ with spaces) are ignored.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { isTest } from './tree.mjs';

const documents = /^(docs\/.*|CONTRIBUTING|README|bench\/README)\.md$/;
const codeFile =
  /(\.(h|cpp|ts|tsx|js|mjs|css|html|sh|cmake|json|jsonl|toml|go|py|txt|yml)|CMakeLists\.txt|^(bench\/)?run|^check|^\.ci\/run)$/;
// Files that list forbidden names, or names that documents may use anyway.
const noSource = /^(scripts\/(layout_rules|check_layout_test|figures_test)\.mjs|.*package-lock\.json)$/;
const fileName = /^[\w.*-]+\.(h|cpp|ts|tsx|mjs|js|css|html|md|sh|txt|json|jsonl|cmake|toml|db|go)$/;
const pathName = /^(?:\.\/)?[\w.@<>*-]+(?:\/[\w.@<>*-]*)+$/;
const word = /^~?[A-Za-z_]\w*(?:(?:::|\.|-)~?\w+)*(?:\(\))?$/;
const flag = /^(--[a-z][a-z0-9-]*)/;
const placeholder = /^(?:[A-Z][A-Z_]*|[A-Z]+:[A-Z]+|…|.*[<>|…[\]].*)$/;
const made = /^(build|\.peers)\//; // created by builds, not part of the tree

// `src/protocol/<p>/*dialect.cpp` as an expression.
function pattern(name) {
  const parts = name
    .replace(/\/$/, '')
    .split('/')
    .map((part) =>
      part === '**'
        ? '.*'
        : part
            .replace(/<[^>]*>/g, '*')
            .replace(/[.+]/g, '\\$&')
            .replace(/\*+/g, '[^/]*'),
    );
  return new RegExp(`^${parts.join('/').replace('/.*/', '/(?:.*/)?')}(?:\\.(?:h|cpp))?(?:/|$)`);
}

// The names of the tree, as used by documents.
class Tree {
  constructor(root, files, rules) {
    const sources = files.filter((file) => codeFile.test(file) && !noSource.test(file));
    this.files = files;
    this.tops = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
    this.house = rules.house;
    this.inner = new Set(
      files
        .filter((file) => file.startsWith(`${rules.house}/`))
        .map((file) => file.slice(rules.house.length + 1).split('/')[0]),
    );
    this.names = new Set(files.map((file) => path.posix.basename(file)));
    this.text = sources.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
    this.words = new Set(this.text.match(/\w+(?:-\w+)*/g));
    for (const name of this.text.match(/\w+/g) ?? []) this.words.add(name);
    for (const file of files) for (const part of file.split('/')) this.words.add(part).add(part.replace(/\.\w+$/, ''));
    this.tests =
      files
        .filter(isTest)
        .filter((file) => file.endsWith('.cpp'))
        .map((file) => readFileSync(path.join(root, file), 'utf8'))
        .join('\n')
        .match(/^\w*TEST\w*\((\w+), *(\w+)/gm) ?? [];
    this.commands = rules.commands.map((each) => {
      const text = files
        .filter((file) => each.files.test(file))
        .map((file) => readFileSync(path.join(root, file), 'utf8'))
        .join('\n');
      return { ...each, known: new Set([...text.matchAll(each.names)].flatMap((match) => match[1].split(/\s*\|\s*/))) };
    });
  }

  hasPath(name) {
    const expression = pattern(name.replace(/^\.\//, ''));
    return this.files.some((file) => expression.test(file));
  }

  hasWord(name) {
    return this.words.has(name) || this.text.includes(name);
  }
}

function pathFault(name, tree) {
  const top = name.replace(/^\.\//, '').split('/')[0];
  if (made.test(name)) return '';
  if (tree.tops.has(top)) return tree.hasPath(name) ? '' : `${name} does not exist`;
  if (tree.inner.has(top)) return tree.hasPath(`${tree.house}/${name}`) ? '' : `${tree.house}/${name} does not exist`;
  return '';
}

// A command line of the project: its subcommand, flags and files.
function commandFault(text, tree) {
  const words = text.split(/\s+/);
  const command = tree.commands.find((each) => each.call.test(words[0]));
  if (!command) return '';
  for (const [index, each] of words.slice(1).entries()) {
    if (each === '-R')
      return tree.tests.some((name) => name.includes(words[index + 2])) ? '' : `no test is called ${words[index + 2]}`;
    if (/^(#|--|--?[A-Z])$/.test(each)) break;
    const name = flag.exec(each)?.[1];
    if (name && !tree.hasWord(name.slice(2))) return `${words[0]} knows no ${name}`;
    if (command.every && /^[a-z-]+$/.test(each) && !command.known.has(each)) return `${words[0]} knows no "${each}"`;
  }
  const named = command.groups?.includes(words[1]) ? words.slice(1, 3) : words.slice(1, 2);
  const unknown = named.find((each) => /^[a-z][a-z-]*$/.test(each) && !command.known.has(each));
  return unknown ? `${words[0]} knows no "${unknown}"` : '';
}

function wordFault(text, tree) {
  const name = text.replace(/\(\)$/, '');
  if (tree.hasWord(name)) return '';
  const missing = name.split(/::|\./).find((part) => !tree.hasWord(part));
  return missing ? `${missing} is nowhere in the sources` : '';
}

// The fault of a text in backticks, or ''.
function spanFault(text, tree) {
  if (tree.commands.some((each) => each.call.test(text.split(/\s/)[0]))) return commandFault(text, tree);
  if (flag.test(text)) return tree.hasWord(flag.exec(text)[1].slice(2)) ? '' : `no source knows ${flag.exec(text)[1]}`;
  if (pathName.test(text)) return pathFault(text, tree);
  if (fileName.test(text))
    return tree.names.has(text) || tree.hasPath(`**/${text}`) || tree.hasWord(text) ? '' : `there is no ${text}`;
  return word.test(text) && !placeholder.test(text) ? wordFault(text, tree) : '';
}

// The command of a line in a block of code. Words after two spaces are an explanation.
function lineFault(text, tree) {
  const line = text.replace(/^\s*(?:\w+\$ +)?(?:[A-Z_]+=\S* )*/, '').replace(/^build\/\w+\/bin\//, '');
  const [call, ...rest] = line.split(/ {2,}/)[0].split(' ');
  if (call === 'node' || call === 'bash' || call === 'cmake')
    return (
      rest
        .filter((each) => pathName.test(each))
        .map((each) => pathFault(each, tree))
        .find(Boolean) ?? ''
    );
  return pathFault(call, tree) || commandFault([call, ...rest.filter((each) => each !== '|')].join(' '), tree);
}

// [file, line, fault] for each name that the tree does not have.
export function* documentFaults(root, files, rules) {
  const tree = new Tree(root, files, rules);
  const excused = new Set(Object.values(rules.namedAllTheSame ?? {}).flat());
  const used = new Set();
  const asked = (text, fault) => (fault && excused.has(text) ? used.add(text) && '' : fault);
  for (const file of files.filter((each) => documents.test(each) && !rules.generatedDocuments.test(each))) {
    let block = ''; // the language of the block of code that we are in
    for (const [index, line] of readFileSync(path.join(root, file), 'utf8').split('\n').entries()) {
      const fence = /^\s*```(\w*)/.exec(line);
      if (fence) block = block ? '' : fence[1] || 'text';
      else if (/^(text|sh|bash)$/.test(block)) {
        const what = asked(line.trim(), lineFault(line, tree));
        if (what) yield [file, index + 1, what];
      } else if (!block) {
        for (const [, text] of line.matchAll(/`([^`]+)`/g)) {
          const what = asked(text, spanFault(text, tree));
          if (what) yield [file, index + 1, `\`${text}\`: ${what}`];
        }
      }
    }
  }
  for (const text of excused)
    if (!used.has(text)) yield [rulesFile, 1, `no document names \`${text}\`, or it exists: take it off the list`];
}

const rulesFile = 'scripts/layout_rules.mjs';
