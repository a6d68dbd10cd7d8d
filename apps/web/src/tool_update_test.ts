// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { optionsInForce, valueName } from './options';
import type { AgentOption, Event } from './protocol';
import { matching, taken } from './slash';
import { apply, prepend } from './transcript';
import { diffsOf, empty, type ToolItem, type Transcript } from './transcript_items';

type Body = Event extends infer E ? (E extends Event ? Omit<E, 'seq' | 'time'> : never) : never;
function events(first: number, ...bodies: Body[]): Event[] {
  return bodies.map((body, i) => ({ ...body, seq: first + i, time: '2026-01-01T00:00:00Z' }));
}
function folded(...bodies: Body[]): Transcript {
  return apply(empty, events(1, ...bodies)).transcript;
}
const start: Body = {
  kind: 'tool_start',
  call: 'k',
  tool: 'MultiEdit',
  title: 'a',
  input: { n: 1 },
  call_kind: 'edit',
  locations: [{ path: '/a' }],
};

describe('later facts about a call', () => {
  test('replaces the earlier facts; absent members stay', () => {
    const t = folded(
      start,
      { kind: 'tool_update', call: 'k', title: 'b' },
      { kind: 'tool_update', call: 'k', input: { n: 2 } },
      { kind: 'tool_update', call: 'k', locations: [{ path: '/b', line: 3 }] },
    );
    expect(t.items).toMatchObject([
      {
        kind: 'tool',
        title: 'b',
        input: { n: 2 },
        locations: [{ path: '/b', line: 3 }],
        content: [],
        state: 'running',
      },
    ]);
  });
  test('may be several changed files, which replace earlier files', () => {
    const t = folded(
      start,
      { kind: 'tool_update', call: 'k', content: [{ type: 'diff', path: '/x', after: '1' }] },
      {
        kind: 'tool_update',
        call: 'k',
        content: [
          { type: 'diff', path: '/a', before: '1', after: '2' },
          { type: 'text', text: 'note' },
          { type: 'diff', path: '/b', after: '3' },
        ],
      },
      { kind: 'tool_end', call: 'k', state: 'done' },
    );
    expect(diffsOf(t.items[0] as ToolItem).map((diff) => diff.path)).toEqual(['/a', '/b']);
  });
  test('a status counts while the call has not ended', () => {
    expect(folded(start, { kind: 'tool_update', call: 'k', status: 'pending' }).items).toMatchObject([
      { state: 'pending' },
    ]);
    expect(
      folded(
        start,
        { kind: 'tool_end', call: 'k', state: 'done' },
        { kind: 'tool_update', call: 'k', status: 'running' },
      ).items,
    ).toMatchObject([{ state: 'done' }]);
  });
});

describe('clearing', () => {
  const said = (text: string): Body => ({ kind: 'user_message', turn: 't', text });
  test('hides all earlier events, which stay available', () => {
    const t = folded(
      { kind: 'turn_start', turn: 't' },
      said('old'),
      { kind: 'plan', entries: [{ content: 'x', status: 'pending', priority: 'low' }] },
      { kind: 'text', text: 'answer' },
      { kind: 'cleared' },
      said('new'),
    );
    expect(t.cleared).toBe(2);
    expect(t.items.slice(t.cleared).map((item) => item.kind)).toEqual(['cleared', 'user']);
    expect(t).toMatchObject({ plan: [], turn: undefined, lastPrompt: { text: 'new' } });
  });
  test('is the same after older events were prepended', () => {
    const all = events(1, said('old'), { kind: 'cleared' }, said('new'));
    const later = apply({ ...empty, firstSeq: 2, lastSeq: 1 }, all.slice(1)).transcript;
    expect(later.cleared).toBe(0);
    expect(prepend(later, all.slice(0, 1)).cleared).toBe(1);
  });
});

describe('options and commands', () => {
  const option = (id: string, value: string): AgentOption => ({
    id,
    name: id,
    description: '',
    category: '',
    kind: 'choice',
    values: [{ value: 'low', name: 'Low', description: '' }],
    value,
  });
  test('the chosen value replaces the offered value', () => {
    expect(
      optionsInForce([option('a', 'low'), option('b', 'x')], [option('b', 'y'), option('c', 'z')]).map(
        (agentOption) => agentOption.value,
      ),
    ).toEqual(['low', 'y', 'z']);
    expect(optionsInForce()).toEqual([]);
    expect(valueName([option('a', 'low')], 'a', 'low')).toBe('Low');
  });
  test('a change is shown at its place, and commands have their latest state', () => {
    const t = folded(
      { kind: 'option', id: 'a', name: 'Thinking', value: 'low', by: 'person' },
      { kind: 'commands', commands: [{ name: 'x', description: '' }] },
      { kind: 'commands', commands: [] },
    );
    expect(t.items).toMatchObject([{ kind: 'option', name: 'Thinking', value: 'low' }]);
    expect(t.commands).toEqual([]);
  });
  test('a slash completes prefixes, then other matches, until a space', () => {
    const commands = ['compact', 'review', 'context', 'pr-comments'].map((name) => ({ name, description: '' }));
    expect(matching(commands, '/co').map((command) => command.name)).toEqual(['compact', 'context', 'pr-comments']);
    expect(matching(commands, '/').length).toBe(4);
    expect(matching(commands, 'a /co')).toEqual([]);
    expect(matching(commands, '/compact now')).toEqual([]);
    expect(matching(commands, '/review')).toEqual([]);
    expect(taken(commands[0]!)).toBe('/compact ');
  });
});

describe('usage', () => {
  test('is added up, but for how full the window is', () => {
    const usageOf = (amount: number, used: number): Body => ({
      kind: 'usage',
      input_tokens: 10,
      output_tokens: 1,
      cache_read_tokens: 4,
      cost: { amount, currency: 'USD' },
      context: { used, size: 100 },
    });
    const t = folded({ kind: 'turn_start', turn: 't' }, usageOf(1, 10), usageOf(2, 30));
    expect(t.turn).toMatchObject({ inputTokens: 20, cacheReadTokens: 8, cost: { amount: 3, currency: 'USD' } });
    expect(t.context).toEqual({ used: 30, size: 100 });
  });
});
