// SPDX-License-Identifier: Apache-2.0
// An agent of ACP for bench/acp.cpp, without SDK and validation. It serializes every update before the measurement.
//   node acp_agent.mjs              on stdio
//   node acp_agent.mjs WS_PACKAGE   on a WebSocket; the first line of stdout is its address
// Answers the prompt "flood N" with N updates and the end of the turn.
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const update = JSON.stringify({
  jsonrpc: '2.0',
  method: 'session/update',
  params: {
    sessionId: 's',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'lorem ipsum dolor sit amet ' } },
  },
});
const answers = {
  initialize: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] },
  'session/new': { sessionId: 's' },
  'session/set_mode': {},
};

function answer(text, flood, send) {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return;
  const count = method === 'session/prompt' ? Number(params.prompt[0].text.split(' ')[1]) : 0;
  flood(count);
  send(
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: method === 'session/prompt' ? { stopReason: 'end_turn' } : (answers[method] ?? {}),
    }),
  );
}

if (process.argv[2]) {
  const { WebSocketServer } = createRequire(path.join(path.resolve(process.argv[2]), 'package.json'))(
    path.resolve(process.argv[2]),
  );
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('listening', () => console.log(`ws://127.0.0.1:${server.address().port}/acp`));
  server.on('connection', (socket) => {
    const flood = (count) => {
      for (let i = 0; i < count; ++i) socket.send(update);
    };
    socket.on('message', (data) => answer(data.toString(), flood, (text) => socket.send(text)));
  });
} else {
  const made = new Map();
  const lines = (count) => made.get(count) ?? made.set(count, Buffer.from(`${update}\n`.repeat(count))).get(count);
  const flood = (count) => process.stdout.write(lines(count));
  createInterface({ input: process.stdin }).on('line', (line) =>
    answer(line, flood, (text) => process.stdout.write(`${text}\n`)),
  );
}
