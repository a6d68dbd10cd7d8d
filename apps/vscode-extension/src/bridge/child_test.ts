// SPDX-License-Identifier: Apache-2.0
// The bridge over real pipes, with a Node program at the other end.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BridgeChild, type State } from './child';
import type { Message } from './framing';
import { handlersFor } from './methods';
import { MemoryEditor } from './test_editor';

// Asks for the active file at once, prints the answer, and ends on request.
const AGENT = `
process.stdout.write('hello from the agent\\n> ');
let n = 0;
const ask = (method, params = {}) => process.stdout.write('\\n' + JSON.stringify({ jsonrpc: '2.0', id: ++n, method, params }) + '\\n');
ask('getActiveFile');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'userInput' && message.params.text === 'die') process.exit(3);
  if (message.method === 'userInput' && message.params.text === '/exit') process.exit(0);
  if (message.method === 'userInput' && message.params.text === 'hang') { process.on('SIGTERM', () => {}); process.stdin.removeAllListeners(); process.stdout.write('hanging\\n'); return; }
  if (message.method === 'userInput' && message.params.text === 'deaf') { process.stdin.pause(); setInterval(() => process.stdout.write('still here\\n'), 20); return; }
  process.stdout.write('heard ' + line + '\\n');
  process.stderr.write('noted ' + (message.method ?? 'answer') + '\\n');
});
`;

let folder = '';
const stops: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-bridge-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

let reported = () => {};

function report<T>(list: T[], item: T): void {
  list.push(item);
  reported();
}

/** Resolves at the first report after which the condition holds. The limit of the test ends the wait. */
async function eventually(check: () => boolean): Promise<void> {
  while (!check()) await new Promise<void>((resolve) => (reported = resolve));
}

function make() {
  const program = join(folder, 'agent.cjs');
  writeFileSync(program, AGENT);
  const [texts, errors, states]: [string[], string[], State[]] = [[], [], []];
  const editor = new MemoryEditor();
  editor.active = { path: '/w/ä€😀.cpp', content: 'x'.repeat(300_000), language: 'cpp', lineCount: 1 };
  const child = new BridgeChild(
    () => ({ command: process.execPath, args: [program], cwd: folder, env: process.env }),
    handlersFor({ name: 'T', version: '1' }, editor).handlers,
    {
      text: (line) => report(texts, line),
      note: () => {},
      notified: () => {},
      stderr: (line) => report(errors, line),
      state: (state) => report(states, state),
    },
  );
  stops.push(() => child.stop());
  return { child, texts, errors, states };
}

test('text is text, requests are answered, and a message larger than a pipe arrives whole', async () => {
  const { child, texts, errors } = make();
  child.start();
  await eventually(() => texts.some((line) => line.startsWith('heard {"jsonrpc":"2.0","id":1,"result"')));
  const answer = JSON.parse(texts.find((line) => line.startsWith('heard'))!.slice(6)) as Message;
  expect((answer.result as { file: { path: string; content: string } }).file).toMatchObject({
    path: '/w/ä€😀.cpp',
    content: 'x'.repeat(300_000),
  });
  expect(texts.slice(0, 2)).toEqual(['hello from the agent', '> ']);
  await eventually(() => errors.includes('noted answer'));
});

test('a crashed program restarts, a stopped program does not', async () => {
  const { child, texts, states } = make();
  child.start();
  await eventually(() => texts.includes('hello from the agent'));
  const first = child.pid;
  child.rpc!.notify('userInput', { text: 'die' });
  await eventually(() => child.pid !== undefined && child.pid !== first);
  expect(states.find((state) => state.state === 'waiting')).toMatchObject({ why: 'ended with code 3' });
  await child.stop();
  await child.stop();
  expect(states.at(-1)).toEqual({ state: 'stopped' });
  expect(child.running).toBe(false);
});

test('a normally ended program stays ended until a manual start', async () => {
  const { child, texts, states } = make();
  child.start();
  await eventually(() => texts.includes('hello from the agent'));
  child.rpc!.notify('userInput', { text: '/exit' });
  await eventually(() => states.at(-1)?.state === 'stopped');
  await new Promise((resolve) => setTimeout(resolve, 400)); // longer than a first wait
  expect(child.running).toBe(false);
  expect(states.some((state) => state.state === 'waiting')).toBe(false);
  child.start();
  await eventually(() => child.running);
});

test('an unresponsive program is killed', async () => {
  const { child, texts } = make();
  child.start();
  await eventually(() => texts.includes('hello from the agent'));
  child.rpc!.notify('userInput', { text: 'hang' });
  await eventually(() => texts.includes('hanging'));
  const pid = child.pid!;
  await child.stop();
  expect(() => process.kill(pid, 0)).toThrow();
}, 15_000);

test('a missing program is given up after some tries, with a reason', async () => {
  const states: State[] = [];
  const child = new BridgeChild(() => ({ command: join(folder, 'none'), args: [], cwd: folder, env: {} }), new Map(), {
    text: () => {},
    note: () => {},
    notified: () => {},
    stderr: () => {},
    state: (state) => report(states, state),
  });
  child.start();
  await eventually(() => states.some((state) => state.state === 'failed'));
  expect(states.at(-1)).toMatchObject({ why: expect.stringContaining('ENOENT') as string });
});

test('requests to a killed program fail at once', async () => {
  const { child, texts, states } = make();
  child.start();
  await eventually(() => texts.includes('hello from the agent'));
  const answers = Array.from({ length: 10 }, () => child.rpc!.request('never', {}, 0));
  const settled = Promise.allSettled(answers);
  const begun = Date.now();
  process.kill(child.pid!, 'SIGKILL');
  for (const outcome of await settled) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: -32001 } });
  expect(Date.now() - begun).toBeLessThan(1000);
  expect(states.find((state) => state.state === 'waiting')).toMatchObject({ why: 'ended by SIGKILL' });
});

test('a program that does not read is still read, and its messages wait here', async () => {
  const { child, texts } = make();
  child.start();
  await eventually(() => texts.includes('hello from the agent'));
  child.rpc!.notify('userInput', { text: 'deaf' });
  await eventually(() => texts.includes('still here'));
  for (let i = 0; i < 500; ++i) child.rpc!.notify('log', { message: 'x'.repeat(10_000) });
  const heard = texts.length;
  await eventually(() => texts.length > heard + 3);
});

test('a program that never reads again is given up before memory runs out, with a reason', async () => {
  const { child, texts, states } = make();
  child.start();
  await eventually(() => texts.includes('hello from the agent'));
  process.kill(child.pid!, 'SIGSTOP');
  const answer = expect(child.rpc!.request('never', {}, 0)).rejects.toMatchObject({
    code: -32001,
    message: 'does not read: more than 64 MiB wait for it',
  });
  const piece = 'x'.repeat(1 << 20);
  for (let i = 0; i < 67; ++i) child.rpc?.notify('log', { message: piece });
  await answer;
  expect(states.find((state) => state.state === 'waiting')).toMatchObject({
    why: 'does not read: more than 64 MiB wait for it',
  });
});
