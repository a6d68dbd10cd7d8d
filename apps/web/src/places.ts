// Addresses of a conversation and of an ask on this page: #conversation=…, #ask=…, #inbox. The token never stands in them.

import type { ReadonlySignal, Signal } from '@preact/signals';
import type { State } from './store';
import { t } from './strings';

export interface Place { conversation?: string; ask?: string; inbox?: string }

export function read_place(hash: string): Place {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const ask = fragment.get('ask');
  const conversation = fragment.get('conversation');
  return { ...(conversation && { conversation }), ...(ask && { ask }), ...(fragment.has('inbox') && { inbox: '' }) };
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
  show(view: 'inbox'): void;
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

  reveal(ask: string): void { this.go({ ask }); }
  follow(hash: string): void { this.go(read_place(hash)); }

  /** The host's snapshot is there. */
  synced(): void {
    const wanted = this.wanted;
    this.wanted = {};
    this.go(wanted);
  }

  private go(place: Place): void {
    if (!place.ask && !place.conversation && place.inbox === undefined) return;
    if (!this.app.online.peek()) { this.wanted = place; return; }
    if (place.inbox !== undefined) { this.app.show('inbox'); return; }
    const { conversations, asks } = this.app.state.peek();
    const ask = place.ask ? asks[place.ask] : undefined;
    const conversation = ask?.conversation ?? place.conversation ?? '';
    if (!conversations[conversation]) { this.app.notice.value = t.leads_nowhere; return; }
    this.app.select(conversation);
    if (ask) this.app.reveal.value = ask.id;
  }
}
