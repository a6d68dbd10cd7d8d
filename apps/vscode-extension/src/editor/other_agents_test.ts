// SPDX-License-Identifier: Apache-2.0
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { OtherAgents, type Ports } from './other_agents';

function windowWith(script: string) {
  const terminals = new Map<string, string>();
  const logged: string[] = [];
  const started: Ports[] = [];
  const agents = new OtherAgents(
    (ports) => {
      started.push(ports);
      return {
        command: process.execPath,
        args: ['-e', script, String(ports.claude), String(ports.gemini)],
        cwd: '/',
        env: {},
      };
    },
    { replace: (name, value) => terminals.set(name, value), delete: (name) => terminals.delete(name) },
    (line) => logged.push(line),
  );
  return { agents, terminals, logged, started };
}
const LISTENS = `require('net').createServer().listen(Number(process.argv[1]), '127.0.0.1', () => console.log('export CLAUDE_CODE_SSE_PORT=' + process.argv[1]));`;
const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => resolve(false));
  });

test('terminals receive the address before the start, and the program listens there', async () => {
  const { agents, terminals, started } = windowWith(LISTENS);
  await agents.announce();
  const port = Number(terminals.get('CLAUDE_CODE_SSE_PORT'));
  expect(port).toBeGreaterThan(0);
  expect([
    terminals.get('ENABLE_IDE_INTEGRATION'),
    Number(terminals.get('GEMINI_CLI_IDE_SERVER_PORT')) > 0,
    started,
  ]).toEqual(['true', true, []]);
  await agents.start();
  await agents.start();
  await vi.waitFor(async () => expect(await answers(port)).toBe(true));
  expect(started).toEqual([{ claude: port, gemini: Number(terminals.get('GEMINI_CLI_IDE_SERVER_PORT')) }]);
  await agents.stop();
  expect([...terminals]).toEqual([]);
  await agents.stop();
});

test('uses the printed address, and returns to the same address', async () => {
  const { agents, terminals, started } = windowWith(
    "console.log('export CLAUDE_CODE_SSE_PORT=41\\nnonsense'); setTimeout(() => process.exit(3), 50)",
  );
  await agents.announce();
  const told = terminals.get('GEMINI_CLI_IDE_SERVER_PORT');
  await agents.start();
  await vi.waitFor(() => expect(started.length).toBe(2), 15_000);
  expect([terminals.get('CLAUDE_CODE_SSE_PORT'), terminals.get('GEMINI_CLI_IDE_SERVER_PORT')]).toEqual(['41', told]);
  expect(started[1]).toEqual(started[0]);
  await agents.stop();
}, 20_000);

test('after repeated crashes tries another address, then gives up and withdraws the address', async () => {
  const { agents, terminals, logged, started } = windowWith('process.exit(3)');
  await agents.announce();
  await agents.start();
  await vi.waitFor(
    () =>
      expect(logged.at(-1)).toBe('editor serve ended with code 3; it is left alone until the window is loaded again'),
    15_000,
  );
  expect(started[0]!.claude).toBeGreaterThan(0);
  expect(started[1]).toEqual({ claude: 0, gemini: 0 });
  expect([...terminals]).toEqual([]);
}, 20_000);

test('a missing program is reported', async () => {
  const logged: string[] = [];
  const agents = new OtherAgents(
    () => {
      throw new Error('This VSIX carries no parlance');
    },
    { replace() {}, delete() {} },
    (line) => logged.push(line),
  );
  await agents.start();
  expect(logged).toEqual(['agents of others do not find this window: This VSIX carries no parlance']);
  await agents.stop();
});
