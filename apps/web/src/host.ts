// SPDX-License-Identifier: Apache-2.0
// The page's connection to its host. Two hosts speak the same messages: the gateway by WebSocket (here) and an editor
// (editor/editor_host.ts).
//
// All on the main thread. `post` returns whether the message was sent; the caller keeps an unsent message.

import type { Signal } from '@preact/signals';
import type { EditorContext, ToPage } from './editor/editor_wire';
import type { HostMessage, PageMessage } from './protocol';
import type { Link } from './store';

/** A gateway's services besides messages. */
export interface HostGateway {
  /** A JSON document. Rejects with the gateway's own words. */
  read(path: string): Promise<unknown>;
  /** Another connection, admitted as the page's own is. */
  socket(path: string): WebSocket;
}

/** Abilities of an editor only. */
export interface HostEditor {
  context: Signal<EditorContext>;
  folders: Signal<readonly string[]>;
  /** Patterns of files that the person has excluded. */
  excluded: Signal<string[]>;
  /** The folder of the person's current file. */
  folder: Signal<string>;
  /** The person wants to see changes in the editor too, besides the cards. */
  diffs: Signal<boolean>;
  /** The unused text of a command. */
  compose: Signal<Extract<ToPage, { type: 'compose' }> | undefined>;
  /** The unused view of a command. */
  show: Signal<Extract<ToPage, { type: 'show' }>['view'] | undefined>;
  open(path: string, line: number): void;
  /** Shows the change of an ask beside the file. */
  diff(ask: string): void;
  /** Puts a text where the cursor stands. */
  insert(text: string): void;
  /** Opens an address in the person's browser, through the editor. */
  external(url: string): void;
}

export interface Host {
  readonly editor?: HostEditor;
  readonly gateway?: HostGateway;
  post(message: PageMessage): boolean;
  onMessage(listener: (message: HostMessage) => void): void;
  onLink(listener: (link: Link) => void): void;
  /** State that outlives a reload of this page: drafts, scroll position, folds. Never the transcript. */
  getState(): unknown;
  setState(state: unknown): void;
  /** Connects, or tries again at once. */
  connect(): void;
  /** The bytes of a prompt's attachment. */
  attachment(id: string): Promise<Blob>;
}

const STATE_KEY = 'parlance.state';
const TOKEN_KEY = 'parlance.token';

export const SUBPROTOCOL = 'parlance.v1';
const CLOSE_BAD_TOKEN = 4401; // the gateway's close code, after HTTP's 401
const BACKOFF_FIRST_MS = 250; // a restarting gateway returns within this time
const BACKOFF_MOST_MS = 15_000; // the longest wait of a person who restarts the gateway
const CONNECT_MS = 8_000; // a longer pending upgrade will not succeed
const HEALTH_MS = 4_000;

