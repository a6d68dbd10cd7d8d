// SPDX-License-Identifier: Apache-2.0
// A copy of a deployed extension: starts the program in place of `python3 -m backend.cli`, and takes each piece of its stdout for a JSON
// document. Answers the first eight methods, and writes the person's typed lines to its stdin. Ends the program's input after the last line
// and a silence. UNKNOWN is the answer to an unknown method: an error code, or "result" for success: false.
//
//   node deployed_extension.mjs FOLDER TYPED PROGRAM [WORDS ...]
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [folder, typed, command, ...words] = process.argv.slice(2);
const path = `${folder}/main.cpp`;
const program = spawn(command, words, {
  cwd: folder,
  env: { ...process.env, VSCODE_INTEGRATION: 'true' },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const content = () => readFileSync(path, 'utf8');
const handlers = {
  ping: () => ({ pong: true }),
  getActiveFile: () => ({ success: true, file: { path, content: content(), language: 'cpp', lineCount: 2 } }),
  getSelection: () => ({
    success: true,
    selection: { text: '', start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  }),
  showDiff: ({ title }) => ({ success: true, message: `Diff shown: ${title}` }),
  applyChanges: ({ oldStr, newStr }) => {
    writeFileSync(path, content().split(oldStr).join(newStr));
    return { success: true, message: `Applied changes to ${path}` };
  },
  openFile: () => ({ success: true, message: `Opened file: ${path}` }),
  getWorkspaceFolder: () => ({ success: true, folder }),
};
const unknown = (method) =>
  process.env.UNKNOWN === 'result'
    ? { result: { success: false, error: `Unknown method: ${method}` } }
    : { error: { code: Number(process.env.UNKNOWN ?? -32601), message: `Method not found: ${method}` } };
const asked = [];
let pieces = 0;
program.stdout.on('data', (data) => {
  pieces += 1;
  const request = JSON.parse(data.toString()); // like the deployed extension: invalid JSON ends the program
  asked.push(request.method);
  const handler = handlers[request.method];
  const answer = handler ? { result: handler(request.params) } : unknown(request.method);
  // A delay like an editor's: other output meanwhile would join the next piece.
  setTimeout(() => program.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer }) + '\n'), 5);
});
program.stdin.write(
  typed
    .split('|')
    .map((line) => `${line}\n`)
    .join(''),
);
program.on('close', (code) => console.log(`pieces ${pieces} asked ${asked.join(' ')} code ${code}`));
