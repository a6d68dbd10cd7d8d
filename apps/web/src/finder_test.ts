// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Finder } from './finder';
import type { SearchHit } from './protocol';

type Answer = { words: string; done: (hits: SearchHit[]) => void; failed: (why: string) => void };
const asked: Answer[] = [];
const finderOf = () =>
  new Finder((request, done, failed) => {
    asked.push({
      words: (request as { words: string }).words,
      done: (hits) => (done as (value: unknown) => void)({ hits }),
      failed: (why) => failed(new Error(why)),
    });
  });
const hit = (seq: number): SearchHit => ({ conversation: 'c', seq, snippet: 's' });

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

test('searches once, after typing pauses', () => {
  const finder = finderOf();
  for (const words of ['t', 'ta', 'tab', 'tabs ']) finder.type(words);
  vi.advanceTimersByTime(1000);
  expect(asked.map((search) => search.words)).toEqual(['tabs']);
  asked[0]!.done([hit(3)]);
  expect(finder.hits.value).toEqual([hit(3)]);
  expect(finder.looking.value).toBe(false);
});

test('an answer that later words have overtaken is dropped', () => {
  const finder = finderOf();
  finder.type('old');
  vi.advanceTimersByTime(300);
  finder.type('new');
  asked[0]!.done([hit(1)]);
  expect(finder.hits.value).toEqual([]);
  vi.advanceTimersByTime(300);
  asked[1]!.failed('no disk');
  expect(finder.fault.value).toBe('no disk');
  finder.type('');
  expect([finder.fault.value, finder.looking.value]).toEqual(['', false]);
});

test('one letter is not looked for in texts, but in titles', () => {
  const finder = finderOf();
  finder.type('Ü');
  vi.advanceTimersByTime(1000);
  expect(asked).toEqual([]);
  expect([finder.matches('über'), finder.matches('ober')]).toEqual([true, false]);
});
