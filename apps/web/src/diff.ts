// SPDX-License-Identifier: Apache-2.0
// Two versions of a file -> the rows of a unified view with word marks. Pure.

import { diffWordsWithSpace, structuredPatch, type ChangeObject } from 'diff';
import type { Diff } from './protocol';

export interface Part {
  text: string;
  changed: boolean;
}
export interface Row {
  kind: 'same' | 'add' | 'del' | 'gap';
  line: number; // in the new version, of removed lines in the old version; of a gap: the number of hidden lines
  parts: Part[];
}
export interface DiffRows {
  rows: Row[];
  added: number;
  removed: number;
}

const CONTEXT_LINES = 3;
const MAX_COMPARE_MS = 100; // two large unrelated files: shown as all removed, all added
const MAX_WORD_CHARS = 1000; // a longer line (minified code) gets no word marks
const MAX_RUN_LINES = 12; // a longer run is a rewrite: comparing all pairs is expensive and useless
const ALIKE = 0.3; // common share of a line below which marks confuse more than help

export function diffRows(diff: Diff): DiffRows {
  if (diff.before === undefined) return all('add', linesOf(diff.after ?? ''));
  if (diff.after === undefined) return all('del', linesOf(diff.before));
  const patch = structuredPatch('', '', diff.before, diff.after, '', '', {
    context: CONTEXT_LINES,
    timeout: MAX_COMPARE_MS,
  });
  if (!patch) {
    const gone = all('del', linesOf(diff.before));
    const come = all('add', linesOf(diff.after));
    return { rows: [...gone.rows, ...come.rows], added: come.added, removed: gone.removed };
  }
  const out: DiffRows = { rows: [], added: 0, removed: 0 };
  const oldLines = linesOf(diff.before);
  let seen = 1; // the next line of the old version
  for (const hunk of patch.hunks) {
    const skipped = hunk.oldStart - seen;
    // A note about the omission of a single line would take as much space as the line.
    if (skipped === 1)
      out.rows.push({ kind: 'same', line: hunk.newStart - 1, parts: [{ text: oldLines[seen - 1]!, changed: false }] });
    else if (skipped > 1) out.rows.push({ kind: 'gap', line: skipped, parts: [] });
    let before = hunk.oldStart;
    let after = hunk.newStart;
    for (const line of hunk.lines) {
      const parts = [{ text: line.slice(1), changed: false }];
      if (line[0] === '-') {
        out.rows.push({ kind: 'del', line: before++, parts });
        ++out.removed;
      } else if (line[0] === '+') {
        out.rows.push({ kind: 'add', line: after++, parts });
        ++out.added;
      } else if (line[0] === ' ') {
        out.rows.push({ kind: 'same', line: after++, parts });
        ++before;
      }
    }
    seen = before;
  }
  markWords(out.rows);
  return out;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function all(kind: 'add' | 'del', lines: string[]): DiffRows {
  const rows = lines.map((text, i): Row => ({ kind, line: i + 1, parts: [{ text, changed: false }] }));
  return { rows, added: kind === 'add' ? rows.length : 0, removed: kind === 'del' ? rows.length : 0 };
}

/** Pairs each run of removed lines with the run of added lines after it. */
function markWords(rows: Row[]): void {
  for (let at = 0; at < rows.length;) {
    if (rows[at]!.kind !== 'del') {
      ++at;
      continue;
    }
    let adds = at;
    while (rows[adds]?.kind === 'del') ++adds;
    let end = adds;
    while (rows[end]?.kind === 'add') ++end;
    if (adds - at <= MAX_RUN_LINES && end - adds <= MAX_RUN_LINES) markRun(rows.slice(at, adds), rows.slice(adds, end));
    at = end;
  }
}

/** Pairs each removed line with the most similar added line, in order. */
function markRun(dels: readonly Row[], adds: readonly Row[]): void {
  let from = 0;
  for (const del of dels) {
    let best: { at: number; alike: number; changes: ChangeObject<string>[] } | undefined;
    for (let at = from; at < adds.length; ++at) {
      const pair = compared(del.parts[0]!.text, adds[at]!.parts[0]!.text);
      if (pair && pair.alike > (best?.alike ?? ALIKE)) best = { at, ...pair };
    }
    if (!best) continue;
    del.parts = best.changes.filter((c) => !c.added).map((c) => ({ text: c.value, changed: c.removed }));
    adds[best.at]!.parts = best.changes.filter((c) => !c.removed).map((c) => ({ text: c.value, changed: c.added }));
    from = best.at + 1;
  }
}

function compared(before: string, after: string): { alike: number; changes: ChangeObject<string>[] } | undefined {
  if (before.length > MAX_WORD_CHARS || after.length > MAX_WORD_CHARS) return undefined;
  const changes = diffWordsWithSpace(before, after);
  let common = 0;
  for (const change of changes) if (!change.added && !change.removed) common += change.value.trim().length;
  return { alike: common / Math.max(1, Math.min(before.trim().length, after.trim().length)), changes };
}
