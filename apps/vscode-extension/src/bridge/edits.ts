// SPDX-License-Identifier: Apache-2.0
// Changes of text, without an editor: the positions of a text, and the smallest edit between two texts. Offsets and characters are UTF-16
// units, as in editors.

export interface Position {
  line: number;
  character: number;
}
export interface Range {
  start: Position;
  end: Position;
}
export interface TextEdit {
  range: Range;
  newText: string;
}

/** Positions of `what` without overlaps. */
export function occurrences(text: string, what: string): number[] {
  const found: number[] = [];
  if (what === '') return found;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + what.length)) found.push(at);
  return found;
}

/** By index: `$&` and similar in the new text have no meaning here. */
export function replaced(text: string, what: string, by: string, places: readonly number[]): string {
  let out = '';
  let from = 0;
  for (const at of places) {
    out += text.slice(from, at) + by;
    from = at + what.length;
  }
  return out + text.slice(from);
}

export const withLf = (text: string): string => text.replace(/\r\n/g, '\n');

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The change between two texts with LF line ends: one edit without the common beginning and end; none for equal texts. */
export function smallestEdit(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) ++head;
  if (head > 0 && (isLowSurrogate(before.charCodeAt(head)) || isLowSurrogate(after.charCodeAt(head)))) --head; // never half of a pair
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    ++tail;
  if (tail > 0 && isLowSurrogate(before.charCodeAt(before.length - tail))) --tail;
  return {
    range: { start: position(before, head), end: position(before, before.length - tail) },
    newText: after.slice(head, after.length - tail),
  };
}

export function position(text: string, offset: number): Position {
  let line = 0;
  let begin = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', begin)) {
    ++line;
    begin = at + 1;
  }
  return { line, character: offset - begin };
}

/** Lines `first` to `last`, both included and counted from 0. */
export function linesOf(text: string, first = 0, last = Number.MAX_SAFE_INTEGER): string {
  return text
    .split('\n')
    .slice(first, last + 1)
    .join('\n');
}
