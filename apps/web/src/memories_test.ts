// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Memories } from './memories';
import type { Memory } from './protocol';
import type { PageRequest } from './requests';

const memory = (id: string, more: Partial<Memory> = {}): Memory => ({
  id,
  text: `text of ${id}`,
  category: 'fact',
  importance: 0.5,
  source: 'agent',
  created_at: '2024-05-06T07:08:09Z',
  ...more,
});

/** A host whose answers the test gives by hand. */
function host() {
  const asked: { request: PageRequest; done: (value: unknown) => void; failed: (error: Error) => void }[] = [];
  const gone: string[] = [];
  const memories = new Memories(
    (request, done, failed) => {
      asked.push({ request, done: done as (value: unknown) => void, failed });
    },
    (request) => {
      gone.push(request.id);
    },
  );
  return { memories, asked, gone, ids: () => memories.list.value.map((kept) => kept.id) };
}

describe('Memories', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('lists the newest in pages', () => {
    const { memories, asked, ids } = host();
    memories.load();
    expect(asked[0]!.request).toEqual({ type: 'memory_list', limit: 50 });
    expect(memories.state.value).toBe('loading');
    asked[0]!.done({ memories: [memory('a'), memory('b')], next: 'b' });
    expect(ids()).toEqual(['a', 'b']);
    expect(memories.moreThere.value).toBe(true);
    memories.more();
    memories.more();
    expect(asked).toHaveLength(2);
    expect(asked[1]!.request).toEqual({ type: 'memory_list', limit: 50, before: 'b' });
    asked[1]!.done({ memories: [memory('b'), memory('c')] });
    expect(ids()).toEqual(['a', 'b', 'c']);
    expect(memories.moreThere.value).toBe(false);
  });

  it('searches once the typing pauses', () => {
    const { memories, asked } = host();
    memories.type('t');
    vi.advanceTimersByTime(150);
    memories.type('tea ');
    vi.advanceTimersByTime(199);
    expect(asked).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(asked.map((request) => request.request)).toEqual([{ type: 'memory_search', query: 'tea' }]);
    asked[0]!.done({ memories: [memory('a', { score: 0.8 })] });
    expect(memories.searched.value).toBe('tea');
    memories.choose('preference');
    expect(asked[1]!.request).toEqual({ type: 'memory_search', query: 'tea', category: 'preference' });
    memories.clear();
    expect(asked[2]!.request).toEqual({ type: 'memory_list', limit: 50 });
  });

  it('drops answers that came too late', () => {
    const { memories, asked, ids } = host();
    memories.choose('fact');
    memories.choose('decision');
    asked[1]!.done({ memories: [memory('new')] });
    asked[0]!.done({ memories: [memory('old')] });
    expect(ids()).toEqual(['new']);
    memories.choose('');
    memories.choose('other');
    asked[2]!.failed(new Error('late'));
    expect(memories.fault.value).toBe('');
  });

  it('forgets, once, and says when it could not', () => {
    const { memories, asked, gone, ids } = host();
    memories.load();
    asked[0]!.done({ memories: [memory('a'), memory('b'), memory('c')] });
    memories.forget(memories.list.value[0]!);
    memories.forget(memories.list.value[0]!);
    expect(asked).toHaveLength(2);
    expect(asked[1]!.request).toEqual({ type: 'memory_forget', id: 'a' });
    expect(ids()).toEqual(['a', 'b', 'c']);
    asked[1]!.done(undefined);
    expect(ids()).toEqual(['b', 'c']);
    expect(gone).toEqual(['a']);
    memories.forget(memories.list.value[0]!);
    asked[2]!.failed(new Error('the disk is full'));
    expect(ids()).toEqual(['b', 'c']);
    expect(memories.fault.value).toBe('the disk is full');
    expect(memories.forgetting.value.size).toBe(0);
    memories.forget(memories.list.value[0]!);
    asked[3]!.failed(Object.assign(new Error('memory not found: b'), { code: 'not_found' }));
    expect(ids()).toEqual(['c']);
    expect(memories.fault.value).toBe('');
  });

  it('keeps the shown list if a reload is impossible', () => {
    const { memories, asked, ids } = host();
    memories.load();
    asked[0]!.done({ memories: [memory('a')] });
    memories.load();
    expect(memories.state.value).toBe('ready');
    asked[1]!.failed(new Error('timeout waiting for agent'));
    expect(memories.state.value).toBe('failed');
    expect(memories.fault.value).toBe('timeout waiting for agent');
    expect(ids()).toEqual(['a']);
  });
});
