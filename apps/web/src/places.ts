// SPDX-License-Identifier: Apache-2.0
// Addresses of a conversation and of an ask on this page: #conversation=…, #ask=…, #inbox, #sqlite=PATH, #doctor. The token never stands in them.

import type { ReadonlySignal, Signal } from '@preact/signals';
import type { State } from './store';
import { t } from './strings';

/** What stands in the middle. */
export type View = 'conversation' | 'memory' | 'inbox' | 'usage' | 'sqlite' | 'doctor';
/** `sqlite`: the path of a database, or '' for the list of them. */
export interface Place { conversation?: string; ask?: string; inbox?: string; sqlite?: string; doctor?: string }
const VIEWS: readonly (View & keyof Place)[] = ['inbox', 'sqlite', 'doctor'];

export function read_place(hash: string): Place {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const ask = fragment.get('ask');
  const conversation = fragment.get('conversation');
  return { ...(conversation && { conversation }), ...(ask && { ask }), ...Object.fromEntries(VIEWS.filter((view) => fragment.has(view)).map((view) => [view, view === 'sqlite' ? fragment.get(view)! : ''])) };
}

export function address_of(place: Place, base: string): string {
  const url = new URL(base);
  url.hash = new URLSearchParams(Object.entries(place)).toString();
  return url.href;
}

/** What can be led. */
export interface Led {
  state: ReadonlySignal<State>;
  online: ReadonlySignal<boolean>;
  current: ReadonlySignal<string>;
  notice: Signal<string>;
  reveal: Signal<string>;
  select(conversation: string): void;
  readonly database: Signal<string>;
  show(view: View): void;
}

/** Leads the page to where its address says, as soon as the host has told what there is. */
export class Places {
  private wanted: Place = {};

  constructor(private readonly app: Led) {}

  follow_address(): void {
    addEventListener('hashchange', () => this.follow(location.hash));
    this.follow(location.hash);
  }

  /** Of what is looked at: for a bookmark, or somebody else who has this host's token. */
  here(): string { return address_of({ conversation: this.app.current.peek() }, location.href); }

  /** The address follows what is looked at, so that a reload leads there again; undefined: to nothing but the page. */
  at(place: Place | undefined): void {
    if (!place && !VIEWS.some((view) => view in read_place(location.hash))) return;
    history.replaceState(history.state, '', address_of(place ?? {}, location.href));
  }

  reveal(ask: string): void { this.go({ ask }); }
  follow(hash: string): void { this.go(read_place(hash)); }

  /** The host's snapshot is there. */
  synced(): void {
    const wanted = this.wanted;
    this.wanted = {};
    this.go(wanted);
  }

  private go(place: Place): void {
    const view = VIEWS.find((one) => place[one] !== undefined);
    if (!place.ask && !place.conversation && !view) return;
    if (!this.app.online.peek()) { this.wanted = place; return; }
    if (view) {
      if (view === 'sqlite') this.app.database.value = place.sqlite!;
      this.app.show(view);
      return;
    }
    const { conversations, asks } = this.app.state.peek();
    const ask = place.ask ? asks[place.ask] : undefined;
    const conversation = ask?.conversation ?? place.conversation ?? '';
    if (!conversations[conversation]) { this.app.notice.value = t.leads_nowhere; return; }
    this.app.select(conversation);
    if (ask) this.app.reveal.value = ask.id;
  }
}
