// SPDX-License-Identifier: Apache-2.0
// The peers of bench_acp: the reference SDK of ACP as a client, and JSON.parse alone.
//   node acp_client.mjs PEERS sdk|raw updates N CMD…|ws://…   ms of wall and of this process' processor time, the median of 9
//   node acp_client.mjs PEERS sdk round_trips CMD…            microseconds, p50 and p99 of 5,000
//   node acp_client.mjs PEERS agent                           the other side of round_trips, on the SDK
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [peers, kind, what, ...rest] = process.argv.slice(2);
const modules = path.join(path.resolve(peers), 'node_modules');
const load = async (...parts) => import(pathToFileURL(path.join(modules, ...parts)).href);
const acp = await load('@agentclientprotocol/sdk/dist/v1/stable/acp.js');
const quantile = (all, share) => all.sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))];
const started = (words) => spawn(words[0], words.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
let updates = 0;

if (kind === 'agent') {
  const M = acp.methods.agent;
  acp
    .agent({ name: 'bench' })
    .onRequest(M.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(M.session.new, () => ({ sessionId: 's' }))
    .onRequest(M.session.setMode, () => ({}))
    .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
} else {
  const words = what === 'updates' ? rest.slice(1) : rest;
  const request = kind === 'sdk' ? await sdkClient(words) : await rawClient(words);
  await request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  await request('session/new', { cwd: '/', mcpServers: [] });
  if (what === 'updates') await measureUpdates(request, Number(rest[0]));
  else await measureRoundTrips(request);
  process.exit(0);
}

async function measureUpdates(request, count) {
  const wall = [];
  const cpu = [];
  for (let round = 0; round < 9; ++round) {
    updates = 0;
    const begun = performance.now();
    const before = process.cpuUsage();
    await request('session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: `flood ${count}` }] });
    const used = process.cpuUsage(before);
    wall.push(performance.now() - begun);
    cpu.push((used.user + used.system) / 1000);
    if (updates !== count) throw new Error(`${updates} of ${count} updates arrived`);
  }
  console.log(`updates ${count} wall_ms ${quantile(wall, 0.5).toFixed(2)} cpu_ms ${quantile(cpu, 0.5).toFixed(2)}`);
}

async function measureRoundTrips(request) {
  const took = [];
  for (let i = 0; i < 5000; ++i) {
    const begun = performance.now();
    await request('session/set_mode', { sessionId: 's', modeId: 'ask' });
    took.push((performance.now() - begun) * 1000);
  }
  console.log(
    `round_trips ${took.length} p50_us ${quantile(took, 0.5).toFixed(2)} p99_us ${quantile(took, 0.99).toFixed(2)}`,
  );
}

async function sdkClient(words) {
  const app = acp.client({ name: 'bench' }).onNotification(acp.methods.client.session.update, () => {
    ++updates;
  });
  let stream;
  if (words[0].startsWith('ws://')) {
    const { createWebSocketStream } = await load('@agentclientprotocol/sdk/dist/transports/ws-stream.js');
    const { WebSocket } = await load('ws/wrapper.mjs');
    stream = createWebSocketStream(words[0], { WebSocket });
  } else {
    const child = started(words);
    stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  }
  const connection = app.connect(stream);
  return (method, params) => connection.agent.request(method, params);
}

// The minimum of any client on Node.
async function rawClient(words) {
  const waiting = new Map();
  let last = 0;
  const take = (text) => {
    const message = JSON.parse(text);
    if (message.method) ++updates;
    else waiting.get(message.id)(message.result);
  };
  let send;
  if (words[0].startsWith('ws://')) {
    const { WebSocket } = await load('ws/wrapper.mjs');
    const socket = new WebSocket(words[0], { perMessageDeflate: false });
    await new Promise((opened) => socket.on('open', opened));
    socket.on('message', (data) => take(data.toString()));
    send = (text) => socket.send(text);
  } else {
    const child = started(words);
    createInterface({ input: child.stdout }).on('line', take);
    send = (text) => child.stdin.write(`${text}\n`);
  }
  return (method, params) =>
    new Promise((answered) => {
      waiting.set(++last, answered);
      send(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }));
    });
}
