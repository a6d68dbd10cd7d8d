// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { conversation as conversationOf } from './app_test_support';
import type { Ask, Conversation, Event, HostMessage, Op } from './protocol';
import { fold, nothing, waiting, type Action, type Effect, type State } from './store';

const conversation = (id: string, more: Partial<Conversation> = {}): Conversation =>
  conversationOf(id, { folder: '/f', ...more });
const ask = (id: string, more: Partial<Ask> = {}): Ask => ({
  id,
  conversation: 'c',
  kind: 'permission',
  title: 't',
  why: 'w',
  options: [],
  digest: 'd',
  state: 'open',
  created_at: `2026-01-01T00:00:0${id}Z`,
  ...more,
});
const snapshot = (more: Partial<Extract<HostMessage, { type: 'snapshot' }>> = {}): Action => ({
  type: 'host',
  message: {
    type: 'snapshot',
    seq: 0,
    version: '1',
    capabilities: [],
    home: '/h',
    default_folder: '/f',
    attachment_limits: { files: 2, bytes: 10, picture_bytes: 5, media_types: ['image/png'] },
    agents: [],
    services: [],
    conversations: [conversation('c')],
    asks: [],
    rules: [],
    ...more,
  },
});
const delta = (seq: number, ...ops: Op[]): Action => ({ type: 'host', message: { type: 'delta', seq, ops } });
const text = (seq: number, text: string): Event => ({ kind: 'text', seq, time: '', text });
const online: Action = { type: 'link', link: { state: 'online' } };

