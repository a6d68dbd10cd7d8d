// SPDX-License-Identifier: Apache-2.0
// The history of sent messages: ↑ in an empty field restores the last message, and again the previous one. Pure.

export class SaidBefore {
  #at = 0; // steps back in the history; 0: the current draft
  #shown = '';

  /** The new text of the field after an arrow key; undefined if the key belongs to the field. `said`: oldest first. */
  step(key: string, written: string, said: readonly string[]): string | undefined {
    if (written !== this.#shown) this.#at = 0; // the text was changed and is a new message now
    if (this.#at === 0 && written !== '') return undefined;
    const to = this.#at + (key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0);
    if (to === this.#at || to < 0 || to > said.length) return undefined;
    this.#at = to;
    this.#shown = to === 0 ? '' : said[said.length - to]!;
    return this.#shown;
  }
}
