// SPDX-License-Identifier: Apache-2.0
// What was said before, one after the other: ↑ in an empty field brings the last message back, and again the one before it. Pure.

export class SaidBefore {
  #at = 0; // how far back; 0: what is being written
  #shown = '';

  /** What the field shall hold after an arrow, or nothing when the arrow is the field's own. `said`: oldest first. */
  step(key: string, written: string, said: readonly string[]): string | undefined {
    if (written !== this.#shown) this.#at = 0; // it was changed: it is a message of its own now
    if (this.#at === 0 && written !== '') return undefined;
    const to = this.#at + (key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0);
    if (to === this.#at || to < 0 || to > said.length) return undefined;
    this.#at = to;
    this.#shown = to === 0 ? '' : said[said.length - to]!;
    return this.#shown;
  }
}
