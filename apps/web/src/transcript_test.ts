// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test, vi } from 'vitest';
import type { Ask, Event } from './protocol';
import { apply, prepend } from './transcript';
import { empty, startingAt, type Transcript } from './transcript_items';

type Body = Event extends infer E ? (E extends Event ? Omit<E, 'seq' | 'time'> : never) : never;

/** Numbers events from `first` on. */
function events(first: number, ...bodies: Body[]): Event[] {
  return bodies.map((body, i) => ({
    ...body,
    seq: first + i,
    time: `2026-01-01T00:00:${String(i).padStart(2, '0')}Z`,
  }));
}
function folded(...bodies: Body[]): Transcript {
  return apply(empty, events(1, ...bodies)).transcript;
}
const ask: Ask = {
  id: 'a1',
  conversation: 'c',
  kind: 'permission',
  call: 'k1',
  tool: 'edit',
  title: 'x.cpp',
  why: 'wants to',
  options: [],
  digest: 'd',
  state: 'open',
  created_at: '2026-01-01T00:00:00Z',
};

describe('messages of a person', () => {
  test('has its attachments, and is the target of a retry', () => {
    const attachments = [{ id: 'a', media_type: 'image/png', name: 'a.png', bytes: 3 }];
    const t = folded({ kind: 'user_message', turn: 't', text: '', attachments });
    expect(t.items[0]).toMatchObject({ kind: 'user', text: '', attachments });
    expect(t.lastPrompt).toEqual({ text: '', attachments });
    expect(folded({ kind: 'user_message', turn: 't', text: 'hi' }).lastPrompt).toEqual({
      text: 'hi',
      attachments: [],
    });
  });
});

describe('unknown messages of a newer host', () => {
  test('is skipped if unknown to this page, and counts as read', () => {
    const told = vi.spyOn(console, 'info').mockImplementation(() => {});
    const t = folded(
      { kind: 'text', text: 'a' },
      { kind: 'fireworks' } as unknown as Body,
      { kind: 'fireworks' } as unknown as Body,
      { kind: 'text', text: 'b' },
    );
    expect(t.items).toMatchObject([{ kind: 'text', text: 'ab' }]);
    expect(t.lastSeq).toBe(4);
    expect(told.mock.calls).toEqual([['The host is newer than this page: unknown event fireworks is passed over.']]);
    told.mockRestore();
  });
});

describe('a plan', () => {
  const plan = (status: 'completed' | 'pending'): Body => ({
    kind: 'plan',
    entries: [{ content: 'look', status, priority: 'medium' }],
  });
  test('a completed plan disappears with the next turn, an incomplete plan stays', () => {
    expect(folded({ kind: 'turn_start', turn: '1' }, plan('completed')).plan).toHaveLength(1);
    expect(
      folded({ kind: 'turn_start', turn: '1' }, plan('completed'), { kind: 'turn_start', turn: '2' }).plan,
    ).toEqual([]);
    expect(
      folded({ kind: 'turn_start', turn: '1' }, plan('pending'), { kind: 'turn_start', turn: '2' }).plan,
    ).toHaveLength(1);
  });
});

describe('text', () => {
  test('pieces become an item that settles before the next item', () => {
    const t = folded({ kind: 'text', text: 'Hel' }, { kind: 'text', text: 'lo' }, { kind: 'thinking_start' });
    expect(t.items.map((i) => i.kind)).toEqual(['text', 'thinking']);
    expect(t.items[0]).toMatchObject({ text: 'Hello', settled: true });
    expect(t.items[1]).toMatchObject({ settled: false });
  });

  test('usage, plan and tool output between two pieces do not break the paragraph', () => {
    const t = folded(
      { kind: 'tool_start', call: 'k1', tool: 'run', title: 'ls', input: {} },
      { kind: 'text', text: 'a' },
      { kind: 'tool_output', call: 'k1', text: 'out' },
      { kind: 'plan', entries: [] },
      { kind: 'usage', input_tokens: 1, output_tokens: 1 },
      { kind: 'text', text: 'b' },
    );
    expect(t.items.map((i) => i.kind)).toEqual(['tool', 'text']);
    expect(t.items[1]).toMatchObject({ text: 'ab', settled: false });
  });

  test('a batch leaves unchanged items identical and never writes into the old transcript', () => {
    const before = folded({ kind: 'user_message', turn: 't', text: 'hi' }, { kind: 'text', text: 'a' });
    const copy = structuredClone(before);
    const { transcript: after } = apply(before, events(3, { kind: 'text', text: 'b' }, { kind: 'text', text: 'c' }));
    expect(after.items[0]).toBe(before.items[0]);
    expect(after.items[1]).not.toBe(before.items[1]);
    expect(after.items[1]).toMatchObject({ text: 'abc' });
    expect(before).toEqual(copy);
  });
});

