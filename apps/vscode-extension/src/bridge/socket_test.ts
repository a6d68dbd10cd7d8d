// SPDX-License-Identifier: Apache-2.0
// A window's socket and its clients.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from './framing';
import { handlersFor } from './methods';
import { BridgeSocket, type Address, type Over } from './socket';
import { MemoryEditor } from './test_editor';

let folder = '';
const stops: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-socket-'));
  vi.stubEnv('XDG_RUNTIME_DIR', folder);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function open(over: Over, firstMs?: number) {
  const left = vi.fn();
  const [notified, noted]: [string[], string[]] = [[], []];
  const window = new BridgeSocket(
    handlersFor({ name: 'T', version: '1' }, new MemoryEditor()).handlers,
    { text: () => {}, note: (line) => noted.push(line), notified: (method) => notified.push(method) },
    (rpc) => rpc.notify('contextChanged', {}),
    left,
    firstMs,
  );
  stops.push(() => window.close());
  return { window, notified, noted, left, address: await window.listen(over) };
}
function connected({ socket }: Address): Socket {
  const [scheme, rest] = [socket.slice(0, socket.indexOf(':')), socket.slice(socket.indexOf(':') + 1)];
  const client =
    scheme === 'unix' ? connect(rest) : connect(Number(rest.slice(rest.lastIndexOf(':') + 1)), '127.0.0.1');
  stops.push(() => client.destroy());
  return client.on('error', () => {});
}
/** The answers until the end of the connection, or until this number of lines. */
function say(address: Address, bytes: string | string[], lines = Infinity): Promise<Message[]> {
  return new Promise((resolve) => {
    const client = connected(address);
    let heard = '';
    client
      .setEncoding('utf8')
      .on('data', (text: string) => {
        heard += text;
        if (heard.split('\n').length > lines) client.end();
      })
      .on('close', () =>
        resolve(
          heard
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Message),
        ),
      );
    for (const piece of bytes) client.write(piece);
  });
}
const message = (method: string, params: Message = {}, id = 1) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

test('a client that never reads is cut off before memory runs out, with a logged reason', async () => {
  const { window, noted, address } = await open('unix');
  const client = connected(address);
  client.pause();
  await vi.waitFor(() => expect(window.connections.size).toBe(1));
  const [rpc] = window.connections;
  const piece = 'x'.repeat(1 << 20);
  for (let i = 0; i < 67; ++i) rpc!.notify('log', { message: piece });
  await vi.waitFor(() => expect(window.connections.size).toBe(0));
  expect(noted).toEqual(['The program does not read: more than 64 MiB wait for it; its connection is closed.']);
});

describe('a Unix socket', () => {
  test('is private, one for each window, and leaves no file', async () => {
    const [one, other] = [await open('unix'), await open('unix')];
    expect(one.address.socket).not.toBe(other.address.socket);
    const path = one.address.socket.slice('unix:'.length);
    expect(dirname(dirname(path))).toBe(folder);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(one.address.token).toMatch(/^[0-9a-f]{64}$/);
    one.window.close();
    other.window.close();
    expect(readdirSync(folder)).toEqual([]);
  });
  test('is in the temporary folder if the session has no folder', async () => {
    for (const named of [join(folder, 'none'), '', 'relative']) {
      vi.stubEnv('XDG_RUNTIME_DIR', named);
      const { address } = await open('unix');
      expect(dirname(dirname(address.socket.slice('unix:'.length)))).toBe(tmpdir());
    }
  });
  test('serves clients, and first sends the current view', async () => {
    const { address } = await open('unix');
    expect(await say(address, message('ping'), 2)).toEqual([
      { jsonrpc: '2.0', method: 'contextChanged', params: {} },
      { jsonrpc: '2.0', id: 1, result: { pong: true } },
    ]);
  });
  test('carries no text: other input is cut off', async () => {
    const { address } = await open('unix');
    expect(await say(address, `GET / HTTP/1.1\r\n\r\n${message('ping')}`)).toHaveLength(1);
  });
  test('a closing editor closes its connections', async () => {
    const { window, address, left } = await open('unix');
    const gone = say(address, message('ping'));
    await vi.waitFor(() => expect(window.connections.size).toBe(1));
    expect(left).not.toHaveBeenCalled();
    window.close();
    await gone;
    await vi.waitFor(() => expect(left).toHaveBeenCalledOnce());
  });
});

describe('TCP', () => {
  const first = (token: string) => message('initialize', { protocol: 1, token });
  test('is local, and serves clients with the token in the first line, in any pieces', async () => {
    const { address } = await open('tcp');
    expect(address.socket).toMatch(/^tcp:127\.0\.0\.1:\d+$/);
    const whole = first(address.token) + message('ping', {}, 2);
    for (const pieces of [[whole], [...whole]]) {
      const heard = await say(address, pieces, 3);
      expect(heard.map((received) => received.method ?? Object.keys(received.result as Message)[0])).toEqual([
        'contextChanged',
        'protocol',
        'pong',
      ]);
    }
  });
  test.each<[string, (token: string) => string]>([
    ['another request', () => message('ping')],
    ['one that nobody knows', () => message('nope')],
    ['another request with the token', (token) => message('getActiveFile', { token })],
    ['no token', () => message('initialize')],
    ['a wrong token', (token) => first(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'))],
    ['a token that is no text', () => message('initialize', { token: 7 })],
    ['a notification', () => `${JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { message: 'm' } })}\n`],
    ['text', () => 'GET / HTTP/1.1\r\n\r\n'],
    ['a list', () => '[]\n'],
    ['a line without an end', () => 'x'.repeat(70_000)],
  ])('%s ends the connection', async (_, line) => {
    const { address, notified } = await open('tcp');
    const heard = await say(address, line(address.token) + message('getWorkspaceFolder'));
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ id: null, error: { code: -32600 } });
    expect(notified).toEqual([]);
  });
  test('a silent unknown client is cut off, a known client may be silent', async () => {
    const { window, address } = await open('tcp', 300);
    expect(await say(address, '')).toEqual([]);
    expect(await say(address, '{"jsonrpc":')).toEqual([]);
    connected(address).write(first(address.token));
    await vi.waitFor(() => expect(window.connections.size).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(window.connections.size).toBe(1);
  });
});
