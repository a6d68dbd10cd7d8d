// SPDX-License-Identifier: Apache-2.0
// Texts that would stop the page. Lexer and renderer call themselves for each level of quotes, lists and marks, and the stack of a
// browser ends at some thousand levels. Many marks without an end cost the lexer the square or cube of their number. A model may write
// or repeat such a text: the page shows the text without its marks.

const MOST = 100; // levels, and marks without an end: more than any text for people has
const DEEP_LINE = new RegExp(`^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${MOST}}`, 'm');

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

const hasOpenMarks = (text: string): boolean =>
  count(text, /\]\(/g) - count(text, /\)/g) > MOST ||
  count(text, /(?<!\S)[*_]+(?=[^\s*_])/g) - count(text, /[^\s*_][*_]+(?!\S)/g) > MOST;

/** The result of `make`, or of `plain` for such a text. */
export function unlessHostile<T>(text: string, make: () => T, plain: () => T): T {
  return hasOpenMarks(text) ? plain() : unlessDeep(text, make, plain);
}

/** The same for a reader of blocks alone. */
export function unlessDeep<T>(text: string, make: () => T, plain: () => T): T {
  if (DEEP_LINE.test(text)) return plain();
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return plain(); // the stack is exhausted
    throw error;
  }
}
