// SPDX-License-Identifier: Apache-2.0
// The waiting requests, received over the extension's own connection: for the badge, the status bar and the diffs in the editor, also
// without a page.

import type { Ask, AskOption, Conversation, HostMessage, Op, RequestValues } from '../../../web/src/protocol';
import type { RequestOf, RequestType } from '../../../web/src/requests';
import type { GatewayState } from './gateway';
import { GatewayLink } from './link';

const RETRY_MS = 500;
const READY_MS = 60_000; // a gateway on a cold disk

export interface InboxState {
  waiting: Ask[];
  running: number;
  conversations: Map<string, Conversation>;
  connected: boolean;
}
interface Followed {
  state: GatewayState;
  onChange(listener: (state: GatewayState) => void): () => void;
  lost(): void;
}

/** The fold over the gateway's messages, without a connection. */
export class Inbox {
  readonly asks = new Map<string, Ask>();
  readonly conversations = new Map<string, Conversation>();

  take(message: HostMessage): void {
    if (message.type === 'snapshot') {
      this.asks.clear();
      this.conversations.clear();
      for (const ask of message.asks) this.asks.set(ask.id, ask);
      for (const conversation of message.conversations) this.conversations.set(conversation.id, conversation);
    } else if (message.type === 'delta') for (const op of message.ops) this.apply(op);
  }

  private apply(op: Op): void {
    if (op.op === 'ask') this.asks.set(op.ask.id, op.ask);
    if (op.op === 'conversation') this.conversations.set(op.conversation.id, op.conversation);
    if (op.op === 'conversation_removed') {
      this.conversations.delete(op.id);
      for (const ask of [...this.asks.values()]) if (ask.conversation === op.id) this.asks.delete(ask.id);
    }
    for (const ask of [...this.asks.values()])
      if (ask.state !== 'open' && ask.state !== 'orphaned') this.asks.delete(ask.id);
  }

  get waiting(): Ask[] {
    return [...this.asks.values()].filter((ask) => ask.state === 'open');
  }
  get running(): number {
    return [...this.conversations.values()].filter((conversation) => conversation.state === 'running').length;
  }
}

export class InboxLink {
  readonly inbox = new Inbox();
  private link: GatewayLink | undefined;
  private connected = false;
  private requests = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly unfollow: () => void;
  private readonly pending = new Map<string, { done(value: unknown): void; failed(error: Error): void }>();
  private readonly waiting = new Set<() => void>(); // for a connection

  constructor(
    private readonly gateway: Followed,
    private readonly changed: (inbox: Inbox, connected: boolean) => void,
    private readonly failed: (message: string) => void,
  ) {
    this.unfollow = gateway.onChange((state) => this.follow(state));
    this.follow(gateway.state);
  }

  dispose(): void {
    this.unfollow();
    clearTimeout(this.timer);
    this.link?.close();
  }

  answer(ask: Ask, option: AskOption, edited?: string): void {
    this.link?.send(
      JSON.stringify({
        type: 'answer',
        request: `x${++this.requests}`,
        ask: ask.id,
        digest: ask.digest,
        option: option.id,
        ...(edited !== undefined && { edited }),
      }),
    );
  }

  /** Waits for a connection, and for the answer to a request. The caller starts the gateway. */
  async ask<T extends RequestType>(message: RequestOf<T>): Promise<RequestValues[T]> {
    if (!this.connected) await this.connection();
    const request = `x${++this.requests}`;
    return new Promise<RequestValues[T]>((resolve, failed) => {
      this.pending.set(request, { done: (value) => resolve(value as RequestValues[T]), failed });
      if (!this.link?.send(JSON.stringify({ ...message, request }))) this.forget('The connection to parlance is lost.');
    });
  }

  private connection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const there = () => {
        clearTimeout(late);
        this.waiting.delete(there);
        resolve();
      };
      const late = setTimeout(() => {
        this.waiting.delete(there);
        reject(new Error('parlance is not ready: the output "parlance" has the reason.'));
      }, READY_MS);
      this.waiting.add(there);
    });
  }

  private forget(why: string): void {
    for (const { failed } of this.pending.values()) failed(new Error(why));
    this.pending.clear();
  }

  private follow(state: GatewayState): void {
    clearTimeout(this.timer);
    if (state.state !== 'ready') {
      this.link?.close();
      this.link = undefined;
      this.tell(false);
      return;
    }
    if (this.link) return;
    const link = new GatewayLink(state.address, {
      open: () => link.send('{"type":"ready"}'),
      message: (text) => this.heard(JSON.parse(text) as HostMessage),
      closed: () => this.lost(link),
    });
    this.link = link;
  }

  private heard(message: HostMessage): void {
    const asked = message.type === 'done' || message.type === 'failed' ? this.pending.get(message.request) : undefined;
    if (asked && (message.type === 'done' || message.type === 'failed')) {
      this.pending.delete(message.request);
      if (message.type === 'done') asked.done(message.value);
      else asked.failed(new Error(message.message));
      return;
    }
    if (message.type === 'failed') this.failed(message.message);
    this.inbox.take(message);
    this.tell(true);
  }

  private lost(link: GatewayLink): void {
    if (this.link !== link) return;
    this.link = undefined;
    const refused = !this.connected;
    this.tell(false);
    if (refused) this.gateway.lost(); // no gateway runs
    if (this.gateway.state.state === 'ready') this.timer = setTimeout(() => this.follow(this.gateway.state), RETRY_MS);
  }

  private tell(connected: boolean): void {
    this.connected = connected;
    if (!connected) {
      this.inbox.asks.clear();
      this.inbox.conversations.clear();
      this.forget('The connection to parlance is lost.');
    } else for (const there of this.waiting) there();
    this.changed(this.inbox, connected);
  }
}