describe('thinking', () => {
  test('has a duration after its end', () => {
    const t = folded(
      { kind: 'thinking_start' },
      { kind: 'thinking_content', text: 'hm' },
      { kind: 'thinking_end', duration_ms: 12_000 },
    );
    expect(t.items).toMatchObject([{ kind: 'thinking', text: 'hm', settled: true, durationMs: 12_000 }]);
  });
  test('content without a start still shows', () => {
    expect(folded({ kind: 'thinking_content', text: 'hm' }).items).toMatchObject([
      { kind: 'thinking', text: 'hm', settled: false },
    ]);
  });
});

describe('tools', () => {
  test('a single card for each call, updated in place, whatever comes between', () => {
    const t = folded(
      { kind: 'tool_start', call: 'k1', tool: 'read', title: 'a', input: { path: 'a' } },
      { kind: 'tool_start', call: 'k2', tool: 'read', title: 'b', input: { path: 'b' }, parent: 'k1' },
      { kind: 'tool_output', call: 'k1', text: '1' },
      { kind: 'tool_output', call: 'k2', text: '2' },
      { kind: 'tool_output', call: 'k1', text: '1' },
      { kind: 'tool_end', call: 'k2', state: 'failed' },
      { kind: 'tool_update', call: 'k1', content: [{ type: 'diff', path: 'a', after: 'x' }] },
      { kind: 'tool_end', call: 'k1', state: 'done' },
    );
    expect(t.items).toMatchObject([
      { call: 'k1', output: '11', state: 'done', content: [{ type: 'diff', path: 'a', after: 'x' }] },
      { call: 'k2', output: '2', state: 'failed', parent: 'k1' },
    ]);
  });
  test('a call announced twice keeps a single card with the later title', () => {
    const t = folded(
      { kind: 'tool_start', call: 'k1', tool: 'edit', title: '', input: null },
      { kind: 'tool_start', call: 'k1', tool: 'edit', title: 'x', input: {} },
    );
    expect(t.items).toHaveLength(1);
    expect(t.items[0]).toMatchObject({ title: 'x' });
  });
  test('an id used again after the call ended begins a new card', () => {
    const start: Body = { kind: 'tool_start', call: 'k1', tool: 'edit', title: 'x', input: {} };
    const t = folded(
      start,
      { kind: 'tool_confirmation', ask },
      { kind: 'ask_settled', ask: 'a1', state: 'orphaned', by: 'agent' },
      { kind: 'tool_end', call: 'k1', state: 'failed' },
      start,
      { kind: 'tool_confirmation', ask: { ...ask, id: 'a2' } },
      { kind: 'tool_output', call: 'k1', text: 'new' },
    );
    expect(t.items).toMatchObject([
      { ask: 'a1', state: 'failed', output: '' },
      { ask: 'a2', state: 'pending', output: 'new' },
    ]);
  });
  test('a call without an end is cancelled at the end of the turn', () => {
    const t = folded(
      { kind: 'turn_start', turn: 't' },
      { kind: 'tool_start', call: 'k1', tool: 'run', title: 'x', input: {} },
      { kind: 'turn_end', turn: 't', stop_reason: 'cancelled', duration_ms: 5 },
    );
    expect(t.items).toMatchObject([
      { kind: 'tool', state: 'cancelled' },
      { kind: 'ending', stopReason: 'cancelled', durationMs: 5 },
    ]);
    expect(t.turn).toMatchObject({ running: false, durationMs: 5 });
  });
});

describe('asks', () => {
  test('a permission belongs to its card, and an approval lets the call run', () => {
    let t = folded(
      { kind: 'tool_start', call: 'k1', tool: 'edit', title: 'x', input: {} },
      { kind: 'tool_confirmation', ask },
    );
    expect(t.items).toMatchObject([{ kind: 'tool', ask: 'a1', state: 'pending' }]);
    t = apply(
      t,
      events(3, { kind: 'ask_settled', ask: 'a1', state: 'answered', chosen: 'once', by: 'person' }),
    ).transcript;
    expect(t.items).toMatchObject([{ kind: 'tool', ask: 'a1', state: 'running' }]);
    expect(t.asks['a1']).toMatchObject({ state: 'answered', chosen: 'once', by: 'person' });
  });
  test('requested before the announcement of the call, the request moves into the card', () => {
    let t = folded({ kind: 'tool_confirmation', ask });
    expect(t.items).toMatchObject([{ kind: 'ask', ask: 'a1' }]);
    t = apply(t, events(2, { kind: 'tool_start', call: 'k1', tool: 'edit', title: 'x', input: {} })).transcript;
    expect(t.items).toMatchObject([{ kind: 'tool', ask: 'a1', state: 'pending' }]);
  });
  test('a question without a call is an item of its own', () => {
    const { call: _, ...question } = ask;
    expect(folded({ kind: 'user_question', ask: { ...question, kind: 'question' } }).items).toMatchObject([
      { kind: 'ask', ask: 'a1' },
    ]);
  });
});

