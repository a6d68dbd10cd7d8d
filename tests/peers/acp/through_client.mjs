// SPDX-License-Identifier: Apache-2.0
// The reference SDK's client at `parlance serve-acp --agent tester`, behind which the reference SDK's agent runs: what one says the other hears.
//   SDK=…/node_modules PARLANCE=… WORK=… CONFIG=parlance.toml node through_client.mjs
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const acp = await import(pathToFileURL(`${process.env.SDK}/@agentclientprotocol/sdk/dist/v1/stable/acp.js`).href);
const cwd = process.env.WORK;
fs.mkdirSync(cwd, { recursive: true });
const child = spawn(process.env.PARLANCE, ['serve-acp', '--config', process.env.CONFIG, '--agent', 'tester'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});

const check = (name, holds, ...more) =>
  console.log(holds ? `ok ${name}` : `NOT ${name}: ${more.map((one) => JSON.stringify(one)).join(' ')}`);
let said = '';
let onText = () => {};
const kinds = new Set();
const asked = [];
const app = acp
  .client({ name: 'reference' })
  .onNotification(acp.methods.client.session.update, ({ params: { update } }) => {
    kinds.add(update.sessionUpdate);
    if (update.sessionUpdate === 'agent_message_chunk') {
      said += update.content.text;
      onText();
    }
  })
  .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
    asked.push(params);
    return {
      outcome: { outcome: 'selected', optionId: params.options.find((one) => one.kind === 'allow_once').optionId },
    };
  });
const { agent } = app.connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
const ask = (method, params) => agent.request(method, params);
const turn = async (text) => {
  said = '';
  return ask(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
};

await ask(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
const mcpServers = [
  { name: 'editors', command: '/bin/editor-server', args: ['--x'], env: [{ name: 'A', value: '1' }] },
  {
    type: 'http',
    name: 'web',
    url: 'https://example.invalid/mcp',
    headers: [{ name: 'Authorization', value: 'Bearer b' }],
  },
];
const { sessionId } = await ask(acp.methods.agent.session.new, { cwd, mcpServers });

const { stopReason } = await turn('hello');
check('a turn', stopReason === 'end_turn' && said.startsWith('echo: hello'), stopReason, said);

await turn('scenario:servers');
const servers = JSON.parse(said);
check(
  'the servers of the configuration and of the client',
  JSON.stringify(servers.map((one) => one.name)) === '["ours","editors","web"]',
  servers,
);
check(
  'a program with its words and variables',
  JSON.stringify(servers[1]) === JSON.stringify(mcpServers[0]),
  servers[1],
);
check(
  'an address with its headers',
  servers[2].url === mcpServers[1].url && JSON.stringify(servers[2].headers) === JSON.stringify(mcpServers[1].headers),
  servers[2],
);

await turn('scenario:updates');
check(
  'plans, thoughts and tools',
  ['plan', 'agent_thought_chunk', 'tool_call', 'tool_call_update'].every((one) => kinds.has(one)),
  [...kinds],
);

await turn(`scenario:edit ${JSON.stringify({ path: `${cwd}/made.txt`, text: 'made\n' })}`);
check('a change asked about once', asked.length === 1, asked.length);
check('… and made', fs.readFileSync(`${cwd}/made.txt`, 'utf8') === 'made\n');

const begun = new Promise((resolve) => {
  onText = () => said.includes('waiting') && resolve();
});
const waiting = turn('scenario:wait');
await begun;
await agent.notify(acp.methods.agent.session.cancel, { sessionId });
check('a cancel', (await waiting).stopReason === 'cancelled');

child.stdin.end();
await new Promise((resolve) => child.once('exit', resolve));
console.log('end');
process.exit(0);
