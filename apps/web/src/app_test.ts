// SPDX-License-Identifier: Apache-2.0
// The page's own state against a host with messages written by the test: requests, waiting state, and the effects of a lost connection.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { App } from './app';
import type { Host } from './host';
import type { Conversation, Event, HostMessage, PageMessage } from './protocol';
import type { Link } from './store';

class FakeHost implements Host {
  posted: PageMessage[] = [];
  state: unknown = null;
  connected = true;
  #message: (message: HostMessage) => void = () => {};
  #link: (link: Link) => void = () => {};
  post(message: PageMessage): boolean {
    if (this.connected) this.posted.push(message);
    return this.connected;
  }
  onMessage(listener: (message: HostMessage) => void): void { this.#message = listener; }
  onLink(listener: (link: Link) => void): void { this.#link = listener; }
  getState(): unknown { return this.state; }
  setState(state: unknown): void { this.state = state; }
  connect(): void {}
  attachment(): Promise<Blob> { return Promise.reject(new Error('none')); }

  /** The host's messages arrive with the next frame. */
  says(...messages: unknown[]): void {
    for (const message of messages) this.#message(message as HostMessage);
    frames.splice(0).forEach((frame) => frame());
  }
  online(): void { this.connected = true; this.#link({ state: 'online' }); }
  lost(): void { this.connected = false; this.#link({ state: 'lost', why: '', retryAt: 0 }); }
  of(type: string): (PageMessage & { request: string })[] { return this.posted.filter((one) => one.type === type) as (PageMessage & { request: string })[]; }
  last(type: string): PageMessage & { request: string } { return this.of(type).at(-1)!; }
  done(type: string, value: unknown = {}): void { this.says({ type: 'done', request: this.last(type).request, value }); }
  failed(type: string, code: string, message = 'no'): void { this.says({ type: 'failed', request: this.last(type).request, code, message }); }
}

let frames: (() => void)[] = [];
let seen: (() => void)[] = [];        // listeners for the visibility of the page
const conversation = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  id, title: id, agent: 'parlance', folder: '/', mode: 'default', model: '', think: false, state: 'idle', open_asks: 0, queued: [], last_seq: 0,
  created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', ...more,
}) as unknown as Conversation;
const snapshot = (conversations: Conversation[], more: object = {}) => ({
  type: 'snapshot', seq: 0, version: '1', capabilities: [], home: '/', default_folder: '/', attachment_limits: { files: 0, bytes: 0, picture_bytes: 0, media_types: [] },
  agents: [], services: [], conversations, asks: [], rules: [], ...more,
});
const event = (seq: number, body: object): Event => ({ seq, time: '2026-01-01T00:00:00Z', ...body }) as unknown as Event;
const said = (seq: number, text: string) => event(seq, { kind: 'user_message', turn: `t${seq}`, text });

function begun(conversations = [conversation('a')], state: unknown = null): { app: App; host: FakeHost } {
  const host = new FakeHost();
  host.state = state;
  const app = new App(host);
  host.online();
  host.says(snapshot(conversations));
  return { app, host };
}

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  seen = [];
  vi.stubGlobal('document', { hidden: false, addEventListener: (_: string, then: () => void) => { seen.push(then); }, activeElement: null });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => { frames.push(frame); return 0; });
});
afterEach(() => { vi.useRealTimers(); vi.unstubAllGlobals(); });

