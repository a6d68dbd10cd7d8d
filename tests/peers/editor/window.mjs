// SPDX-License-Identifier: Apache-2.0
// An editor's window whose person never answers: it serves what needs nobody, and prints the methods that it hears.
//   node window.mjs SOCKET [mute | mention]      mute: it answers nothing at all; mention: its person points at two lines once it is looked at
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const answers = {
  initialize: () => ({ protocol: 1, editor: { name: 'window.mjs', version: '1' }, methods: ['ping', 'openDiff'] }),
  ping: () => ({ pong: true }),
  getActiveFile: () => ({ success: false, error: 'No active file' }),
  readDocument: ({ startLine, endLine }) => ({
    success: true,
    content: `lines ${startLine} to ${endLine}`,
    version: 1,
    isDirty: false,
  }),
};
let mentioned =
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'atMentioned',
    params: { filePath: '/w/main.cpp', lineStart: 2, lineEnd: 3 },
  }) + '\n';
createServer((socket) => {
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    console.log(method, params.path ?? params.id ?? '');
    if (id === undefined || method === 'openDiff' || process.argv[3] === 'mute') return;
    const answer = answers[method]
      ? { result: answers[method](params) }
      : { error: { code: -32601, message: `Method not found: ${method}` } };
    const points = method === 'getActiveFile' && process.argv[3] === 'mention';
    socket.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\n' + (points ? mentioned : ''));
    if (points) mentioned = '';
  });
}).listen(process.argv[2], () => console.log('listening'));
