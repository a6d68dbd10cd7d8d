// SPDX-License-Identifier: Apache-2.0
// Cuts a long known text into chapters that can be read on their own, so that only the chapters near the reader are read. Finding the cuts
// takes a thirtieth of the time of reading. Pure.

/** The length of a chapter. Reading one takes less than a frame. */
export const CHAPTER_CHARS = 128 * 1024;

/** A line with a fence and its info, a definition of a link, or a fold. The flag `m` would be four times slower. */
const MARK = /\n[ >*+\d.)-]*(?:(`{3,}|~{3,})(.*)|\[[^\]\n]+\]:|<(\/?)details)/g;
/** An end of everything: what follows neither continues a list nor is HTML. */
const BLANK_LINE = /\n\r?\n(?![\s\d*+<>-])/;
const SENTENCE = /\n|\. /; // for an endless paragraph

/**
 * The ends of all chapters except the last. No end is inside of code or a fold. Empty for a short text, and for a text with definitions of
 * links unless these are `known`: each chapter would need all of them.
 */
export function chapterEnds(text: string, known: boolean): number[] {
  const ends: number[] = [];
  if (text.length < 2 * CHAPTER_CHARS) return ends;
  const last = text.length - CHAPTER_CHARS / 2; // the reader sees the end first
  let fence = '';
  let folds = 0;
  let from = 0; // of the text behind the last mark
  const cut = (to: number) => {
    while (!fence && folds <= 0) {
      const at = Math.max(from, (ends.at(-1) ?? 0) + CHAPTER_CHARS);
      const stretch = text.slice(at, Math.min(to, last, at + CHAPTER_CHARS) + 1); // with the first character behind
      const end = BLANK_LINE.exec(stretch) ?? (stretch.length > CHAPTER_CHARS ? SENTENCE.exec(stretch) : null);
      if (!end) return;
      ends.push(at + end.index + end[0].length);
    }
  };
  for (const mark of `\n${text}`.matchAll(MARK)) {
    const [all, ticks, info = '', closes] = mark;
    cut(mark.index);
    from = mark.index + all.length - 1;
    if (fence) {
      if (ticks?.startsWith(fence) && !info.trim()) fence = '';
    } else if (ticks) {
      if (ticks[0] === '~' || !info.includes('`')) fence = ticks;
    } else if (closes !== undefined) {
      folds += closes ? -1 : 1;
    } else if (!known) {
      return [];
    }
  }
  cut(text.length);
  return ends;
}