/** Folds all and collects what had to be asked for. */
function run(from: State, ...actions: Action[]): { state: State; effects: Effect[] } {
  const effects: Effect[] = [];
  let state = from;
  for (const action of actions) {
    const next = fold(state, action);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}
const shown = (state: State) =>
  state.opened['c']?.transcript.items.map((item) => ('text' in item ? item.text : item.kind));

describe('deltas', () => {
  test('apply in order and count up', () => {
    const { state, effects } = run(
      nothing,
      online,
      snapshot({ seq: 7 }),
      delta(8, { op: 'conversation', conversation: conversation('d') }),
      delta(9, { op: 'conversation_removed', id: 'c' }),
    );
    expect(effects).toEqual([]);
    expect(Object.keys(state.conversations)).toEqual(['d']);
    expect(state.seq).toBe(9);
  });

  test('a gap asks once for a snapshot and ignores earlier messages', () => {
    const { state, effects } = run(
      nothing,
      online,
      snapshot(),
      delta(2, { op: 'rule_removed', id: 'x' }),
      delta(3, { op: 'conversation_removed', id: 'c' }),
    );
    expect(effects).toEqual([{ need: 'snapshot' }]);
    expect(state.synced).toBe(false);
    expect(state.conversations['c']).toBeDefined();
    expect(run(state, snapshot({ seq: 3 }), delta(4)).state.synced).toBe(true);
  });

  test('an operation of a newer host is skipped', () => {
    const { state, effects } = run(
      nothing,
      online,
      snapshot(),
      delta(1, { op: 'fireworks' } as unknown as Op),
      delta(2),
    );
    expect(effects).toEqual([]);
    expect(state.seq).toBe(2);
  });

  test('agents, services and rules are replaced by their key', () => {
    const { state } = run(
      nothing,
      online,
      snapshot({ services: [{ name: 'agent', state: 'ready', detail: '' }] }),
      delta(
        1,
        { op: 'service', service: { name: 'agent', state: 'starting', detail: 'again' } },
        { op: 'rule', rule: { id: 'r', effect: 'allow', label: 'l', created_at: '' } },
      ),
      delta(2, { op: 'rule_removed', id: 'r' }),
    );
    expect(state.services).toEqual([{ name: 'agent', state: 'starting', detail: 'again' }]);
    expect(state.rules).toEqual([]);
  });
});

describe('opened conversations', () => {
  const open = run(nothing, online, snapshot(), { type: 'opening', conversation: 'c' }).state;

  test('events before the answer to `open` are part of the answer', () => {
    const { state } = run(
      open,
      delta(1, { op: 'events', conversation: 'c', events: [text(1, 'a')] }),
      { type: 'opened', conversation: 'c', events: [text(1, 'a'), text(2, 'b')] },
      delta(2, { op: 'events', conversation: 'c', events: [text(3, 'c')] }),
    );
    expect(shown(state)).toEqual(['abc']);
  });

  test('events of closed conversations are ignored', () => {
    expect(
      run(nothing, online, snapshot(), delta(1, { op: 'events', conversation: 'c', events: [text(1, 'a')] })).state
        .opened,
    ).toEqual({});
  });

  test('a gap in the events requests the missing events and waits', () => {
    const { state, effects } = run(
      open,
      { type: 'opened', conversation: 'c', events: [text(1, 'a')] },
      delta(1, { op: 'events', conversation: 'c', events: [text(3, 'c')] }),
      delta(2, { op: 'events', conversation: 'c', events: [text(4, 'd')] }),
    );
    expect(effects).toEqual([{ need: 'events', conversation: 'c' }]);
    expect(shown(state)).toEqual(['a']);
    expect(
      shown(
        run(state, { type: 'opened', conversation: 'c', events: [text(2, 'b'), text(3, 'c'), text(4, 'd')] }).state,
      ),
    ).toEqual(['abcd']);
  });

  test('after a reconnect the transcript continues at its position', () => {
    const before = run(
      open,
      { type: 'opened', conversation: 'c', events: [text(1, 'a')] },
      { type: 'link', link: { state: 'lost', why: '', retryAt: 0 } },
    ).state;
    expect(before.synced).toBe(false);
    const { state, effects } = run(before, online, snapshot({ conversations: [conversation('c', { last_seq: 2 })] }));
    expect(effects).toEqual([{ need: 'events', conversation: 'c' }]);
    expect(shown(state)).toEqual(['a']);
    expect(shown(run(state, { type: 'opened', conversation: 'c', events: [text(2, 'b')] }).state)).toEqual(['ab']);
  });

  test('a host with fewer events is another host: the transcript starts empty', () => {
    const before = run(open, { type: 'opened', conversation: 'c', events: [text(1, 'a'), text(2, 'b')] }).state;
    expect(shown(run(before, snapshot({ conversations: [conversation('c', { last_seq: 1 })] })).state)).toEqual([]);
  });

  test('the newest of many missed events replace the known events', () => {
    const before = run(open, { type: 'opened', conversation: 'c', events: [text(1, 'a')] }).state;
    const { state } = run(
      before,
      { type: 'opening', conversation: 'c' },
      { type: 'opened', conversation: 'c', events: [text(100, 'y'), text(101, 'z')] },
    );
    expect(shown(state)).toEqual(['yz']);
    expect(state.opened['c']?.transcript.firstSeq).toBe(100);
    expect(shown(run(state, { type: 'older', conversation: 'c', events: [text(99, 'x')] }).state)).toEqual(['xyz']);
  });

  test('a removed conversation is gone with its asks', () => {
    const { state } = run(
      open,
      delta(1, { op: 'ask', ask: ask('1') }),
      delta(2, { op: 'conversation_removed', id: 'c' }),
    );
    expect(state.opened).toEqual({});
    expect(waiting(state)).toEqual([]);
  });
});

describe('asks', () => {
  test('wait oldest first; orphaned ones wait too', () => {
    const { state } = run(
      nothing,
      online,
      snapshot({ asks: [ask('2'), ask('1', { state: 'orphaned' }), ask('3', { state: 'expired' })] }),
    );
    expect(waiting(state).map((a) => a.id)).toEqual(['1', '2']);
  });
  test('settle by operation or by event, whichever comes first', () => {
    const open = run(
      nothing,
      online,
      snapshot({ asks: [ask('1'), ask('2')] }),
      { type: 'opening', conversation: 'c' },
      { type: 'opened', conversation: 'c', events: [] },
    ).state;
    const { state } = run(
      open,
      delta(1, { op: 'ask', ask: ask('1', { state: 'answered', chosen: 'once', by: 'person' }) }),
      delta(2, {
        op: 'events',
        conversation: 'c',
        events: [
          { kind: 'ask_settled', seq: 1, time: '', ask: '1', state: 'answered', chosen: 'other', by: 'late' },
          { kind: 'ask_settled', seq: 2, time: '', ask: '2', state: 'expired', by: 'expiry' },
        ],
      }),
    );
    expect(waiting(state)).toEqual([]);
    expect(state.asks['1']).toMatchObject({ chosen: 'once', by: 'person' });
    expect(state.asks['2']).toMatchObject({ state: 'expired' });
  });
  test('a snapshot is the whole truth about asks', () => {
    const open = run(nothing, online, snapshot({ asks: [ask('1')] })).state;
    expect(waiting(run(open, snapshot({ asks: [] })).state)).toEqual([]);
  });
});
