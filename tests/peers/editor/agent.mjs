// SPDX-License-Identifier: Apache-2.0
// An agent in Node: readline over stdin, an answer to a promise by its id. What it finds out it prints as text, a line each.
import { createInterface } from 'node:readline';

const waiting = new Map();
let last = 0;
let typed;
const firstTyped = new Promise((resolve) => {
  typed = resolve;
});
createInterface({ input: process.stdin }).on('line', (line) => {
  if (!line.startsWith('{')) return typed(line);
  const message = JSON.parse(line);
  if (message.method === 'userInput') return typed(message.params.text);
  waiting.get(message.id)?.(message.result ?? message.error);
  waiting.delete(message.id);
});

const request = (method, params = {}) =>
  new Promise((resolve) => {
    last += 1;
    waiting.set(last, resolve);
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }) + '\n');
  });
const say = (...words) => console.log(...words);

say('node agent');
const about = await request('initialize', { protocol: 1, client: { name: 'agent.mjs', version: '1' } });
say('editor', about.editor.name, about.methods.length);
const { file } = await request('getActiveFile');
say('file', file.language, file.lineCount);
const diff = await request('openDiff', { path: file.path, newContent: 'int main() {}\n', title: 'Shorter' });
say('diff', diff.outcome, JSON.stringify(diff.finalContent));
say(
  'choice',
  (
    await request('confirmDialog', {
      title: 'Sure?',
      message: 'm',
      options: [
        { id: 'no', label: 'No' },
        { id: 'yes', label: 'Yes', isDefault: true },
      ],
    })
  ).choice,
);
say('folders', (await request('getWorkspaceFolders')).folders.length);
const at = { line: 0, character: 0 };
const edits = [
  { path: file.path, textEdits: [{ range: { start: at, end: at }, newText: '// é\n' }] },
  { path: file.path + '.new', create: true },
];
say(
  'edits',
  (await request('applyEdits', { label: 'Both', edits })).files.length,
  (await request('readDocument', { path: file.path, endLine: 1 })).content.trim(),
);
const [wrong] = (await request('getDiagnostics', { severity: 'Error' })).files;
say('wrong', wrong.diagnostics.length, JSON.stringify(wrong.diagnostics[0].range.start), wrong.diagnostics[0].code);
say('outside', (await request('readDocument', { path: '/etc/hostname' })).success);
const many = await Promise.all(Array.from({ length: 64 }, () => request('ping')));
say('pings', many.filter((one) => one.pong).length);
say('typed', JSON.stringify(await firstTyped));
process.exit(0);
