// SPDX-License-Identifier: Apache-2.0
// The real iFlow SDK (0.1.2) as the client of `parlance serve-acp --iflow --port N`, for many consecutive turns: the SDK loses frames that
// arrive too fast, and then waits endlessly. Prints a line for each finished turn, and "end".
//
//   SDK=…/node_modules URL=ws://… WORK=… ROUNDS=50 [FILES=off|read_only] node face_iflow_client.mjs
import { readFileSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { IFlowClient } = await import(pathToFileURL(`${process.env.SDK}/@iflow-ai/iflow-cli-sdk/dist/index.mjs`).href);
const rounds = Number(process.env.ROUNDS ?? '50');
// The SDK checks for a listener at the url, and then starts no program; with autostart off, the SDK ignores the url.
const client = new IFlowClient({
  url: process.env.URL,
  autoStartProcess: true,
  cwd: process.env.WORK,
  timeout: 60_000,
  permissionMode: 'auto',
  logLevel: 'ERROR',
  fileAccess: process.env.FILES !== 'off',
  fileReadOnly: process.env.FILES === 'read_only',
});
await client.connect();

async function turn(words) {
  await client.sendMessage(words);
  let text = '';
  let outputs = '';
  const tools = [];
  const errors = [];
  for await (const message of client.receiveMessages()) {
    if (message.type === 'assistant' && message.chunk?.text) text += message.chunk.text;
    if (message.type === 'tool_call') {
      tools.push(message.status);
      outputs += message.output ?? '';
    }
    if (message.type === 'error') errors.push(message.message);
    if (message.type === 'task_finish') return { stop: message.stopReason, errors, text, tools, outputs };
  }
  throw new Error('no end');
}

const note = `${process.env.WORK}/note.txt`;
const onDisk = () => {
  try {
    return readFileSync(note, 'utf8');
  } catch {
    return '';
  }
};
const ran = ({ tools }) => tools.includes('completed');
// The visible effect of each play, besides its end.
const plays = [
  ['markdown', ({ text }) => text.includes('#')],
  ['write note.txt hello', (turn) => ran(turn) && onDisk().startsWith('hello')],
  ['ask', () => true], // this SDK knows no questions: the SDK says so, and the turn continues
  ['long 400', ({ text }) => text.split(/\s+/).length >= 400],
  ['run echo hello', (turn) => ran(turn) && turn.outputs.includes('hello')],
  ['read note.txt', (turn) => ran(turn) && turn.outputs.includes('hello')],
];
rmSync(note, { force: true });
for (let i = 0; i < rounds; ++i) {
  const [words, seen] = plays[i % plays.length];
  const done = await turn(words);
  console.log(
    done.stop === 'end_turn' && seen(done) && done.errors.length === 0
      ? `ok ${i}`
      : `NOT ${i} ${words}: ${JSON.stringify(done).slice(0, 600)}`,
  );
}
console.log('end');
process.exit(0);