describe('turns', () => {
  test('usage adds up within a turn and starts at zero in the next', () => {
    let t = folded(
      { kind: 'turn_start', turn: '1' },
      { kind: 'usage', input_tokens: 10, output_tokens: 1 },
      { kind: 'usage', input_tokens: 20, output_tokens: 2, cost: { amount: 0.5, currency: 'USD' } },
    );
    expect(t.turn).toMatchObject({ inputTokens: 30, outputTokens: 3, cost: { amount: 0.5, currency: 'USD' } });
    t = apply(t, events(4, { kind: 'turn_start', turn: '2' })).transcript;
    expect(t.turn).toMatchObject({ inputTokens: 0, cost: undefined });
  });
});

describe('notices', () => {
  test('stay in their order, also between turns', () => {
    const t = folded(
      { kind: 'turn_start', turn: '1' },
      { kind: 'text', text: 'a' },
      { kind: 'turn_end', turn: '1', stop_reason: 'end_turn', duration_ms: 1 },
      { kind: 'notice', level: 'warning', text: 'A task has ended.', detail: 'd' },
    );
    expect(t.items.at(-1)).toMatchObject({ kind: 'notice', level: 'warning', text: 'A task has ended.', detail: 'd' });
  });
});

describe('actions of people', () => {
  test('has a line for actions of others, or for the start of an effect', () => {
    const act = (what: string, by?: string): Record<string, unknown> => ({
      kind: 'notice',
      level: 'info',
      text: 'x',
      detail: '',
      act: { what, value: 'v', ...(by ? { by } : {}) },
    });
    expect(folded(act('title') as never).items).toEqual([]);
    expect(
      folded(act('title', 'ann') as never, act('model') as never).items.map((item) =>
        item.kind === 'notice' ? item.act?.what : '',
      ),
    ).toEqual(['title', 'model']);
  });
});

describe('sequence', () => {
  test('known events are skipped, a gap stops', () => {
    const t = folded({ kind: 'text', text: 'a' });
    const again = apply(t, events(1, { kind: 'text', text: 'a' }));
    expect(again.gap).toBe(false);
    expect(again.transcript).toBe(t);
    const gap = apply(t, events(3, { kind: 'text', text: 'c' }));
    expect(gap.gap).toBe(true);
    expect(gap.transcript).toBe(t);
  });

  test('older events are joined with cut words and calls, wherever the cut is', () => {
    const all = events(
      1,
      { kind: 'turn_start', turn: 't' },
      { kind: 'user_message', turn: 't', text: 'go' },
      { kind: 'thinking_start' },
      { kind: 'thinking_content', text: 'h' },
      { kind: 'thinking_content', text: 'm' },
      { kind: 'thinking_end', duration_ms: 9 },
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      { kind: 'tool_start', call: 'k1', tool: 'edit', title: 'x', input: {} },
      { kind: 'tool_confirmation', ask },
      { kind: 'tool_output', call: 'k1', text: '1' },
      { kind: 'tool_output', call: 'k1', text: '2' },
      { kind: 'ask_settled', ask: 'a1', state: 'answered', chosen: 'once', by: 'person' },
      { kind: 'tool_end', call: 'k1', state: 'done' },
      { kind: 'usage', input_tokens: 3, output_tokens: 4 },
      { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 7 },
    );
    const whole = apply(empty, all).transcript;
    for (let cut = 1; cut < all.length; ++cut) {
      const newer = apply(startingAt(cut + 1), all.slice(cut)).transcript;
      expect(newer.firstSeq).toBe(cut + 1);
      const joined = prepend(newer, all.slice(0, cut));
      const { log: _a, ...have } = joined;
      const { log: _b, ...want } = whole;
      expect(have, `cut after ${cut}`).toEqual(want);
    }
  });
  test('no older events: the beginning is reached', () => {
    expect(prepend(startingAt(5), []).firstSeq).toBe(1);
  });
  test('a long stream costs the same per batch at its end as at its beginning', () => {
    let t: Transcript = empty;
    let seq = 0;
    for (let batch = 0; batch < 500; ++batch) {
      t = apply(
        t,
        Array.from({ length: 100 }, () => ({ kind: 'text', text: '12345678', seq: ++seq, time: '' })),
      ).transcript;
    }
    expect((t.items[0] as { text: string }).text.length).toBe(400_000);
    expect(t.log).toHaveLength(1);
  });
});
