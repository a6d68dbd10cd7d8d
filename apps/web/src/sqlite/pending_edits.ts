// SPDX-License-Identifier: Apache-2.0
// Edits that wait to be written, and what undo and redo make of them: what was written is no longer theirs.

import type { Edit } from './wire';

export interface Turn {
  undo(): boolean;
  redo(): boolean;
} // false: it is written, and stays as it is

export class PendingEdits {
  #list: readonly Edit[] = [];
  readonly #written = new WeakSet<Edit>();

  get all(): readonly Edit[] {
    return this.#list;
  }
  restore(edits: readonly Edit[]): void {
    this.#list = edits;
  }
  drop(): void {
    this.#list = [];
  }

  add(edit: Edit): Turn {
    this.#list = [...this.#list, edit];
    return {
      undo: () => {
        this.#list = this.#list.filter((pending) => pending !== edit);
        return !this.#written.has(edit);
      },
      redo: () => {
        if (this.#written.has(edit)) return false;
        if (!this.#list.includes(edit)) this.#list = [...this.#list, edit];
        return true;
      },
    };
  }

  /** These are in the database now. Edits that were made during the write stay. */
  done(edits: readonly Edit[]): void {
    for (const edit of edits) this.#written.add(edit);
    this.#list = this.#list.filter((edit) => !this.#written.has(edit));
  }
}
