// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest';
import { EditorHost } from './editor_host';
import type { FromPage, ToPage } from './editor_wire';
import { promptContext } from './prompt_context';
import type { Link } from '../store';

function make(state?: unknown) {
  const said: FromPage[] = [];
  const from = new EventTarget();
  const host = new EditorHost(
    {
      postMessage: (message) => said.push(message as FromPage),
      getState: () => state,
      setState: (value) => {
        state = value;
      },
    },
    from,
  );
  const tell = (message: ToPage, origin = globalThis.origin) =>
    from.dispatchEvent(Object.assign(new Event('message'), { data: message, origin }));
  return { host, said, tell, from };
}

afterEach(() => vi.unstubAllGlobals());

test('messages of another window are ignored', () => {
  vi.stubGlobal('origin', 'vscode-webview://ours');
  const { host, tell } = make();
  const links: Link[] = [];
  host.onLink((link) => links.push(link));
  tell({ type: 'link', link: { state: 'online' } }, 'https://evil.example');
  tell({ type: 'link', link: { state: 'online' } }, 'null');
  expect(links).toEqual([]);
  tell({ type: 'link', link: { state: 'online' } });
  expect(links).toEqual([{ state: 'online' }]);
});

test('without a gateway no message is posted, and the caller learns this', () => {
  const { host, said, tell } = make();
  const links: Link[] = [];
  host.onLink((link) => links.push(link));
  host.connect();
  expect(host.post({ type: 'ready' })).toBe(false);
  tell({ type: 'link', link: { state: 'online' } });
  expect(host.post({ type: 'ready' })).toBe(true);
  expect(said).toEqual([
    { type: 'connect', used: false },
    { type: 'host', text: '{"type":"ready"}' },
  ]);
  tell({ type: 'link', link: { state: 'lost', why: 'gone', retryAt: 0 } });
  expect(host.post({ type: 'ready' })).toBe(false);
  expect(links.map((link) => link.state)).toEqual(['online', 'lost']);
});

test('a merely shown page says so, and connects on first use, once', () => {
  for (const use of ['focus', 'pointerdown', 'keydown']) {
    const { host, said, from } = make();
    host.connect();
    from.dispatchEvent(new Event(use));
    from.dispatchEvent(new Event('keydown'));
    expect(said).toEqual([
      { type: 'connect', used: false },
      { type: 'connect', used: true },
    ]);
  }
  const { host, said, tell } = make({ tab: 't', current: '', drafts: {} });
  host.connect();
  tell({ type: 'compose', text: 'explain', send: true, fresh: true });
  expect(said).toEqual([
    { type: 'connect', used: false },
    { type: 'connect', used: true },
  ]);
});

test('a page with a conversation in front, or a draft, is in use from the beginning', () => {
  for (const kept of [
    { current: 'c', drafts: {} },
    { current: '', drafts: { '': 'half' } },
  ]) {
    const { host, said } = make(kept);
    host.connect();
    expect(said).toEqual([{ type: 'connect', used: true }]);
  }
});

test('messages of the gateway arrive unchanged; the editor owns the state', () => {
  const { host, tell } = make();
  const heard: unknown[] = [];
  host.onMessage((message) => heard.push(message));
  tell({ type: 'host', text: '{"type":"done","request":"1"}' });
  expect(heard).toEqual([{ type: 'done', request: '1' }]);
  host.setState({ draft: 'x' });
  expect(host.getState()).toEqual({ draft: 'x' });
});

test('attachments: each request has its own answer', async () => {
  const { host, said, tell } = make();
  const first = host.attachment('a');
  const second = host.attachment('b');
  expect(said).toEqual([
    { type: 'attachment', request: 1, id: 'a' },
    { type: 'attachment', request: 2, id: 'b' },
  ]);
  tell({ type: 'attachment', request: 2, error: 'HTTP 404' });
  tell({ type: 'attachment', request: 1, mediaType: 'text/plain', base64: 'aGk=' });
  await expect(second).rejects.toThrow('HTTP 404');
  const blob = await first;
  expect([blob.type, await blob.text()]).toEqual(['text/plain', 'hi']);
});

test('context, folders and commands are signals; opening is asked of the editor', () => {
  const { host, said, tell } = make();
  const activeFile = { path: '/w/a.cpp', name: 'a.cpp' };
  tell({ type: 'context', context: { activeFile, selection: null } });
  tell({ type: 'folders', folders: ['/w', '/x'], current: '/x', excluded: ['**/*.o'] });
  tell({ type: 'compose', text: 'explain', send: true, fresh: false });
  expect([
    host.editor.context.value.activeFile,
    host.editor.folders.value,
    host.editor.folder.value,
    host.editor.compose.value?.text,
  ]).toEqual([activeFile, ['/w', '/x'], '/x', 'explain']);
  expect(host.editor.excluded.value).toEqual(['**/*.o']);
  expect(host.editor.diffs.value).toBe(true);
  tell({ type: 'diffs', wanted: false });
  expect(host.editor.diffs.value).toBe(false);
  host.editor.open('/w/a.cpp', 3);
  host.editor.diff('ask1');
  expect(said).toEqual([
    { type: 'connect', used: true },
    { type: 'open', path: '/w/a.cpp', line: 3 },
    { type: 'diff', ask: 'ask1' },
  ]);
});

test('the context of a message: the selection, else the file, else none', () => {
  const activeFile = { path: '/w/a.cpp', name: 'a.cpp' };
  expect(promptContext({ activeFile: null, selection: null })).toEqual([]);
  expect(promptContext({ activeFile, selection: null })).toEqual([{ path: '/w/a.cpp' }]);
  expect(
    promptContext({
      activeFile,
      selection: { filePath: '/w/a.cpp', fileName: 'a.cpp', text: 'x', lineStart: 10, lineEnd: 24 },
    }),
  ).toEqual([{ path: '/w/a.cpp', range: { first: 10, last: 24 }, text: 'x' }]);
});
