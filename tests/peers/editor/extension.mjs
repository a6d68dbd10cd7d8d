// SPDX-License-Identifier: Apache-2.0
// An editor: it starts the program, and takes every line of its stdout for a JSON document.
//   node extension.mjs PROGRAM
import { spawn } from 'node:child_process';

const program = spawn(process.argv[2], [], {
  env: { ...process.env, VSCODE_INTEGRATION: 'true' },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = {
  getActiveFile: () => ({
    success: true,
    file: { path: '/w/ä.cpp', content: 'int main(){}\n', language: 'cpp', lineCount: 2 },
  }),
  showDiff: ({ title, modifiedContent }) => ({ success: true, message: `Diff shown: ${title} ${modifiedContent}` }),
  ping: () => ({ pong: true }),
};
let unread = 0;
program.stdout.on('data', (data) => {
  for (const piece of data
    .toString()
    .split('\n')
    .filter((one) => one !== '')) {
    let request;
    try {
      request = JSON.parse(piece);
    } catch {
      unread += 1;
      continue;
    }
    if (request.id === undefined || request.method === 'never') continue;
    const handler = answers[request.method];
    const answer = handler
      ? { result: handler(request.params) }
      : { error: { code: -32601, message: `Method not found: ${request.method}` } };
    program.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer }) + '\n');
  }
});
program.on('close', (code) => console.log(`unread ${unread} code ${code}`));
