// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, test } from 'vitest';
import type { Ask, HostMessage } from '../../../web/src/protocol';
import type { Outcome, Proposal } from '../bridge/editor';
import { Inbox } from '../gateway/inbox';
import { AskDiffs } from './ask_diffs';
import { agentStatus, idle, mostUrgent, shown } from './status_text';

const ask = (id: string, more: Partial<Ask> = {}): Ask => ({
  id,
  conversation: 'c',
  kind: 'permission',
  title: 'main.cpp',
  why: '',
  digest: 'd',
  state: 'open',
  created_at: '',
  editable: 'diff',
  diff: { path: 'main.cpp', before: 'a', after: 'b' },
  options: [
    { id: 'y', label: 'Allow', kind: 'allow_once', dangerous: false },
    { id: 'n', label: 'Reject', kind: 'reject_once', dangerous: false },
  ],
  ...more,
});
const conversation = (id: string, state: string, folder = '/w') => ({ id, state, folder }) as never;
const snapshot = (asks: Ask[]) =>
  ({ type: 'snapshot', asks, conversations: [conversation('c', 'waiting')] }) as unknown as HostMessage;
const delta = (...ops: unknown[]) => ({ type: 'delta', seq: 1, ops }) as HostMessage;
const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

let opened: { proposal: Proposal; settle(outcome: Outcome): void; withdrawn: boolean }[];
let answers: string[];
let inbox: Inbox;
let diffs: AskDiffs;
beforeEach(() => {
  [opened, answers, inbox] = [[], [], new Inbox()];
  diffs = new AskDiffs({
    show: async (proposal) => {
      let settle = (_: Outcome) => {};
      const settled = new Promise<Outcome>((resolve) => {
        settle = resolve;
      });
      const diff = { proposal, settle, withdrawn: false };
      opened.push(diff);
      return {
        settled,
        withdraw: async () => {
          diff.withdrawn = true;
        },
      };
    },
    answer: (about, option, edited) => answers.push(`${about.id} ${option.id} ${edited ?? '-'}`),
    ours: (folder) => folder === '/w',
    failed: (why) => {
      throw why;
    },
  });
});

describe('waiting changes as diffs', () => {
  test('opened once, below the folder of their conversation, and the edited text is the answer', async () => {
    inbox.take(snapshot([ask('1')]));
    diffs.follow(inbox, true);
    diffs.follow(inbox, true);
    await tick();
    expect(opened.map((diff) => diff.proposal)).toEqual([
      { path: '/w/main.cpp', newContent: 'b', title: '', fixed: false },
    ]);
    opened[0]!.settle({ outcome: 'accepted', finalContent: 'mine', edited: true });
    await tick();
    expect(answers).toEqual(['1 y mine']);
  });
  test("changes on a runner's machine open no diff: this window may have another file at the path", async () => {
    inbox.take({
      type: 'snapshot',
      asks: [ask('1')],
      conversations: [{ id: 'c', state: 'waiting', folder: '/w', place: 'box' }],
    } as unknown as HostMessage);
    diffs.follow(inbox, true);
    await tick();
    expect(opened).toEqual([]);
  });
  test('a fixed proposal is read only', async () => {
    const fixed = ask('1');
    delete fixed.editable;
    inbox.take(snapshot([fixed, ask('2', { editable: 'command' })]));
    diffs.follow(inbox, true);
    await tick();
    expect(opened.map((diff) => diff.proposal.fixed)).toEqual([true, true]);
  });
  test('accepted unchanged, rejected by the button, closed', async () => {
    const outcomes: Outcome[] = [
      { outcome: 'accepted', finalContent: 'b', edited: false },
      { outcome: 'rejected', reason: 'button' },
      { outcome: 'rejected', reason: 'closed' },
    ];
    inbox.take(snapshot(outcomes.map((_, i) => ask(String(i)))));
    diffs.follow(inbox, true);
    await tick();
    outcomes.forEach((outcome, i) => opened[i]!.settle(outcome));
    await tick();
    expect(answers).toEqual(['0 y -', '1 n -']);
    diffs.follow(inbox, true);
    await tick();
    expect(opened).toHaveLength(5); // the answered ones until the gateway says so, the closed one never by itself
    await diffs.open(inbox.asks.get('2')!, '/w');
    expect(opened).toHaveLength(6);
  });
  test('answered elsewhere they close, and no request is answered twice', async () => {
    inbox.take(snapshot([ask('1')]));
    diffs.follow(inbox, true);
    await tick();
    inbox.take(delta({ op: 'ask', ask: ask('1', { state: 'answered' }) }));
    diffs.follow(inbox, true);
    expect(opened[0]!.withdrawn).toBe(true);
    opened[0]!.settle({ outcome: 'rejected', reason: 'cancelled' });
    await tick();
    expect(answers).toEqual([]);
  });
  test('only on request, only for this window, only changes', async () => {
    inbox.take(snapshot([ask('1')]));
    diffs.follow(inbox, false);
    inbox.take(
      delta(
        { op: 'conversation', conversation: conversation('far', 'idle', '/elsewhere') },
        { op: 'ask', ask: ask('2', { conversation: 'far' }) },
        { op: 'ask', ask: ask('3', { diff: undefined as never }) },
        { op: 'conversation_removed', id: 'c' },
      ),
    );
    diffs.follow(inbox, true);
    await tick();
    expect([opened.length, inbox.waiting.map((waiting) => waiting.id)]).toEqual([0, ['2']]);
  });
});

test.each<[Parameters<typeof shown>, string, number]>([
  [[{ state: 'stopped' }, 0, 0, idle], '$(comment-discussion) parlance', 0],
  [[{ state: 'starting' }, 0, 0, idle], '$(loading~spin) parlance', 0],
  [[{ state: 'failed', why: 'x' }, 2, 0, idle], '$(error) parlance', 0],
  [[{ state: 'ready', address: { origin: '', token: '' } }, 2, 1, idle], '$(bell-dot) parlance: 2 wait for you', 2],
  [[{ state: 'ready', address: { origin: '', token: '' } }, 0, 1, idle], '$(sync~spin) parlance', 0],
  [[{ state: 'stopped' }, 0, 0, { state: 'thinking', text: '' }], '$(sync~spin) parlance: thinking', 0],
  [
    [{ state: 'stopped' }, 0, 0, { state: 'tool', text: `make $(bell)\n${'x'.repeat(60)}` }],
    `$(sync~spin) parlance: make (bell) ${'x'.repeat(28)}…`,
    0,
  ],
  [
    [{ state: 'stopped' }, 0, 1, { state: 'waiting', text: 'rm -r x' }],
    '$(bell-dot) parlance: the terminal agent waits for you',
    0,
  ],
])('the status bar: %j', (state, text, waits) => expect(shown(...state)).toMatchObject({ text, waits }));
test('of several agents on the bridge, a waiting agent is reported before a working agent', () => {
  const [works, waits] = [agentStatus({ state: 'tool', text: 'make' }), agentStatus({ state: 'waiting' })];
  expect(mostUrgent([idle, works, waits])).toEqual({ state: 'waiting', text: '' });
  expect(mostUrgent([idle, works])).toEqual(works);
  expect(mostUrgent([])).toEqual(idle);
  expect(agentStatus({ state: 'dances', text: 7 })).toEqual(idle);
});
