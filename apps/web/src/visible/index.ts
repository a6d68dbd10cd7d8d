// SPDX-License-Identifier: Apache-2.0
// Marks hidden characters, like src/parlance/base/visible_text.h for other frontends. Answers and digests use the original text.

import { ALWAYS, JOINERS, SPACES } from './hidden_ranges';

const LONE = '\\ud800-\\udfff'; // with the flag u: surrogates without their other half
const hidden = new RegExp(`[${ALWAYS}${JOINERS}${SPACES}${LONE}]`, 'gu');
const always = new RegExp(`[${ALWAYS}${LONE}]`, 'u');
const space = new RegExp(`[${SPACES}]`, 'u');

function mark(c: string): string {
  const n = c.codePointAt(0)!;
  return n < 32
    ? String.fromCharCode(0x2400 + n)
    : n === 127
      ? '␡'
      : `⟨U+${n.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Marks every hidden character of a command, path or change. Line feeds and tabs stay. */
export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(hidden, mark);

/** Offsets of hidden characters, and their marks. */
export const hiddenPlaces = (text: string): { at: number; mark: string }[] =>
  [...text.matchAll(hidden)]
    .filter((match) => !text.startsWith('\r\n', match.index))
    .map((match) => ({ at: match.index, mark: mark(match[0]) }));

/** `visible` with marks for line feeds. */
export const visibleLine = (text: string): string => visible(text).replaceAll('\n', '␊');

/** Marks a plan, question or label. Spaces stay, and a single joiner behind an emoji or a letter of a script. */
export function visibleProse(text: string): string {
  let marked = 0; // the end of the last mark
  return text.replaceAll('\r\n', '\n').replace(hidden, (c: string, at: number, whole: string) => {
    const before = at > marked ? [...whole.slice(Math.max(0, at - 2), at)].at(-1)! : '';
    if (!always.test(c) && (space.test(c) || joins(before, c))) return c;
    marked = at + c.length;
    return mark(c);
  });
}

function joins(before: string, c: string): boolean {
  if (before === '\ufe0f') return c === '\u200d';
  if (before < '\u0590') return c === '\ufe0f' && /[#*\d©®]/.test(before);
  return before.search(hidden) < 0;
}
