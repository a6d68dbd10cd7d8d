// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { covers, Heights, TAIL_ENTRIES, tailOf } from './heights';

const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}`);

describe('The drawn part of a transcript', () => {
  test('is what lies between two lines, and its end', () => {
    const heights = new Heights();
    for (const key of keys(100)) heights.set(key, 50);
    expect(heights.range(keys(100), 500, 1000)).toEqual({ from: 10, to: 20, tail: 100 - TAIL_ENTRIES });
    expect(heights.range(keys(100), -300, 100)).toEqual({ from: 0, to: 2, tail: 100 - TAIL_ENTRIES });
    expect(heights.range(keys(100), 90_000, 91_000)).toEqual({
      from: 100 - TAIL_ENTRIES,
      to: 100 - TAIL_ENTRIES,
      tail: 100 - TAIL_ENTRIES,
    });
  });

  test('leaves as much room as the rest needs', () => {
    const heights = new Heights();
    for (const [i, key] of keys(100).entries()) heights.set(key, i + 1);
    expect(heights.room(keys(100), { from: 3, to: 90, tail: 92 })).toEqual({ above: 1 + 2 + 3, between: 91 + 92 });
  });

  test('takes what was not seen yet to be like what was', () => {
    const heights = new Heights();
    expect(heights.of('k0')).toBe(80);
    heights.set('k0', 100);
    heights.set('k1', 300);
    expect(heights.of('k2')).toBe(200);
    heights.set('k1', 500);
    expect(heights.of('k2')).toBe(300);
  });

  test('is all of what is short', () => {
    expect(new Heights().range(keys(3), 0, 800)).toEqual({ from: 0, to: 0, tail: 0 });
    expect(tailOf(3)).toBe(0);
  });

  test('need not change while it covers what is needed', () => {
    const drawn = { from: 10, to: 20, tail: 92 };
    expect(covers(drawn, { from: 12, to: 18, tail: 92 })).toBe(true);
    expect(covers(drawn, { from: 9, to: 18, tail: 92 })).toBe(false);
    expect(covers(drawn, { from: 92, to: 92, tail: 92 })).toBe(true);
  });
});
