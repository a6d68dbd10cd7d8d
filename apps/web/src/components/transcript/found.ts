// SPDX-License-Identifier: Apache-2.0
// Finds words in a conversation. Pure except for the marks, which the browser draws over the unchanged text.

import { firstOf, type Entry } from '../runs/runs';
import type { Ask, Diff } from '../../protocol';
import type { Item, ToolItem } from '../../transcript_items';

/** The `nth` match of the words in an entry. */
export interface Hit {
  entry: number;
  nth: number;
}

const MAX_HITS = 2000;

type Asks = Readonly<Record<string, Ask>>;

/** Texts in folded parts of a card, and in its requests. */
function onCard(item: ToolItem): string {
  const { title, input, output, content } = item;
  const texts = content.map((part) => (part.type === 'text' ? part.text : part.type === 'diff' ? changed(part) : ''));
  return [title, JSON.stringify(input, null, 2) ?? '', ...texts, output].join('\n');
}

function onRequest(ask: Ask | undefined): string {
  if (!ask) return '';
  const { title, detail, plan, diff, questions = [], text } = ask;
  const asked = questions.flatMap((question) => [
    question.question,
    ...question.options.map((option) => `${option.label} ${option.description}`),
  ]);
  return [title, detail, plan, diff && changed(diff), ...asked, text].join('\n');
}

/** The path and the differing lines: a diff shows few of the others. */
function changed({ path, before = '', after = '' }: Diff): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const [inOld, inNow] = [new Set(old), new Set(now)];
  return [path, ...old.filter((line) => !inNow.has(line)), ...now.filter((line) => !inOld.has(line))].join('\n');
}

/** The number of matches to step through. A card counts once: its folded parts have no fixed order. */
function matchesIn(item: Item, words: string, asks: Asks): number {
  const count = (text: string) => countOf(text.toLowerCase(), words);
  switch (item.kind) {
    case 'user':
    case 'text':
    case 'thinking':
      return count(item.text);
    case 'tool':
      return Math.min(1, count(`${onCard(item)}\n${onRequest(asks[item.ask ?? ''])}`));
    case 'ask':
      return Math.min(1, count(onRequest(asks[item.ask])));
    case 'error':
      return count(item.message);
    case 'notice':
      return count(item.text);
    default:
      return 0;
  }
}

export function countOf(text: string, words: string): number {
  let count = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) ++count;
  return count;
}

/** The newest last, in the order of the transcript. */
export function hitsIn(entries: readonly Entry[], typed: string, asks: Asks): Hit[] {
  const words = typed.trim().toLowerCase();
  const hits: Hit[] = [];
  if (!words) return hits;
  for (let entry = entries.length - 1; entry >= 0 && hits.length < MAX_HITS; --entry) {
    const searched = entries[entry]!;
    const items = searched.kind === 'run' ? searched.items : [firstOf(searched)];
    const count = items.reduce((sum, item) => sum + matchesIn(item, words, asks), 0);
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
