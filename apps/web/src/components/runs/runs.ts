// SPDX-License-Identifier: Apache-2.0
// Groups a transcript: consecutive reading calls of the same tool become a single line. Pure.

import type { Item, ToolItem } from '../../transcript_items';

export type Entry = { kind: 'item'; item: Item; closes: boolean } | { kind: 'run'; items: readonly ToolItem[] };

export function firstOf(entry: Entry): Item {
  return entry.kind === 'run' ? entry.items[0]! : entry.item;
}

const LEAST = 2;

/** Reading calls are not news: the open card shows their results. Includes other agents' names for these tools. */
export const LOOKS = /^(read|list|search|find|glob|grep|ls)(_|$)/i;

/** `closes`: the last text before a person spoke again, or at all. */
export function entriesOf(items: readonly Item[]): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < items.length;) {
    const run = runAt(items, at);
    if (run.length >= LEAST) entries.push({ kind: 'run', items: run });
    else entries.push({ kind: 'item', item: items[at]!, closes: false });
    at += Math.max(1, run.length < LEAST ? 1 : run.length);
  }
  let open = true;
  for (let at = entries.length - 1; at >= 0; --at) {
    const entry = entries[at]!;
    if (entry.kind !== 'item') continue;
    if (entry.item.kind === 'user') open = true;
    if (entry.item.kind !== 'text' || !open) continue;
    entry.closes = true;
    open = false;
  }
  return entries;
}

function runAt(items: readonly Item[], from: number): ToolItem[] {
  const run: ToolItem[] = [];
  for (let at = from; at < items.length; ++at) {
    const item = items[at]!;
    if (
      item.kind !== 'tool' ||
      item.state !== 'done' ||
      !LOOKS.test(item.tool) ||
      item.tool !== (run[0]?.tool ?? item.tool) ||
      item.parent !== (run[0] ?? item).parent
    )
      break;
    run.push(item);
  }
  return run;
}
