// SPDX-License-Identifier: Apache-2.0
// Unsent texts and files: a draft for each conversation, and a draft with the key '' for a new conversation. Drafts survive a reload.

import { signal } from '@preact/signals';
import type { Attached } from '../attachments';
import { shrink } from '../shrink';
import { DraftFiles } from './draft_files';

const SAVE_MS = 300; // from the last key to saving the drafts

export class Drafts {
  readonly texts: Record<string, string>;
  readonly files: DraftFiles;
  readonly changed = signal(0); // counts changes of a draft other than typing
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `tab`: the name of this tab, also after a reload. */
  constructor(
    saved: Record<string, string> | undefined,
    tab: string,
    private readonly store: () => void,
  ) {
    this.texts = { ...saved };
    this.files = new DraftFiles(tab, shrink);
    addEventListener('pagehide', () => this.save());
  }

  set(key: string, text: string): void {
    if (text) this.texts[key] = text;
    else delete this.texts[key];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), SAVE_MS);
  }

  remove(key: string): void {
    delete this.texts[key];
    this.files.put(key, []);
  }

  /** Puts a text and its files back, in front of newer text and files. */
  restore(key: string, text: string, files: readonly Attached[]): void {
    const typed = this.texts[key] ?? '';
    this.set(key, typed ? `${text}\n${typed}` : text);
    this.files.put(key, [...files, ...this.files.of(key)]);
    this.changed.value++;
  }

  save(): void {
    clearTimeout(this.#timer);
    this.store();
  }
}
