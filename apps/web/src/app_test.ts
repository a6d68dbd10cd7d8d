// SPDX-License-Identifier: Apache-2.0
// The page's own state against a host with messages written by the test: requests, waiting state, and the effects of a lost connection.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { begun, conversation, frames, said, snapshot, type FakeHost } from './app_test_support';
import type { Conversation } from './protocol';
import { older } from './state/older';

let seen: (() => void)[] = []; // listeners for the visibility of the page

beforeEach(() => {
  vi.useFakeTimers();
  frames.length = 0;
  seen = [];
  vi.stubGlobal('document', {
    hidden: false,
    addEventListener: (_: string, then: () => void) => {
      seen.push(then);
    },
    activeElement: null,
  });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => {
    frames.push(frame);
    return 0;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('Many conversations', () => {
  const listed = (...ids: string[]) => ({ conversations: ids.map((id) => conversation(id)) });
  test('the list goes on from the snapshot, page by page', () => {
    const { app, host } = begun([]);
    host.says({ ...snapshot([conversation('a')]), older: '1' });
    expect(host.of('conversations')).toEqual([]);
    older(app.store);
    older(app.store);
    expect(host.of('conversations').map((request) => ('before' in request ? request.before : ''))).toEqual(['1']);
    host.done('conversations', { ...listed('b'), older: '2' });
    expect(Object.keys(app.state.value.conversations)).toEqual(expect.arrayContaining(['a', 'b']));
    expect(host.of('conversations').length).toBe(1);
    older(app.store);
    host.done('conversations', listed('c'));
    older(app.store);
    expect(host.of('conversations').length).toBe(2);
  });
  test('a search needs all titles', () => {
    const { app, host } = begun([]);
    host.says({ ...snapshot([conversation('a')]), older: '1' });
    older(app.store, true);
    host.done('conversations', { ...listed('b'), older: '2' });
    host.done('conversations', listed('c'));
    expect(Object.keys(app.state.value.conversations).length).toBe(3);
  });
  test('an answer from before a new snapshot does not leave a gap', () => {
    const { app, host } = begun([]);
    host.says({ ...snapshot([conversation('a')]), older: '2' });
    older(app.store);
    host.says({ ...snapshot([conversation('n')]), older: '9' });
    host.done('conversations', { ...listed('z'), older: '1' });
    expect(app.state.value.older).toBe('9');
  });
  test('a snapshot contains the conversation in view and that of an address', () => {
    const { app, host } = begun([]);
    host.says({ ...snapshot([conversation('a')]), older: '1' });
    app.navigation.follow('#conversation=old');
    expect(host.last('ready')).toMatchObject({ conversations: expect.arrayContaining(['old']) as string[] });
    host.says({ ...snapshot([conversation('a'), conversation('old')]), older: '1' });
    expect(app.navigation.current.value).toBe('old');
    app.navigation.follow('#conversation=gone');
    host.says({ ...snapshot([conversation('a'), conversation('old')]), older: '1' });
    expect(app.notice.value).not.toBe('');
  });
});

describe('At the beginning', () => {
  test('the page asks for a snapshot and opens the newest conversation', () => {
    const { app, host } = begun([conversation('old'), conversation('new', { updated_at: '2026-02-01T00:00:00Z' })]);
    expect(host.posted[0]).toMatchObject({ type: 'ready' });
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
    app.state.subscribe(() => {
      ++changes;
    });
    host.says(
      { type: 'delta', seq: 1, ops: [{ op: 'conversation', conversation: conversation('b') }] },
      { type: 'delta', seq: 2, ops: [{ op: 'conversation', conversation: conversation('c') }] },
    );
    expect(changes).toBe(1);
    expect(Object.keys(app.state.value.conversations)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });
  test('messages from just before and after hiding the page wait for no frame', () => {
    const { app, host } = begun();
    vi.stubGlobal('requestAnimationFrame', () => 0); // a hidden page gets none
    const comes = (seq: number, id: string) =>
      host.says({ type: 'delta', seq, ops: [{ op: 'conversation', conversation: conversation(id) }] });
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
    expect(app.outbox.prompts.value.map((prompt) => prompt.state)).toEqual(['unsure', 'unsure', 'unsure']);
    host.online();
    host.says(
      snapshot([
        conversation('a', { last_seq: 1, queued: [{ id: 'q', text: 'queued' }] as unknown as Conversation['queued'] }),
      ]),
    );
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

  test('for a conversation without an answer are part of the draft after a reload', () => {
    const { app, host } = begun([conversation('other')]);
    app.navigation.select('');
    app.send('hello', { agent: 'parlance', folder: '/', mode: 'default' });
    app.drafts.save();
    expect(host.state).toMatchObject({ drafts: { '': 'hello' } });
    app.navigation.select('other');
    host.failed('new', 'overloaded', 'try again');
    expect(app.drafts.texts).toEqual({ '': 'hello' });
    app.navigation.select('');
    app.send('hello', { agent: 'parlance', folder: '/', mode: 'default' });
    app.drafts.set('', '');
    host.done('new', { conversation: conversation('made') });
    app.drafts.save();
    expect((host.state as { drafts: object }).drafts).toEqual({ made: 'hello' });
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
    app.older(() => {
      ++fetched;
    });
    expect(host.last('older')).toMatchObject({ before: 3 });
    host.done('older', { events: [said(1, 'x'), said(2, 'y')], first_seq: 1 });
    expect(fetched).toBe(1);
    expect(app.transcript.value?.firstSeq).toBe(1);
    app.older(() => {
      ++fetched;
    });
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
    host.says({
      type: 'delta',
      seq: 1,
      ops: [{ op: 'conversation', conversation: conversation('a', { state: 'running' }) }],
    });
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
  const ask = (id: string, at: number) => ({
    id,
    conversation: 'a',
    kind: 'permission',
    title: id,
    state: 'open',
    options: [],
    why: '',
    created_at: `2026-01-01T00:00:0${at}Z`,
  });
  const asked = (host: FakeHost, seq: number, ...ids: string[]) =>
    host.says({ type: 'delta', seq, ops: ids.map((id, i) => ({ op: 'ask', ask: ask(id, seq + i) })) });
  test('by the name of a single request', () => {
    const { app, host } = begun();
    asked(host, 1, 'first');
    vi.advanceTimersByTime(300);
    expect(app.spokenNow.value).toBe('Approval needed: first');
  });
  test('once, with their number and the newest, when several come at once', () => {
    const { app, host } = begun();
    const told: string[] = [];
    app.spokenNow.subscribe((text) => {
      if (text) told.push(text);
    });
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
