// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { linesOf, occurrences, position, replaced, smallestEdit } from './edits';

const apply = (before: string, after: string): string => {
  const edit = smallestEdit(before, after);
  if (!edit) return before;
  const offset = ({ line, character }: { line: number; character: number }) =>
    before
      .split('\n')
      .slice(0, line)
      .reduce((sum, text) => sum + text.length + 1, 0) + character;
  return before.slice(0, offset(edit.range.start)) + edit.newText + before.slice(offset(edit.range.end));
};

describe('the smallest edit', () => {
  test.each([
    ['a\nb\nc\n', 'a\nB\nc\n'],
    ['', 'new'],
    ['gone', ''],
    ['aaaa', 'aa'],
    ['aa', 'aaaa'],
    ['x😀y', 'x😁y'],
    ['😀', '😀😀'],
    ['a😀', 'a'],
    ['\n\n', '\n'],
  ])('%j becomes %j', (before, after) => expect(apply(before, after)).toBe(after));
  test('touches only differences', () => {
    expect(smallestEdit('int main() { return 0; }\n', 'int main() { return 42; }\n')).toEqual({
      range: { start: { line: 0, character: 20 }, end: { line: 0, character: 21 } },
      newText: '42',
    });
    expect(smallestEdit('same', 'same')).toBeUndefined();
  });
  test('never cuts a pair of surrogates', () => {
    const edit = smallestEdit('😀', '😁')!;
    expect(edit).toEqual({
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } },
      newText: '😁',
    });
  });
  test('random texts arrive correctly', () => {
    let seed = 1;
    const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
    const text = () => Array.from({ length: random(12) }, () => ['a', 'b', '\n', '😀', '😁'][random(5)]).join('');
    for (let i = 0; i < 3000; ++i) {
      const [before, after] = [text(), text()];
      expect(apply(before, after)).toBe(after);
    }
  });
});

test('occurrences do not overlap, and an empty text has none', () => {
  expect(occurrences('aaaa', 'aa')).toEqual([0, 2]);
  expect(occurrences('aaaa', '')).toEqual([]);
});
test('inserted text is taken literally', () => expect(replaced('a-b-c', '-', '$&$$', [1, 3])).toBe('a$&$$b$&$$c'));
test('positions count lines and UTF-16 units', () => expect(position('ab\n😀c', 5)).toEqual({ line: 1, character: 2 }));
test('lines from first to last, inclusive', () => expect(linesOf('a\nb\nc\nd', 1, 2)).toBe('b\nc'));
