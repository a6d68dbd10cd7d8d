// SPDX-License-Identifier: Apache-2.0
// The peer of bench/json_lines.cpp: the same messages with vscode-jsonrpc and its framing on both sides, over pipes.
//
//   node json_rpc.mjs FOLDER_OF_NODE_MODULES sequential|flight|notify SECONDS
//
// Prints the lines of bench/measure.h.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const [, self, modules, mode, seconds] = process.argv;
const rpc = createRequire(modules + '/')('vscode-jsonrpc/node');

const textBytes = 140;
const callsInFlight = 64;
const warmUpMs = 1000; // until the just-in-time compiler has had its time

function connect(input, output) {
  return rpc.createMessageConnection(new rpc.StreamMessageReader(input), new rpc.StreamMessageWriter(output));
}

function child() {
  const connection = connect(process.stdin, process.stdout);
  let notices = 0;
  connection.onRequest('echo', (params) => params);
  connection.onNotification('tell', () => {
    notices += 1;
  });
  connection.onRequest('counted', () => ({ count: notices }));
  connection.onRequest('cpu', () => ({ micros: cpu() }));
  connection.onClose(() => process.exit(0));
  connection.listen();
}

function cpu() {
  const used = process.cpuUsage();
  return used.user + used.system;
}

async function parent() {
  const other = spawn(process.execPath, [fileURLToPath(import.meta.url), modules, 'child'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = connect(other.stdout, other.stdin);
  connection.listen();
  // Both sides are ready before the measurement begins.
  await connection.sendRequest('echo', { text: '' });
  const cpuBefore = cpu() + (await connection.sendRequest('cpu')).micros;
  const message = { text: 'x'.repeat(textBytes) };
  const begin = performance.now() + warmUpMs;
  const end = begin + Number(seconds) * 1000;
  let measured = 0;
  let total = 0;
  const count = (n) => {
    total += n;
    const now = performance.now();
    if (now >= begin) measured += n;
    return now < end;
  };

  async function caller() {
    do {
      const reply = await connection.sendRequest('echo', message);
      if (reply.text.length !== textBytes) throw new Error('a wrong answer');
    } while (count(1));
  }

  // With bounded memory, a wait at every 64th message is the fastest known way.
  async function notifier() {
    const round = 6400;
    let sent = 0;
    do {
      for (let i = 0; i < round; ++i, ++sent) {
        const told = connection.sendNotification('tell', message);
        if (i % 64 === 63) await told;
      }
      const arrived = await connection.sendRequest('counted');
      if (arrived.count !== sent) throw new Error('notifications were lost');
    } while (count(round));
  }

  if (mode === 'notify') await notifier();
  else await Promise.all(Array.from({ length: mode === 'flight' ? callsInFlight : 1 }, caller));
  const wall = (performance.now() - begin) / 1000;
  const used = cpu() + (await connection.sendRequest('cpu')).micros - cpuBefore;
  console.log(`${(measured / wall).toFixed(0)} ${(used / total).toFixed(4)} ${total}`);
  process.exit(0);
}

if (mode === 'child') child();
else if (['sequential', 'flight', 'notify'].includes(mode) && Number(seconds) > 0) await parent();
else {
  console.error(`usage: node ${self} FOLDER_OF_NODE_MODULES sequential|flight|notify SECONDS`);
  process.exit(2);
}
