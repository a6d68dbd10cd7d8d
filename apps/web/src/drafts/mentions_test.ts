// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { mentionAt, Mentions, withMention } from './mentions';

test('text behind an @ is searched, an address is not', () => {
  expect(mentionAt('look at @src/ma', 15)).toEqual({ from: 9, typed: 'src/ma' });
  expect(mentionAt('@', 1)).toEqual({ from: 1, typed: '' });
  expect(mentionAt('ann@example.org', 15)).toBeUndefined();
  expect(mentionAt('@a b', 4)).toBeUndefined();
  expect(mentionAt('(@x', 3)).toEqual({ from: 2, typed: 'x' });
});

test('the path takes the place of what was typed', () => {
  expect(withMention('see @ma please', 7, 'src/main.cpp')).toEqual({ text: 'see @src/main.cpp please', caret: 18 });
  expect(withMention('nothing', 7, 'x')).toEqual({ text: 'nothing', caret: 7 });
});

test('only chosen names still in the text are sent', () => {
  const mentions = new Mentions();
  mentions.add('src/main.cpp');
  mentions.add('a.md');
  expect(mentions.in('see @src/main.cpp and @typed.txt', '/home/ann')).toEqual([{ path: '/home/ann/src/main.cpp' }]);
  expect(mentions.in('see @src/main.cppx', '/home/ann')).toEqual([]);
});
