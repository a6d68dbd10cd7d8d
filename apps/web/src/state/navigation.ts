// SPDX-License-Identifier: Apache-2.0
// Which view, conversation and message the page shows, and its address.
// Addresses of a conversation and of an ask on this page: #conversation=…, #ask=…, #inbox, #sqlite=PATH, #doctor, #mcp. They never hold the token.

import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { State } from '../store';
import { t } from '../strings';

/** The view in the middle of the page. */
export type View = 'conversation' | 'memory' | 'inbox' | 'usage' | 'sqlite' | 'doctor' | 'mcp';
/** `sqlite`: the path of a database, or '' for the list of them. */
export interface Place {
  conversation?: string;
  ask?: string;
  inbox?: string;
  sqlite?: string;
  doctor?: string;
  mcp?: string;
}
const VIEWS: readonly (View & keyof Place)[] = ['inbox', 'sqlite', 'doctor', 'mcp'];

export function readPlace(hash: string): Place {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const ask = fragment.get('ask');
  const conversation = fragment.get('conversation');
  return {
    ...(conversation && { conversation }),
    ...(ask && { ask }),
    ...Object.fromEntries(
      VIEWS.filter((view) => fragment.has(view)).map((view) => [view, view === 'sqlite' ? fragment.get(view)! : '']),
    ),
  };
}

export function addressOf(place: Place, base: string): string {
  const url = new URL(base);
  url.hash = new URLSearchParams(Object.entries(place)).toString();
  return url.href;
}

/** The known conversations and requests. */
export interface Known {
  state: ReadonlySignal<State>;
  online: ReadonlySignal<boolean>;
  ready(): void;
}
/** Reactions to a change of the conversation in view. */
export interface NavigationEvents {
  opened(conversation: string): void;
  left(conversation: string): void;
  changed(): void;
}

export class Navigation {
  readonly current = signal(''); // a conversation; '': the form for a new conversation
  readonly view = signal<View>('conversation');
  readonly database = signal(''); // the path of the database to show
  readonly reveal = signal(''); // an ask to scroll to and focus
  readonly sought = signal<{ conversation: string; event: number } | undefined>(undefined); // a message to scroll to
  readonly sidebarShown = signal(false); // on narrow screens
  readonly detailsShown = signal(false); // on narrow screens
  unguided = true; // no person has chosen a conversation yet; the first snapshot chooses one
  #wanted: Place = {};

  constructor(
    private readonly store: Known,
    private readonly notice: Signal<string>,
    private readonly on: NavigationEvents,
  ) {}

  select(conversation: string): void {
    const before = this.current.peek();
    this.unguided = false;
    this.view.value = 'conversation';
    if (before === conversation) {
      this.sidebarShown.value = false;
      return;
    }
    batch(() => {
      this.current.value = conversation;
      this.sidebarShown.value = false;
      this.notice.value = '';
    });
    this.on.changed(); // at once: VS Code may hide the webview next
    if (before) this.on.left(before);
    if (conversation) this.on.opened(conversation);
  }

  show(view: View): void {
    batch(() => {
      this.unguided = false;
      this.view.value = view;
      this.sidebarShown.value = false;
    });
  }

  /** Goes to a message of a conversation. */
  seek(conversation: string, event: number): void {
    this.select(conversation);
    if (event > 0) this.sought.value = { conversation, event };
  }

  followAddress(): void {
    addEventListener('hashchange', () => this.follow(location.hash));
    this.follow(location.hash);
  }

  /** The address of the conversation in view, for a bookmark or a person with the token of this host. */
  here(): string {
    return addressOf({ conversation: this.current.peek() }, location.href);
  }

  /** Sets the address of the page, so that a reload leads to the same view; undefined: the address of the page alone. */
  at(place: Place | undefined): void {
    if (!place && !VIEWS.some((view) => view in readPlace(location.hash))) return;
    history.replaceState(history.state, '', addressOf(place ?? {}, location.href));
  }

  revealAsk(ask: string): void {
    this.#go({ ask });
  }
  follow(hash: string): void {
    this.#go(readPlace(hash));
  }

  /** Conversations that the page needs of the host, older ones too. */
  wanted(): string[] {
    return [this.current.peek(), this.#wanted.conversation ?? ''];
  }

  /** The host's snapshot is there. */
  synced(): void {
    const wanted = this.#wanted;
    this.#wanted = {};
    this.#go(wanted, true);
  }

  /** Shows the view of an address, or waits for the snapshot of the host. */
  #go(place: Place, loaded = false): void {
    const view = VIEWS.find((candidate) => place[candidate] !== undefined);
    if (!place.ask && !place.conversation && !view) return;
    if (!this.store.online.peek()) {
      this.#wanted = place;
      return;
    }
    if (view) {
      if (view === 'sqlite') this.database.value = place.sqlite!;
      this.show(view);
      return;
    }
    const { conversations, asks, older } = this.store.state.peek();
    const ask = place.ask ? asks[place.ask] : undefined;
    const conversation = ask?.conversation ?? place.conversation ?? '';
    if (!conversations[conversation]) {
      if (older && !loaded) {
        this.#wanted = place;
        this.store.ready();
        return;
      }
      this.notice.value = t.leads_nowhere;
      return;
    }
    this.select(conversation);
    if (ask) this.reveal.value = ask.id;
  }
}
