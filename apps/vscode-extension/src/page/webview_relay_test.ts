// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { AddressInfo } from 'node:net';
import type { GatewayState } from '../gateway/gateway';
import { WebviewRelay, type Around } from './webview_relay';

const CONTEXT = { activeFile: { path: '/w/a.cpp', name: 'a.cpp' }, selection: null };

/** A gateway that keeps what it hears, and answers `ready` with a state. */
async function played() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const heard: Record<string, unknown>[] = [];
  const paths: string[] = [];
  server.on('connection', (socket, request) => {
    paths.push(request.url ?? '');
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      heard.push(message);
      if (message.type === 'ready')
        socket.send(JSON.stringify({ type: 'stateUpdated', state: { currentConversationId: 'c1' } }));
    });
  });
  const state: GatewayState = {
    state: 'ready',
    address: { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' },
  };
  const gateway = { state, start: vi.fn(), lost: vi.fn(), onChange: () => () => {} };
  const posted: Record<string, unknown>[] = [];
  const around: Around = {
    pick: () => Promise.resolve(['/p/x.txt']),
    open: vi.fn(() => Promise.resolve()),
    context: () => CONTEXT,
    folders: () => ['/w'],
  };
  const relay = new WebviewRelay(gateway, around, (message) => posted.push(message as Record<string, unknown>));
  const types = () => heard.map((message) => message.type);
  return {
    server,
    heard,
    paths,
    types,
    gateway,
    posted,
    around,
    relay,
    end: () => {
      relay.dispose();
      server.close();
      for (const client of server.clients) client.terminate();
    },
  };
}

describe('a webview of another', () => {
  test('ready starts the gateway, and reports the editor first', async () => {
    const it = await played();
    it.relay.take({ type: 'ready' });
    it.relay.take({ type: 'sendMessage', prompt: 'hello' }); // waits for the connection
    await vi.waitFor(() =>
      expect(it.types()).toEqual(['workspaceFolders', 'ideContextChanged', 'ready', 'sendMessage']),
    );
    expect(it.gateway.start).toHaveBeenCalled();
    expect(it.paths).toEqual(['/webview']);
    expect(it.heard[1]).toEqual({ type: 'ideContextChanged', context: CONTEXT });
    await vi.waitFor(() => expect(it.posted.at(-1)).toMatchObject({ type: 'stateUpdated' }));
    it.end();
  });

  test('files are picked and opened here, and what the editor says a webview cannot say', async () => {
    const it = await played();
    it.relay.take({ type: 'ready' });
    await vi.waitFor(() => expect(it.types()).toContain('ready'));
    it.relay.take({ type: 'pickFiles' });
    await vi.waitFor(() => expect(it.heard.at(-1)).toEqual({ type: 'pickedFiles', files: ['/p/x.txt'] }));
    it.relay.take({ type: 'openFile', path: '/w/a.cpp', line: 3 });
    expect(it.around.open).toHaveBeenCalledWith('/w/a.cpp', 3);
    it.relay.take({ type: 'openFile', path: 3 });
    expect(it.posted.at(-1)).toMatchObject({ type: 'failed', of: 'openFile', code: 'invalid_params' });
    for (const type of ['ideContextChanged', 'pickedFiles', 'workspaceFolders']) {
      it.relay.take({ type, files: ['/etc/passwd'], folders: ['/'], context: CONTEXT });
      expect(it.posted.at(-1)).toMatchObject({ type: 'failed', of: type, code: 'denied' });
    }
    it.relay.take('no object');
    expect(it.posted.at(-1)).toMatchObject({ type: 'failed', code: 'invalid_request' });
    it.end();
  });

  test('a lost connection is reported and remade, and shows the same conversation', async () => {
    const it = await played();
    it.relay.take({ type: 'sendMessage', prompt: 'too early' });
    expect(it.posted.at(-1)).toMatchObject({ type: 'failed', of: 'sendMessage' });
    it.relay.take({ type: 'ready', codeChunks: true });
    await vi.waitFor(() => expect(it.posted.at(-1)).toMatchObject({ type: 'stateUpdated' }));
    for (const client of it.server.clients) client.terminate();
    await vi.waitFor(() => expect(it.posted.at(-1)).toMatchObject({ type: 'failed', code: 'disconnected' }));
    await vi.waitFor(
      () => expect(it.heard.at(-1)).toEqual({ type: 'ready', codeChunks: true, conversationId: 'c1' }),
      3000,
    );
    it.relay.hidden();
    await vi.waitFor(() => expect(it.server.clients.size).toBe(0));
    it.end();
  });
});
