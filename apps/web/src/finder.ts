// SPDX-License-Identifier: Apache-2.0
// Words looked for in the conversations: titles are matched here, what was said is asked of the host. Answers that later words have
// overtaken are dropped.

import { batch, signal } from '@preact/signals';
import type { SearchHit } from './protocol';
import type { Ask } from './requests';

const TYPING_MS = 250; // a search of all that was said begins this long after the last key
const LEAST = 2; // characters: one letter is said everywhere

export class Finder {
  readonly words = signal('');
  readonly hits = signal<readonly SearchHit[]>([]);
  readonly looking = signal(false);
  readonly fault = signal('');

  #asked = 0; // the latest search
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: Ask) {}

  type(words: string): void {
    clearTimeout(this.#timer);
    const enough = words.trim().length >= LEAST;
    ++this.#asked;
    batch(() => {
      this.words.value = words;
      this.fault.value = '';
      this.looking.value = enough;
      if (!enough) this.hits.value = [];
    });
    if (enough) this.#timer = setTimeout(() => this.#look(), TYPING_MS);
  }

  /** Whether a title has the words. */
  matches(title: string): boolean {
    return title.toLocaleLowerCase().includes(this.words.value.trim().toLocaleLowerCase());
  }

  #look(): void {
    const number = ++this.#asked;
    const settle = (hits: readonly SearchHit[], fault: string) => {
      if (number !== this.#asked) return;
      batch(() => {
        this.hits.value = hits;
        this.fault.value = fault;
        this.looking.value = false;
      });
    };
    this.ask(
      { type: 'search', words: this.words.peek().trim() },
      (value) => settle(value.hits, ''),
      (error) => settle([], error.message),
    );
  }
}
