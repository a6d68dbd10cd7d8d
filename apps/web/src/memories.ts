// SPDX-License-Identifier: Apache-2.0
// The agent's memories for the memory view: pages of the newest, or the results of a search. The host stores all; this class keeps only the
// view's part. Answers to outdated questions are dropped.

import { batch, signal } from '@preact/signals';
import type { Category, MemoriesValue, Memory } from './protocol';
import type { Ask } from './requests';

const PAGE = 50; // memories asked for at once
const TYPING_MS = 200; // a search begins this long after the last key

export class Memories {
  readonly query = signal('');
  readonly category = signal<Category | ''>('');
  readonly list = signal<readonly Memory[]>([]);
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly fault = signal(''); // why the list, or the last wish to forget, failed
  readonly moreThere = signal(false);
  readonly searched = signal(''); // the query of `list`; '' for the newest
  readonly forgetting = signal<ReadonlySet<string>>(new Set());

  #next = '';
  #asked = 0; // the latest question
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly forgotten: (memory: Memory) => void = () => {},
  ) {}

  type(query: string): void {
    this.query.value = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), TYPING_MS);
  }

  choose(category: Category | ''): void {
    this.category.value = category;
    this.load();
  }

  clear(): void {
    batch(() => {
      this.query.value = '';
      this.category.value = '';
    });
    this.load();
  }

  /** Asks again; the shown list stays until the answer. */
  load(): void {
    clearTimeout(this.#timer);
    const query = this.query.peek().trim();
    const category = this.category.peek();
    const number = ++this.#asked;
    if (this.list.peek().length === 0) this.state.value = 'loading';
    this.ask(
      query
        ? { type: 'memory_search', query, ...(category && { category }) }
        : { type: 'memory_list', limit: PAGE, ...(category && { category }) },
      (value) => {
        if (number === this.#asked) this.#take(value, query, []);
      },
      (error) => {
        if (number === this.#asked) this.#fail(error);
      },
    );
  }

  /** The next page; only the newest come in pages. */
  more(): void {
    if (!this.moreThere.peek()) return;
    const category = this.category.peek();
    const number = ++this.#asked;
    this.moreThere.value = false;
    this.ask(
      { type: 'memory_list', limit: PAGE, before: this.#next, ...(category && { category }) },
      (value) => {
        if (number === this.#asked) this.#take(value, '', this.list.peek());
      },
      (error) => {
        if (number !== this.#asked) return;
        batch(() => {
          this.fault.value = error.message;
          this.moreThere.value = true;
        });
      },
    );
  }

  forget(memory: Memory): void {
    if (this.forgetting.peek().has(memory.id)) return;
    this.forgetting.value = new Set([...this.forgetting.peek(), memory.id]);
    this.fault.value = '';
    const settle = (gone: boolean, why: string) =>
      batch(() => {
        const left = new Set(this.forgetting.peek());
        left.delete(memory.id);
        this.forgetting.value = left;
        this.fault.value = why;
        if (gone) this.list.value = this.list.peek().filter((known) => known.id !== memory.id);
      });
    this.ask(
      { type: 'memory_forget', id: memory.id },
      () => {
        settle(true, '');
        this.forgotten(memory);
      },
      (error) => {
        // Another client was faster: the memory is gone, as wanted.
        const gone = (error as { code?: string }).code === 'not_found';
        settle(gone, gone ? '' : error.message);
        if (gone) this.forgotten(memory);
      },
    );
  }

  #take(value: MemoriesValue, query: string, before: readonly Memory[]): void {
    const known = new Set(before.map((memory) => memory.id));
    this.#next = value.next ?? '';
    batch(() => {
      this.list.value = [...before, ...value.memories.filter((memory) => !known.has(memory.id))];
      this.moreThere.value = this.#next !== '';
      this.searched.value = query;
      this.state.value = 'ready';
      this.fault.value = '';
    });
  }

  #fail(error: Error): void {
    batch(() => {
      this.state.value = 'failed';
      this.fault.value = error.message;
    });
  }
}
