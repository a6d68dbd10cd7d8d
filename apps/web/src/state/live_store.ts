// SPDX-License-Identifier: Apache-2.0
// The connection to the host, and the state that its messages make (store.ts). Messages of a frame change the page together. Requests settle in
// the order of the host's messages: an answer and the deltas around it keep their order.

import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Host } from '../host';
import type { Ask, HostMessage, RequestValues } from '../protocol';
import {
  RequestError,
  type Ask as AskHost,
  type PageRequest,
  type Pending,
  type RequestOf,
  type RequestType,
} from '../requests';
import { fold, nothing, waiting, type Action, type Link, type State } from '../store';
import { t } from '../strings';
import { unknownVariant } from '../unknown';

const HIDDEN_FLUSH_MS = 250; // a hidden page gets no animation frames

/** Reactions of the page to messages of the host. */
export interface StoreEvents {
  /** Before the messages of a frame; the result is called after them. */
  changing(): () => void;
  synced(): void; // a snapshot has come
  wanted(): string[]; // conversations that a snapshot must contain
  stale(conversation: string): void; // events of the conversation are missing
  folded(state: State): void;
  failed(error: Error): void; // of a request without a handler
}

export class LiveStore {
  readonly state = signal<State>(nothing);
  readonly waiting: ReadonlySignal<Ask[]> = computed(() => waiting(this.state.value));
  readonly online: ReadonlySignal<boolean> = computed(() => this.state.value.synced);
  readonly ask: AskHost = (request, done, failed) => this.request(request, done, failed);

  #inbox: HostMessage[] = [];
  #scheduled = false;
  readonly #pending = new Map<string, Pending>();
  #lastRequest = 0;

  constructor(
    private readonly host: Host,
    private readonly on: StoreEvents,
  ) {
    host.onMessage((message) => {
      this.#inbox.push(message);
      this.#schedule();
    });
    host.onLink((link) => this.#linked(link));
    document.addEventListener('visibilitychange', () => this.#flush()); // a hidden page gets no frame
  }

  act(action: Action): void {
    const { state, effects } = fold(this.state.peek(), action);
    this.state.value = state;
    for (const effect of effects) {
      if (effect.need === 'snapshot') this.ready();
      else this.on.stale(effect.conversation);
    }
    this.on.folded(state);
  }

  request<T extends RequestType>(
    request: RequestOf<T>,
    done: (value: RequestValues[T]) => void,
    failed: (error: RequestError) => void = (e) => this.on.failed(e),
  ): void {
    // The type of the value is unchecked: the host answers each request with its own kind of value.
    this.#post(request, (value) => done(value as RequestValues[T]), failed);
  }

  /** Asks the host for a snapshot. */
  ready(): void {
    this.host.post({ type: 'ready', conversations: this.on.wanted() });
  }

  #post(request: PageRequest, done: (value: unknown) => void, failed: (error: RequestError) => void): void {
    const id = String(++this.#lastRequest);
    this.#pending.set(id, { done, failed });
    if (this.host.post({ ...request, request: id })) return;
    this.#pending.delete(id);
    failed(new RequestError('disconnected', t.offline));
  }

  #linked(link: Link): void {
    this.#flush(); // messages of the old connection
    this.act({ type: 'link', link });
    if (link.state === 'online') {
      this.ready();
      return;
    }
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of lost) pending.failed(new RequestError('disconnected', t.lost('')));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (document.hidden) setTimeout(() => this.#flush(), HIDDEN_FLUSH_MS);
    else requestAnimationFrame(() => this.#flush());
  }

  /** Applies all messages since the last frame as one change of the page. */
  #flush(): void {
    this.#scheduled = false;
    const messages = this.#inbox;
    if (messages.length === 0) return;
    this.#inbox = [];
    const changed = this.on.changing();
    batch(() => {
      for (const message of messages) this.#handle(message);
    });
    changed();
  }

  #handle(message: HostMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.act({ type: 'host', message });
        this.on.synced();
        break;
      case 'delta':
        this.act({ type: 'host', message });
        break;
      case 'done':
        this.#take(message.request)?.done(message.value);
        break;
      case 'failed':
        this.#take(message.request)?.failed(new RequestError(message.code, message.message));
        break;
      default:
        unknownVariant('message', message);
    }
  }

  #take(request: string): Pending | undefined {
    const pending = this.#pending.get(request);
    this.#pending.delete(request);
    return pending;
  }
}
