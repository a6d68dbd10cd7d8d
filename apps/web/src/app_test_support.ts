// SPDX-License-Identifier: Apache-2.0
// A host with messages written by the test, and the messages.
import { App } from './app';
import type { Host } from './host';
import type { Conversation, Event, HostMessage, PageMessage } from './protocol';
import type { Link } from './store';

/** The frames that the page asked for. `says` runs them. */
export const frames: (() => void)[] = [];

export class FakeHost implements Host {
  posted: PageMessage[] = [];
  state: unknown = null;
  connected = true;
  #message: (message: HostMessage) => void = () => {};
  #link: (link: Link) => void = () => {};
  post(message: PageMessage): boolean {
    if (this.connected) this.posted.push(message);
    return this.connected;
  }
  onMessage(listener: (message: HostMessage) => void): void {
    this.#message = listener;
  }
  onLink(listener: (link: Link) => void): void {
    this.#link = listener;
  }
  getState(): unknown {
    return this.state;
  }
  setState(state: unknown): void {
    this.state = state;
  }
  connect(): void {}
  attachment(): Promise<Blob> {
    return Promise.reject(new Error('none'));
  }

  /** The host's messages arrive with the next frame. */
  says(...messages: unknown[]): void {
    for (const message of messages) this.#message(message as HostMessage);
    frames.splice(0).forEach((frame) => frame());
  }
  online(): void {
    this.connected = true;
    this.#link({ state: 'online' });
  }
  lost(): void {
    this.connected = false;
    this.#link({ state: 'lost', why: '', retryAt: 0 });
  }
  of(type: string): (PageMessage & { request: string })[] {
    return this.posted.filter((message) => message.type === type) as (PageMessage & { request: string })[];
  }
  last(type: string): PageMessage & { request: string } {
    return this.of(type).at(-1)!;
  }
  done(type: string, value: unknown = {}): void {
    this.says({ type: 'done', request: this.last(type).request, value });
  }
  failed(type: string, code: string, message = 'no'): void {
    this.says({ type: 'failed', request: this.last(type).request, code, message });
  }
}

export const conversation = (id: string, more: Partial<Conversation> = {}): Conversation =>
  ({
    id,
    title: id,
    agent: 'parlance',
    folder: '/',
    mode: 'default',
    model: '',
    think: false,
    state: 'idle',
    open_asks: 0,
    queued: [],
    last_seq: 0,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...more,
  }) as unknown as Conversation;

export const snapshot = (conversations: Conversation[], more: object = {}) => ({
  type: 'snapshot',
  seq: 0,
  version: '1',
  capabilities: [],
  home: '/',
  default_folder: '/',
  attachment_limits: { files: 0, bytes: 0, picture_bytes: 0, media_types: [] },
  agents: [],
  services: [],
  conversations,
  asks: [],
  rules: [],
  ...more,
});

const event = (seq: number, body: object): Event =>
  ({ seq, time: '2026-01-01T00:00:00Z', ...body }) as unknown as Event;

export const said = (seq: number, text: string) => event(seq, { kind: 'user_message', turn: `t${seq}`, text });

export function begun(conversations = [conversation('a')], state: unknown = null): { app: App; host: FakeHost } {
  const host = new FakeHost();
  host.state = state;
  const app = new App(host);
  host.online();
  host.says(snapshot(conversations));
  return { app, host };
}
