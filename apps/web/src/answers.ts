// SPDX-License-Identifier: Apache-2.0
// Sends this page's answers to requests. Each request is answered once: during and after a successful answer, further answers do nothing.

import { batch, signal } from '@preact/signals';
import type { Ask } from './protocol';
import type { Ask as Send, PageRequest } from './requests';
import { t } from './strings';

/** The person's choices for a question so far. */
export interface Chosen {
  labels: readonly string[];
  other: boolean;
  text: string;
}
export interface Answer {
  option?: string;
  text?: string;
  answers?: string[][];
  edited?: string;
}

export class Answers {
  readonly onTheWay = signal<ReadonlySet<string>>(new Set()); // by the ids of the answered requests
  readonly faults = signal<Readonly<Record<string, string>>>({}); // errors of failed answers, by request

  readonly drafts = new Map<string, readonly Chosen[]>(); // not sent yet, by its ask

  constructor(private readonly send: Send) {}

  give(ask: Ask, answer: Answer): void {
    if (ask.state !== 'open') return;
    this.#once(ask, { type: 'answer', ask: ask.id, digest: ask.digest, ...answer });
  }

  askAgain(ask: Ask): void {
    if (ask.state !== 'orphaned') return;
    this.#once(ask, { type: 'reask', ask: ask.id });
  }

  forget(): void {
    this.onTheWay.value = new Set();
  }

  forgetSettled(asks: Readonly<Record<string, Ask>>): void {
    const waits = (id: string) => asks[id]?.state === 'open' || asks[id]?.state === 'orphaned';
    for (const id of this.drafts.keys()) if (!waits(id)) this.drafts.delete(id);
    const all = this.onTheWay.peek();
    const left = [...all].filter(waits);
    if (left.length !== all.size) this.onTheWay.value = new Set(left);
  }

  #once(ask: Ask, request: PageRequest): void {
    if (this.onTheWay.peek().has(ask.id)) return;
    const { [ask.id]: _, ...faults } = this.faults.peek();
    batch(() => {
      this.onTheWay.value = new Set([...this.onTheWay.peek(), ask.id]);
      this.faults.value = faults;
    });
    this.send(
      request,
      () => {},
      (error) => {
        // sent: locked until the host reports the result
        const left = new Set(this.onTheWay.peek());
        left.delete(ask.id);
        batch(() => {
          this.onTheWay.value = left;
          this.faults.value = { ...this.faults.peek(), [ask.id]: t.answer_failed(error.message) };
        });
      },
    );
  }
}
