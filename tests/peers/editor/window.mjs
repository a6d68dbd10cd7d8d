// An editor's window whose person never answers: it serves what needs nobody, and prints the methods that it hears.
//   node window.mjs SOCKET [mute]      mute: it answers nothing at all
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const answers = {
  initialize: () => ({ protocol: 1, editor: { name: 'window.mjs', version: '1' }, methods: ['ping', 'openDiff'] }),
  ping: () => ({ pong: true }),
  getActiveFile: () => ({ success: false, error: 'No active file' }),
};
createServer((socket) => {
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    console.log(method, params.path ?? params.id ?? '');
    if (id === undefined || method === 'openDiff' || process.argv[3] === 'mute') return;
    const answer = answers[method] ? { result: answers[method]() } : { error: { code: -32601, message: `Method not found: ${method}` } };
    socket.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\n');
  });
}).listen(process.argv[2], () => console.log('listening'));
