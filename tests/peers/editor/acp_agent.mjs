// SPDX-License-Identifier: Apache-2.0
// An agent of ACP that starts the MCP server it is given and says what a tool of it answers; asked what it was told, it says its prompt.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const say = (to, message) => to.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let servers = [];

function askEditor() {
  const server = servers.find((one) => one.name === 'editor');
  if (!server) return Promise.resolve(`no editor among ${servers.map((one) => one.name).join(' ')}`);
  // As few variables of its own as can be: what the server needs has to be said.
  const env = { PATH: process.env.PATH, ...Object.fromEntries(server.env.map((one) => [one.name, one.value])) };
  const child = spawn(server.command, server.args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.id === 1)
        say(child.stdin, { id: 2, method: 'tools/call', params: { name: 'editor_selection', arguments: {} } });
      if (message.id === 2) {
        child.stdin.end();
        resolve(message.result.content[0].text);
      }
    });
    say(child.stdin, {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    });
  });
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  if (method === 'initialize') say(process.stdout, { id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === 'session/new') {
    servers = params.mcpServers;
    say(process.stdout, { id, result: { sessionId: 's' } });
  } else if (method === 'session/prompt') {
    const told = params.prompt.map((one) => one.text ?? '').join('');
    const text = told.endsWith('what were you told?') ? told : await askEditor();
    say(process.stdout, {
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
    });
    say(process.stdout, { id, result: { stopReason: 'end_turn' } });
  } else say(process.stdout, { id, error: { code: -32601, message: method } });
});
