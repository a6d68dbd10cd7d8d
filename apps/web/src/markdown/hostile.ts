// SPDX-License-Identifier: Apache-2.0
// Texts that would stop the page. Lexer and renderer call themselves for each level of quotes, lists and marks, and the stack of a
// browser ends at some thousand levels. Many open marks in a paragraph cost the lexer the square or cube of their number. A model may
// write or repeat such a text: the page shows the text without its marks.

const MOST = 100; // levels, and open marks of a paragraph: more than any text for people has
const DEEP_LINE = new RegExp(`^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${MOST}}`, 'm');
const NEW_BLOCK = /^[ \t]*(?:$|>|(?:[-*+]|\d{1,9}[.)])[ \t])/; // a paragraph ends there
const FENCE = /^[ \t>]*(?:```|~~~)/;
const MARK = /\]\(|\)|`+|\*+|_+/g;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Whether a run of * or _ can begin and end emphasis: the rules of CommonMark for flanking. */
function flanks(before: string, after: string, letter: string): { begins: boolean; ends: boolean } {
  const blank = (c: string) => c === '' || /\s/.test(c);
  const left = !blank(after) && (!PUNCTUATION.test(after) || blank(before) || PUNCTUATION.test(before));
  const right = !blank(before) && (!PUNCTUATION.test(before) || blank(after) || PUNCTUATION.test(after));
  const isWithinWord = letter === '_' && left && right;
  return { begins: left && !isWithinWord, ends: right && !isWithinWord };
}

function hasOpenMarks(text: string): boolean {
  let links = 0;
  let emphasis = 0;
  let isCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || NEW_BLOCK.test(line)) links = emphasis = 0;
    if (isCode) continue;
    let span = ''; // the open run of backticks: marks within count as text
    for (const { 0: mark, index } of line.matchAll(MARK)) {
      if (mark[0] === '`') span = span === mark ? '' : span || mark;
      else if (span && line.includes(span, index)) continue;
      else if (mark === '](') ++links;
      else if (mark === ')') links = Math.max(0, links - 1);
      else {
        const { begins, ends } = flanks(line[index - 1] ?? '', line[index + mark.length] ?? '', mark[0]!);
        if (ends && emphasis > 0) --emphasis;
        else if (begins) ++emphasis;
      }
      if (links > MOST || emphasis > MOST) return true;
    }
  }
  return false;
}

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
