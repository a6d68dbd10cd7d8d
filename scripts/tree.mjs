// SPDX-License-Identifier: Apache-2.0
// Shared by the checks of the repository: the files of the tree, their kinds, and the resolution of includes.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const skippedFolders = new Set(['.git', 'node_modules', 'build', 'dist', '.peers', '.cache']);

// The files that git would track, new files included; every file without git.
export function listedFiles(root) {
  try {
    if (existsSync(path.join(root, '.git'))) {
      const names = execFileSync('git', ['-C', root, 'ls-files', '-co', '-z', '--exclude-standard'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return names
        .split('\0')
        .filter((name) => name && existsSync(path.join(root, name)) && statSync(path.join(root, name)).isFile());
    }
  } catch {
    // Without the program git: walk the folders.
  }
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) walk(name);
      if (entry.isFile()) found.push(name);
    }
  };
  walk('');
  return found;
}

export const code = /\.(h|cpp)$/;
export const source = /(\.(h|cpp|ts|tsx|js|mjs|css|sh|go)|^(bench\/)?run|^check|^\.ci\/run)$/;

// The licence in the form of the SPDX standard: the first line of each source, after an interpreter line.
export const licence = /^(\/\/|#|\/\*) SPDX-License-Identifier: Apache-2\.0( \*\/)?$/;

// Tests are beside the code, like their shared files: test_messages.h, page_test_support.h.
export const isTest = (file) =>
  /(^|\/)(test_[a-z0-9_]+|([a-z0-9_]+_)?test(_support)?)\.[a-z]+$/.test(file) || file.startsWith('tests/');

// The includes of a source: [{line, name, quoted}].
export function includes(lines) {
  return lines.flatMap((text, index) => {
    const match = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(text);
    return match ? [{ line: index + 1, name: match[2], quoted: match[1] === '"' }] : [];
  });
}

// The file of an include, or '': from src/, from the repository's root (tests/support/…), or beside the includer.
export function includedFile(name, from, files) {
  return (
    [`src/${name}`, name, path.posix.join(path.posix.dirname(from), name)].find((candidate) => files.has(candidate)) ??
    ''
  );
}

// Strongly connected components by Tarjan's algorithm. `edges` is a Map from a node to an iterable of nodes.
export function circles(edges) {
  const number = new Map();
  const lowest = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    number.set(node, number.size);
    lowest.set(node, number.get(node));
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!number.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)));
    }
    if (lowest.get(node) !== number.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group.sort());
  };
  for (const node of edges.keys()) if (!number.has(node)) visit(node);
  return found;
}
