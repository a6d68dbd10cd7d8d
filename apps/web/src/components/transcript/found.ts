// SPDX-License-Identifier: Apache-2.0
// Finds words in a conversation. Pure except for the marks, which the browser draws over the unchanged text.

import { firstOf, type Entry } from '../runs/runs';
import type { Item } from '../../transcript_items';

/** The `nth` match of the words in an entry. */
export interface Hit {
  entry: number;
  nth: number;
}

const MAX_HITS = 2000;

function said(item: Item): string {
  switch (item.kind) {
    case 'user':
    case 'text':
    case 'thinking':
      return item.text;
    case 'tool':
      return item.title;
    case 'error':
      return item.message;
    default:
      return '';
  }
}

export function countOf(text: string, words: string): number {
  let count = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) ++count;
  return count;
}

/** The newest last, in the order of the transcript. */
export function hitsIn(entries: readonly Entry[], typed: string): Hit[] {
  const words = typed.trim().toLowerCase();
  const hits: Hit[] = [];
  if (!words) return hits;
  for (let entry = entries.length - 1; entry >= 0 && hits.length < MAX_HITS; --entry) {
    const one = entries[entry]!;
    const items = one.kind === 'run' ? one.items : [firstOf(one)];
    const count = items.reduce((sum, item) => sum + countOf(said(item).toLowerCase(), words), 0);
    for (let nth = count - 1; nth >= 0; --nth) hits.push({ entry, nth });
  }
  return hits.reverse();
}

/** The ranges of the words in an element's drawn text. */
export function rangesIn(element: Element, typed: string): Range[] {
  const words = typed.trim().toLowerCase();
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && words; node = texts.nextNode()) {
    if (node.parentElement!.closest('button, .spoken')) continue;
    const text = node.textContent!.toLowerCase();
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}

export function mark(name: 'found' | 'found-now', ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return; // an older browser shows the place, not the word
  if (ranges.length > 0) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}
