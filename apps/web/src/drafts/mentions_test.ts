// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { mention_at, Mentions, with_mention } from './mentions';

test('text behind an @ is searched, an address is not', () => {
  expect(mention_at('look at @src/ma', 15)).toEqual({ from: 9, typed: 'src/ma' });
  expect(mention_at('@', 1)).toEqual({ from: 1, typed: '' });
  expect(mention_at('ann@example.org', 15)).toBeUndefined();
  expect(mention_at('@a b', 4)).toBeUndefined();
  expect(mention_at('(@x', 3)).toEqual({ from: 2, typed: 'x' });
});

test('the path takes the place of what was typed', () => {
  expect(with_mention('see @ma please', 7, 'src/main.cpp')).toEqual({ text: 'see @src/main.cpp please', caret: 18 });
  expect(with_mention('nothing', 7, 'x')).toEqual({ text: 'nothing', caret: 7 });
});

test('only chosen names still in the text are sent', () => {
  const mentions = new Mentions();
  mentions.add('src/main.cpp');
  mentions.add('a.md');
  expect(mentions.in('see @src/main.cpp and @typed.txt', '/home/ann')).toEqual([{ path: '/home/ann/src/main.cpp' }]);
  expect(mentions.in('see @src/main.cppx', '/home/ann')).toEqual([]);
});