/** Removes the token from the address, so that the token is neither bookmarked nor visible, and keeps the token for this tab. */
export function takeToken(): string {
  const url = new URL(location.href);
  const fragment = new URLSearchParams(url.hash.replace(/^#/, ''));
  const given = fragment.get('token') ?? url.searchParams.get('token');
  if (given !== null) {
    sessionStorage.setItem(TOKEN_KEY, given.trim());
    fragment.delete('token');
    url.searchParams.delete('token');
    url.hash = fragment.toString();
    history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  }
  return sessionStorage.getItem(TOKEN_KEY) ?? '';
}

/** Accepts a pasted token, `token=…`, or the whole address. */
export function tokenIn(pasted: string): string {
  const found = /[#?&]token=([^&\s]+)/.exec(pasted) ?? /^\s*token[=:]\s*(\S+)/.exec(pasted);
  return found ? decodeURIComponent(found[1]!) : pasted.trim();
}

export class WebSocketHost implements Host {
  #socket: WebSocket | undefined;
  #token: string;
  #signedIn = false; // by the gateway's cookie from an earlier use of the token
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #generation = 0; // answers of earlier attempts are not ours any more
  #message: (message: HostMessage) => void = () => {};
  #link: (link: Link) => void = () => {};
  readonly gateway: HostGateway = {
    read: async (path) => {
      const answer = await fetch(this.origin + path, { headers: this.#authorized(), cache: 'no-store' });
      const told = (await answer.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
      if (!answer.ok || told === undefined) throw new Error(told?.error?.message ?? `HTTP ${answer.status}`);
      return told;
    },
    socket: (path) => new WebSocket(this.origin.replace(/^http/, 'ws') + path, this.#protocols()),
  };

  constructor(private readonly origin: string = location.origin) {
    this.#token = takeToken();
    addEventListener('online', () => this.#hurry());
    addEventListener('hashchange', () => {
      // the printed address, opened in an existing tab
      const before = this.#token;
      this.#token = takeToken();
      if (this.#token !== before) this.connect();
    });
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#hurry();
    });
  }

  onMessage(listener: (message: HostMessage) => void): void {
    this.#message = listener;
  }
  onLink(listener: (link: Link) => void): void {
    this.#link = listener;
  }

  getState(): unknown {
    try {
      return JSON.parse(sessionStorage.getItem(STATE_KEY) ?? 'null');
    } catch {
      return null;
    }
  }
  setState(state: unknown): void {
    try {
      sessionStorage.setItem(STATE_KEY, JSON.stringify(state));
    } catch {
      /* full or forbidden: the draft lives in memory */
    }
  }

  setToken(token: string): void {
    this.#token = token;
    this.#signedIn = false;
    sessionStorage.setItem(TOKEN_KEY, token);
    this.#attempts = 0;
    this.connect();
  }

  post(message: PageMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  async attachment(id: string): Promise<Blob> {
    const answer = await fetch(`${this.origin}/attachments/${encodeURIComponent(id)}`, {
      headers: this.#authorized(),
      cache: 'no-store',
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return answer.blob();
  }
  /** Of our own page: pages of other servers may not set this header, so the cookie counts too. */
  #authorized(): Record<string, string> {
    return this.#token === '' ? { 'X-Parlance-Page': '1' } : { Authorization: `Bearer ${this.#token}` };
  }

  #protocols(): string[] {
    return this.#token === '' ? [SUBPROTOCOL] : [SUBPROTOCOL, 'token.' + this.#token];
  }

  /** Asks for the cookie, by the token or by the cookie of the last visit; without either the answer is no. */
  async #signIn(): Promise<'yes' | 'no' | 'unreachable'> {
    try {
      const answer = await fetch(this.origin + '/session', {
        method: 'POST',
        headers: this.#authorized(),
        cache: 'no-store',
        signal: AbortSignal.timeout(HEALTH_MS),
      });
      if (answer.status >= 500) return 'unreachable';
      return answer.ok && ((await answer.json()) as Partial<Record<'signed_in', boolean>>).signed_in === true
        ? 'yes'
        : 'no';
    } catch {
      return 'unreachable';
    }
  }
  async #connectAsBefore(mine: number): Promise<void> {
    const known = await this.#signIn();
    if (mine !== this.#generation) return;
    if (known === 'unreachable') {
      this.#retry('unreachable');
      return;
    }
    if (known === 'no') {
      this.#link({ state: 'refused', why: 'missing' });
      return;
    }
    this.#signedIn = true;
    this.#open(mine);
  }

  connect(): void {
    clearTimeout(this.#timer);
    const mine = ++this.#generation;
    this.#socket?.close();
    this.#socket = undefined;
    if (this.#attempts === 0) this.#link({ state: 'connecting' });
    if (this.#token === '') void this.#connectAsBefore(mine);
    else this.#open(mine);
  }

  #open(mine: number): void {
    let socket: WebSocket;
    try {
      socket = this.gateway.socket('/ws');
    } catch {
      // the token contains characters forbidden in a subprotocol
      this.#link({ state: 'refused', why: 'wrong' });
      return;
    }
    this.#socket = socket;
    let opened = false;
    const hung = setTimeout(() => socket.close(), CONNECT_MS);
    socket.onopen = () => {
      clearTimeout(hung);
      if (mine !== this.#generation) return;
      opened = true;
      this.#link({ state: 'online' });
      if (!this.#signedIn) {
        this.#signedIn = true;
        void this.#signIn();
      }
    };
    socket.onmessage = (event) => {
      if (mine !== this.#generation || typeof event.data !== 'string') return;
      let message: HostMessage;
      try {
        message = JSON.parse(event.data) as HostMessage;
      } catch {
        return;
      }
      if (message.type === 'snapshot') this.#attempts = 0; // only a working host permits a fast retry
      this.#message(message);
    };
    socket.onclose = (event) => {
      clearTimeout(hung);
      if (mine !== this.#generation) return;
      this.#socket = undefined;
      if (event.code === CLOSE_BAD_TOKEN) this.#link({ state: 'refused', why: 'wrong' });
      else if (opened) this.#retry(event.reason || (event.code === 1001 || event.code === 1012 ? 'restarting' : ''));
      else void this.#whyRefused(mine);
    };
  }

  /** The browser hides the reason of a failed upgrade. Plain HTTP distinguishes a wrong token from a missing gateway. */
  async #whyRefused(mine: number): Promise<void> {
    let status = 0;
    try {
      const answer = await fetch(this.origin + '/health', {
        headers: this.#authorized(),
        cache: 'no-store',
        signal: AbortSignal.timeout(HEALTH_MS),
      });
      status = answer.status;
    } catch {
      /* unreachable */
    }
    if (mine !== this.#generation) return;
    if (status === 401 || status === 403) this.#link({ state: 'refused', why: 'wrong' });
    else this.#retry(status === 0 ? 'unreachable' : status === 503 ? 'restarting' : '');
  }

  /** Back-off with full jitter: many tabs return spread out, and find a restarted gateway soon. */
  #retry(why: string): void {
    const most = Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** this.#attempts++);
    const wait = most / 2 + Math.random() * (most / 2);
    this.#link({ state: 'lost', why, retryAt: Date.now() + wait });
    this.#timer = setTimeout(() => {
      this.#link({ state: 'lost', why, retryAt: 0 });
      this.connect();
    }, wait);
  }

  #hurry(): void {
    if (this.#timer !== undefined && this.#socket === undefined) this.connect();
  }
}
