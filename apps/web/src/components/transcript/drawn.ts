// SPDX-License-Identifier: Apache-2.0
// Chooses the entries of a transcript for the document: those near the reader. A conversation may have ten thousand messages. Far entries
// are represented by their height, and drawn when the reader comes near. `Follow` keeps the reader's position.

import { signal } from '@preact/signals';
import { covers, Heights, tailOf, type Range } from './heights';

const NEAR_SCREENS = 0.75; // entries within this distance are drawn …
const DRAWN_SCREENS = 1.5; // … together with this margin, so that few scroll steps draw anything
const MAX_SELECTED = 300; // entries kept for a selection, which would lose removed entries
const FIRST_ENTRIES = 24;

export class Drawn {
  readonly steps = signal(0); // number of changed ranges
  readonly heights = new Heights();
  range: Range = { from: 0, to: 0, tail: 0 };
  #inDocument: Range = this.range; // the previous range, until drawn
  #keys: readonly string[] = [];
  #scroller: HTMLElement | undefined;
  #above: HTMLElement | undefined;

  /** Spacers precede and follow the drawn entries. */
  attach(scroller: HTMLElement, above: HTMLElement): void {
    this.#scroller = scroller;
    this.#above = above;
  }

  /** The current entries. Drawn entries stay drawn after additions before or behind them. */
  entries(keys: readonly string[]): Range {
    const before = this.#keys;
    if (keys === before) return this.range;
    this.#keys = keys;
    const old = this.range;
    const tail = tailOf(keys.length);
    const first = before[old.from];
    const moved = first === undefined ? -1 : keys[old.from] === first ? 0 : keys.indexOf(first) - old.from;
    const known = first !== undefined && old.from + moved >= 0;
    const from = Math.min(tail, known ? old.from + moved : tail - FIRST_ENTRIES);
    // A moved tail leaves its drawn entries behind.
    const reached = old.to === old.tail ? tail : old.to + moved;
    this.range = { from: Math.max(0, from), to: known ? Math.max(from, Math.min(tail, reached)) : tail, tail };
    return this.range;
  }

  /** The range has been drawn. */
  drawn(): void {
    this.#inDocument = this.range;
  }

  /** After a layout, or a step of the reader. */
  update(): void {
    if (!this.#scroller || !this.#above || this.#scroller.clientHeight === 0) return;
    this.#measure();
    const view = this.#scroller.clientHeight;
    const top = this.#scroller.getBoundingClientRect().top - this.#above.getBoundingClientRect().top;
    const around = (screens: number) =>
      this.heights.range(this.#keys, top - screens * view, top + (1 + screens) * view);
    const range = this.range;
    const next = around(DRAWN_SCREENS);
    const surplus = range.to - range.from > 3 * (next.to - next.from) + FIRST_ENTRIES;
    if (covers(range, around(NEAR_SCREENS)) && !surplus) return;
    this.#draw(next);
  }

  /** Scrolls near an entry and draws the entry: its exact position is unknown before. */
  show(index: number): void {
    const tail = tailOf(this.#keys.length);
    if (index >= tail || !this.#scroller || !this.#above) return;
    const range = { from: Math.max(0, index - FIRST_ENTRIES / 2), to: Math.min(tail, index + FIRST_ENTRIES / 2), tail };
    const down = this.heights.room(this.#keys, { from: index, to: tail, tail }).above;
    this.#scroller.scrollTop +=
      this.#above.getBoundingClientRect().top -
      this.#scroller.getBoundingClientRect().top +
      down -
      this.#scroller.clientHeight / 2;
    this.#draw(range);
  }

  has(index: number): boolean {
    const { from, to, tail } = this.#inDocument;
    return index >= tail || (index >= from && index < to);
  }

  /** The element of a drawn entry. */
  element(index: number): HTMLElement | undefined {
    const { from, to, tail } = this.#inDocument;
    const child = index >= tail ? index - tail + to - from + 1 : index - from;
    return this.has(index) ? (this.#children()[child] as HTMLElement | undefined) : undefined;
  }

  #children(): Element[] {
    const all = [...this.#above!.parentElement!.children];
    return all.slice(all.indexOf(this.#above!) + 1);
  }

  #measure(): void {
    const children = this.#children();
    const { from, to, tail } = this.#inDocument;
    for (let child = 0; child + 1 < children.length; ++child) {
      const index = child < to - from ? from + child : tail + child - (to - from) - 1;
      if (child === to - from || index >= this.#keys.length) continue;
      this.heights.set(
        this.#keys[index]!,
        children[child + 1]!.getBoundingClientRect().top - children[child]!.getBoundingClientRect().top,
      );
    }
  }

  #draw(range: Range): void {
    const kept = this.#selected() ? joined(this.range, range) : range;
    if (kept.from === this.range.from && kept.to === this.range.to && kept.tail === this.range.tail) return; // for a selection
    this.#keepFocus(kept);
    this.range = kept;
    this.steps.value++;
  }

  #selected(): boolean {
    const selection = document.getSelection();
    return selection !== null && !selection.isCollapsed && this.#scroller!.contains(selection.anchorNode);
  }

  /** If the focused element leaves the document, the keyboard continues to scroll. */
  #keepFocus(range: Range): void {
    const at = document.activeElement;
    const before = this.#inDocument;
    if (!at || !this.#above!.parentElement!.contains(at)) return;
    const child = this.#children().findIndex((element) => element.contains(at));
    const index = before.from + child;
    if (child >= 0 && index < before.to && (index < range.from || index >= range.to))
      this.#scroller!.focus({ preventScroll: true });
  }
}

function joined(a: Range, b: Range): Range {
  const both = { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), tail: b.tail };
  return both.to - both.from > MAX_SELECTED ? b : both;
}