describe('At the beginning', () => {
  test('the page asks for a snapshot and opens the newest conversation', () => {
    const { app, host } = begun([conversation('old'), conversation('new', { updated_at: '2026-02-01T00:00:00Z' })]);
    expect(host.posted[0]).toEqual({ type: 'ready' });
    expect(app.navigation.current.value).toBe('new');
    expect(host.last('open')).toMatchObject({ conversation: 'new', after: 0 });
  });
  test('a draft without a conversation is not left for another', () => {
    const { app } = begun([conversation('a')], { tab: 't', current: '', drafts: { '': 'half a thought' } });
    expect(app.navigation.current.value).toBe('');
    expect(app.drafts.texts['']).toBe('half a thought');
  });
  test('a conversation deleted meanwhile is not shown', () => {
    const { app } = begun([], { tab: 't', current: 'gone', drafts: {} });
    expect(app.navigation.current.value).toBe('');
  });
  test('all messages of a frame are a single change', () => {
    const { app, host } = begun();
    let changes = -1;
    app.state.subscribe(() => { ++changes; });
    host.says({ type: 'delta', seq: 1, ops: [{ op: 'conversation', conversation: conversation('b') }] }, { type: 'delta', seq: 2, ops: [{ op: 'conversation', conversation: conversation('c') }] });
    expect(changes).toBe(1);
    expect(Object.keys(app.state.value.conversations)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });
  test('messages from just before and after hiding the page wait for no frame', () => {
    const { app, host } = begun();
    frames.push = () => 0;              // a hidden page gets none
    const comes = (seq: number, id: string) => host.says({ type: 'delta', seq, ops: [{ op: 'conversation', conversation: conversation(id) }] });
    comes(1, 'b');
    (document as { hidden: boolean }).hidden = true;
    for (const told of seen) told();
    expect(app.state.value.conversations['b']).toBeDefined();
    comes(2, 'c');
    vi.advanceTimersByTime(1000);
    expect(app.state.value.conversations['c']).toBeDefined();
  });
});

describe('Requests', () => {
  test('without a connection fail at once, in words', () => {
    const { app, host } = begun();
    host.lost();
    app.set({ title: 'x' });
    expect(host.of('set')).toEqual([]);
    expect(app.notice.value).not.toBe('');
  });
  test('pending requests fail once at the end of the connection', () => {
    const { app, host } = begun();
    host.done('open', { events: [], last_seq: 0, first_seq: 1 });
    app.set({ title: 'x' });
    const request = host.last('set').request;
    host.lost();
    const notice = app.notice.value;
    expect(notice).not.toBe('');
    app.notice.value = '';
    host.online();
    host.says({ type: 'failed', request, code: 'failed', message: 'too late' });
    expect(app.notice.value).toBe('');
  });
  test('an answer without a waiter is dropped', () => {
    const { app, host } = begun();
    host.says({ type: 'done', request: '999', value: {} }, { type: 'failed', request: '998', code: 'x', message: 'y' });
    expect(app.notice.value).toBe('');
  });
  test('refused by the host are reported', () => {
    const { app, host } = begun();
    app.revoke('r');
    host.failed('revoke', 'not_found', 'no such rule');
    expect(app.notice.value).toContain('no such rule');
  });
});

describe('Prompts', () => {
  const opened = () => {
    const both = begun();
    both.host.done('open', { events: [], last_seq: 0, first_seq: 1 });
    return both;
  };

  test('are shown until the host has them', () => {
    const { app, host } = opened();
    app.send('hello');
    expect(app.outbox.prompts.value).toMatchObject([{ text: 'hello', state: 'sending' }]);
    expect(host.last('prompt')).toMatchObject({ conversation: 'a', text: 'hello' });
    host.done('prompt', { turn: 't' });
    expect(app.outbox.prompts.value).toEqual([]);
  });

  test('refused prompts stay, with the reason, and may be sent again', () => {
    const { app, host } = opened();
    app.send('hello');
    host.failed('prompt', 'failed', 'the agent is gone');
    expect(app.outbox.prompts.value).toMatchObject([{ state: 'unsent', why: 'the agent is gone' }]);
    app.sendAgain(app.outbox.prompts.value[0]!);
    expect(host.of('prompt').length).toBe(2);
    expect(app.outbox.prompts.value).toMatchObject([{ state: 'sending' }]);
    app.outbox.discard(app.outbox.prompts.value[0]!.id);
    expect(app.outbox.prompts.value).toEqual([]);
  });

  test('prompts with an unknown arrival are found in the events of the host', () => {
    const { app, host } = opened();
    app.send('arrived');
    app.send('queued');
    app.send('lost');
    host.lost();
    expect(app.outbox.prompts.value.map((one) => one.state)).toEqual(['unsure', 'unsure', 'unsure']);
    host.online();
    host.says(snapshot([conversation('a', { last_seq: 1, queued: [{ id: 'q', text: 'queued' }] as unknown as Conversation['queued'] })]));
    host.done('open', { events: [said(1, 'arrived')], last_seq: 1, first_seq: 1 });
    expect(app.outbox.prompts.value).toMatchObject([{ text: 'lost', state: 'unsent' }]);
  });

  test('earlier prompts are not taken for a repeated prompt', () => {
    const { app, host } = begun([conversation('a', { last_seq: 1 })]);
    host.done('open', { events: [said(1, 'yes')], last_seq: 1, first_seq: 1 });
    app.send('yes');
    host.lost();
    host.online();
    host.says(snapshot([conversation('a', { last_seq: 1 })]));
    host.done('open', { events: [], last_seq: 1, first_seq: 2 });
    expect(app.outbox.prompts.value).toMatchObject([{ text: 'yes', state: 'unsent' }]);
  });

  test('in the form for a new conversation create the conversation first', () => {
    const { app, host } = begun([]);
    app.send('hello');
    expect(host.of('new')).toEqual([]);
    app.send('hello', { agent: 'parlance', folder: '/', mode: 'default' });
    expect(host.of('prompt')).toEqual([]);
    host.done('new', { conversation: conversation('made') });
    expect(app.navigation.current.value).toBe('made');
    expect(host.last('prompt')).toMatchObject({ conversation: 'made', text: 'hello' });
  });

  test('for a failed conversation return to the draft', () => {
    const { app, host } = begun([]);
    app.send('hello', { agent: 'parlance', folder: '/nowhere', mode: 'default' });
    app.drafts.set('', 'typed meanwhile');
    host.failed('new', 'not_found', 'no such folder');
    expect(app.drafts.texts['']).toBe('hello\ntyped meanwhile');
    expect(app.notBegun.value).toContain('no such folder');
  });

  test('unconfirmed prompts are part of the draft after a reload', () => {
    const { app, host } = opened();
    app.send('on its way');
    app.drafts.set('a', 'and more');
    vi.advanceTimersByTime(300);
    expect(host.state).toMatchObject({ current: 'a', drafts: { a: 'on its way\nand more' } });
    host.done('prompt', { turn: 't' });
    app.drafts.set('a', '');
    vi.advanceTimersByTime(300);
    expect((host.state as { drafts: object }).drafts).toEqual({});
  });
});

describe('Conversations', () => {
  const two = () => begun([conversation('a', { updated_at: '2026-02-01T00:00:00Z' }), conversation('b')]);

  test('left conversations are closed, and requested again from their position', () => {
    const { app, host } = two();
    host.done('open', { events: [said(1, 'x'), said(2, 'y')], last_seq: 2, first_seq: 1 });
    app.navigation.select('b');
    expect(host.last('close')).toMatchObject({ conversation: 'a' });
    expect(host.last('open')).toMatchObject({ conversation: 'b', after: 0 });
    host.done('open', { events: [], last_seq: 0, first_seq: 1 });
    app.navigation.select('a');
    expect(host.last('open')).toMatchObject({ conversation: 'a', after: 2 });
  });

  test('selecting the shown conversation requests nothing', () => {
    const { app, host } = two();
    const before = host.posted.length;
    app.navigation.select('a');
    expect(host.posted.length).toBe(before);
  });

  test('load older events on demand, to the first', () => {
    const { app, host } = begun([conversation('a', { last_seq: 3 })]);
    host.done('open', { events: [said(3, 'z')], last_seq: 3, first_seq: 3 });
    let fetched = 0;
    app.older(() => { ++fetched; });
    expect(host.last('older')).toMatchObject({ before: 3 });
    host.done('older', { events: [said(1, 'x'), said(2, 'y')], first_seq: 1 });
    expect(fetched).toBe(1);
    expect(app.transcript.value?.firstSeq).toBe(1);
    app.older(() => { ++fetched; });
    expect(fetched).toBe(2);
    expect(host.of('older').length).toBe(1);
  });

  test('removed conversations remove their drafts', () => {
    const { app, host } = two();
    app.drafts.set('a', 'words');
    app.remove('a');
    expect(app.drafts.texts['a']).toBe('words');
    host.done('delete');
    expect(app.drafts.texts['a']).toBeUndefined();
    expect(app.navigation.current.value).toBe('');
  });

  test('are stopped only while running', () => {
    const { app, host } = two();
    app.stop();
    expect(host.of('stop')).toEqual([]);
    host.says({ type: 'delta', seq: 1, ops: [{ op: 'conversation', conversation: conversation('a', { state: 'running' }) }] });
    app.stop();
    expect(host.last('stop')).toMatchObject({ conversation: 'a' });
  });

  test('an answer about a conversation left meanwhile is no fault', () => {
    const { app, host } = two();
    host.failed('open', 'cancelled');
    expect(app.notice.value).toBe('');
    app.navigation.select('b');
    host.failed('open', 'not_found', 'no such conversation');
    expect(app.notice.value).toContain('no such conversation');
  });

  test('a gap in the messages of the host costs a snapshot', () => {
    const { host } = two();
    host.says({ type: 'delta', seq: 5, ops: [] });
    expect(host.of('ready').length).toBe(2);
  });
});

describe('Waiting requests are announced', () => {
  const ask = (id: string, at: number) => ({ id, conversation: 'a', kind: 'permission', title: id, state: 'open', options: [], why: '', created_at: `2026-01-01T00:00:0${at}Z` });
  const asked = (host: FakeHost, seq: number, ...ids: string[]) => host.says({ type: 'delta', seq, ops: ids.map((id, i) => ({ op: 'ask', ask: ask(id, seq + i) })) });
  test('by the name of a single request', () => {
    const { app, host } = begun();
    asked(host, 1, 'first');
    vi.advanceTimersByTime(300);
    expect(app.spokenNow.value).toBe('Approval needed: first');
  });
  test('once, with their number and the newest, when several come at once', () => {
    const { app, host } = begun();
    const told: string[] = [];
    app.spokenNow.subscribe((text) => { if (text) told.push(text); });
    asked(host, 1, 'first', 'second');
    vi.advanceTimersByTime(100);
    asked(host, 2, 'third');
    vi.advanceTimersByTime(1000);
    expect(told).toEqual(['3 requests wait for you. The newest: Approval needed: third']);
  });
  test('no longer after an answer meanwhile', () => {
    const { app, host } = begun();
    asked(host, 1, 'first');
    host.says({ type: 'delta', seq: 2, ops: [{ op: 'ask', ask: { ...ask('first', 1), state: 'answered' } }] });
    vi.advanceTimersByTime(1000);
    expect(app.spokenNow.value).toBe('');
  });
});
