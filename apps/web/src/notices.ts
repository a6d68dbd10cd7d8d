// SPDX-License-Identifier: Apache-2.0
// Announces waiting requests: to a screen reader, and by the system's notifications if the person looks elsewhere, wants notifications, and
// the browser permits notifications.

import { signal } from '@preact/signals';
import type { Ask } from './protocol';
import { t } from './strings';
import { titleOf } from './components/ask/choices';

const KEY = 'parlance.notify';
const TOGETHER_MS = 250; // an agent's simultaneous requests arrive within about a tenth of this time

export class Notices {
  readonly there = typeof Notification !== 'undefined';
  readonly on = signal(this.there && Notification.permission === 'granted' && stored());
  through: ((title: string, body: string, ask: string) => void) | undefined; // the service worker's notices
  readonly refused = signal(this.there && Notification.permission === 'denied');

  async choose(on: boolean): Promise<void> {
    const allowed =
      on && (Notification.permission === 'granted' || (await Notification.requestPermission()) === 'granted');
    this.refused.value = Notification.permission === 'denied';
    this.on.value = allowed;
    try {
      localStorage.setItem(KEY, allowed ? '1' : '');
    } catch {
      /* storage is forbidden: the choice lasts as long as this page */
    }
  }

  /** A single notification for each `tag`; a press brings the page to the front. */
  tell(title: string, body: string, tag: string, pressed: () => void): void {
    if (!this.on.peek() || document.hasFocus()) return;
    if (this.through) {
      this.through(title, body, tag);
      return;
    }
    const notice = new Notification(title, { body, tag });
    notice.onclick = () => {
      window.focus();
      notice.close();
      pressed();
    };
  }
}

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === '1';
  } catch {
    return false;
  }
}

/** Requests that arrive together are announced once, with their number and the newest name. */
export class Announced {
  #came: string[] = [];

  constructor(
    private readonly waiting: () => readonly Ask[],
    private readonly tell: (said: string, newest: Ask) => void,
  ) {}

  /** Announces the requests, unless answered before. */
  add(asks: readonly Ask[]): void {
    if (this.#came.length === 0 && asks.length > 0) setTimeout(() => this.#announce(), TOGETHER_MS);
    this.#came.push(...asks.map((ask) => ask.id));
  }

  #announce(): void {
    const came = this.#came.splice(0);
    const waiting = this.waiting();
    const fresh = waiting.filter((ask) => came.includes(ask.id));
    const newest = fresh.at(-1);
    if (!newest) return;
    const named = t.announce_ask(t.ask_title[newest.kind], titleOf(newest));
    this.tell(fresh.length > 1 ? t.announce_asks(waiting.length, named) : named, newest);
  }
}
