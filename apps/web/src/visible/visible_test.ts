// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { hiddenPlaces, visible, visibleLine, visibleProse } from '.';

// The same inputs as in src/parlance/base/visible_text_test.cpp: text, exact reading, reading as prose.
const CASES: [string, string, string?][] = [
  ["echo safe # \u202e' x/ fr- mr ;' mr", "echo safe # ⟨U+202E⟩' x/ fr- mr ;' mr"],
  ['a\u202etxt.hs', 'a⟨U+202E⟩txt.hs'],
  ['a\u2066b\u2069\u200f\u061c', 'a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩'],
  ['r\u200bm\u2060 \ufeff\u180e', 'r⟨U+200B⟩m⟨U+2060⟩ ⟨U+FEFF⟩⟨U+180E⟩'],
  ['ls\u{e0072}\u{e006d}', 'ls⟨U+E0072⟩⟨U+E006D⟩'],
  ['\xad\u034f\u115f\u1160\u17b4\u3164\uffa0', '⟨U+00AD⟩⟨U+034F⟩⟨U+115F⟩⟨U+1160⟩⟨U+17B4⟩⟨U+3164⟩⟨U+FFA0⟩'],
  ['a\u2028b\x9b31m', 'a⟨U+2028⟩b⟨U+009B⟩31m'],
  ['\x1b[2J\x7f rm\rls', '␛[2J␡ rm␍ls'],
  ['\ud800a\udc00', '⟨U+D800⟩a⟨U+DC00⟩'],
  ['rm\xa0-rf\u2003x', 'rm⟨U+00A0⟩-rf⟨U+2003⟩x', 'rm\xa0-rf\u2003x'],
  [
    '\u2764\ufe0f\u200d\u{1f525} 1\ufe0f\u20e3',
    '\u2764⟨U+FE0F⟩⟨U+200D⟩\u{1f525} 1⟨U+FE0F⟩\u20e3',
    '\u2764\ufe0f\u200d\u{1f525} 1\ufe0f\u20e3',
  ],
  ['\u0645\u06cc\u200c\u062e', '\u0645\u06cc⟨U+200C⟩\u062e', '\u0645\u06cc\u200c\u062e'],
  ['a\u200db', 'a⟨U+200D⟩b'],
  ['\u{1f600}\u{e0101}\u{e0102}', '\u{1f600}⟨U+E0101⟩⟨U+E0102⟩', '\u{1f600}\u{e0101}⟨U+E0102⟩'],
  ['a\ufe0f\u200d', 'a⟨U+FE0F⟩⟨U+200D⟩'],
];

test.each(CASES)('hidden characters have marks: %j', (text, exact, prose = exact) => {
  expect(visible(text)).toBe(exact);
  expect(visibleProse(text)).toBe(prose);
});

test.each(['', 'grüß dich\n\t日本語 🙂 e\u0301', 'שלום عربى', 'wide\u3000space'])('ordinary text stays: %j', (text) => {
  expect(visible(text)).toBe(text);
  expect(visibleProse(text)).toBe(text);
});

test('places', () => {
  expect(hiddenPlaces('a\r\n\u{e0041}b\u202e')).toEqual([
    { at: 3, mark: '⟨U+E0041⟩' },
    { at: 6, mark: '⟨U+202E⟩' },
  ]);
});

test('lines', () => {
  expect(visible('one\r\ntwo')).toBe('one\ntwo');
  expect(visibleLine('echo a\nrm b')).toBe('echo a␊rm b');
});
