// SPDX-License-Identifier: Apache-2.0
// The heights of the entries of a transcript, and the entries near enough for drawing. Pure: pixels in, indices out.

/** Draws the entries `from` to before `to`, and the entries from `tail` on; the others have reserved space. */
export interface Range {
  from: number;
  to: number;
  tail: number;
}
/** Space in pixels before the drawn entries, and between the drawn entries and the tail. */
export interface Room {
  above: number;
  between: number;
}

const UNSEEN_PX = 80; // taken for the height of an entry when none was ever seen
/** Always drawn: streaming, running and waiting entries are at the end, and screen readers announce the end from any position. */
export const TAIL_ENTRIES = 8;

export class Heights {
  readonly #known = new Map<string, number>();
  #sum = 0;

  set(key: string, px: number): void {
    this.#sum += px - (this.#known.get(key) ?? 0);
    this.#known.set(key, px);
  }

  of(key: string): number {
    return this.#known.get(key) ?? (this.#known.size > 0 ? this.#sum / this.#known.size : UNSEEN_PX);
  }

  #over(keys: readonly string[], from: number, to: number): number {
    let px = 0;
    for (let i = from; i < to; ++i) px += this.of(keys[i]!);
    return px;
  }

  room(keys: readonly string[], range: Range): Room {
    return { above: this.#over(keys, 0, range.from), between: this.#over(keys, range.to, range.tail) };
  }

  /** The entries between two lines, measured from the top of the first entry. */
  range(keys: readonly string[], top: number, bottom: number): Range {
    const tail = tailOf(keys.length);
    let from = 0;
    let at = 0;
    while (from < tail && at + this.of(keys[from]!) <= top) at += this.of(keys[from++]!);
    let to = from;
    while (to < tail && at < bottom) at += this.of(keys[to++]!);
    return { from, to, tail };
  }
}

export function tailOf(count: number): number {
  return Math.max(0, count - TAIL_ENTRIES);
}

/** Whether all needed entries are drawn; the tail always is. */
export function covers(range: Range, needed: Range): boolean {
  return needed.from >= needed.to || (range.from <= needed.from && range.to >= needed.to);
}
