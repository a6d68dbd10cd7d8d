// SPDX-License-Identifier: Apache-2.0
// A page as a program, behind a load balancer: after a broken connection, the page reconnects to any gateway, and continues at its
// position.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(fileURLToPath(new URL('../../apps/web/package.json', import.meta.url)));
export const { WebSocket } = require('ws'); // the page's own packages serve its tests too
const firstPauseMs = 100;
const longestPauseMs = 2000;

/** The end of an unfinished request: refused, or cut off with an unknown outcome. */
export class NotDone extends Error {
  constructor(code, text) {
    super(`${code}: ${text}`);
    this.code = code;
  }
  get cut() {
    return this.code === 'cut';
  }
}

export class Page {
  constructor(base, token) {
    this.address = `${base.replace('http', 'ws')}/ws`;
    this.token = token;
    this.conversations = new Map();
    this.asks = new Map();
    this.batches = new Map(); // of its open conversations: the events in the order of arrival
    this.faults = []; // gaps and repetitions
    this.reconnects = -1;
    this.waiting = new Map();
    this.numbers = 0;
    this.pauseMs = firstPauseMs;
    this.connect();
  }
  last(id) {
    return this.batches.get(id)?.at(-1)?.at(-1)?.seq ?? 0;
  }
  events(id) {
    return (this.batches.get(id) ?? []).flat();
  }

  connect() {
    this.ready = false;
    this.socket = new WebSocket(this.address, ['parlance.v1', `token.${this.token}`], { handshakeTimeout: 5000 });
    this.socket.on('open', () => this.socket.send('{"type":"ready"}'));
    this.socket.on('message', (data) => this.take(JSON.parse(data)));
    this.socket.on('error', () => {}); // and closed
    this.socket.on('close', () => {
      this.ready = false;
      for (const { reject } of this.waiting.values()) reject(new NotDone('cut', 'the connection broke'));
      this.waiting.clear();
      if (this.closed) return;
      setTimeout(() => {
        if (!this.closed) this.connect();
      }, this.pauseMs);
      this.pauseMs = Math.min(2 * this.pauseMs, longestPauseMs);
    });
  }
  close() {
    this.closed = true;
    this.socket.terminate();
  }

  /** `atOnce`: takes the value before any later message; a promise would be too late. */
  request(type, members, atOnce = () => {}) {
    return new Promise((resolve, reject) => {
      if (!this.ready) {
        reject(new NotDone('cut', 'not connected'));
        return;
      }
      const request = String(++this.numbers);
      this.waiting.set(request, { resolve, reject, atOnce });
      this.socket.send(JSON.stringify({ type, request, ...members }));
    });
  }
  /** Reads a conversation from its position, and follows it over all connections. */
  async follow(id) {
    if (!this.batches.has(id)) this.batches.set(id, []);
    await this.request('open', { conversation: id, after: this.last(id) }, ({ events }) => this.takeEvents(id, events));
  }

  take(message) {
    if (message.type === 'done' || message.type === 'failed') {
      const { resolve, reject, atOnce } = this.waiting.get(message.request);
      this.waiting.delete(message.request);
      if (message.type === 'done') {
        atOnce(message.value);
        resolve(message.value);
      } else reject(new NotDone(message.code, message.message));
      return;
    }
    if (message.type === 'snapshot') {
      this.ready = true;
      this.pauseMs = firstPauseMs;
      this.reconnects += 1;
      this.conversations = new Map(message.conversations.map((one) => [one.id, one]));
      this.asks = new Map(message.asks.map((one) => [one.id, one]));
      // A host with fewer events than the page is another host: start empty, like the real page.
      for (const id of this.batches.keys())
        if ((this.conversations.get(id)?.last_seq ?? 0) < this.last(id)) this.batches.set(id, []);
      for (const id of this.batches.keys()) this.follow(id).catch(() => {}); // the next connection tries again
    } else {
      if (message.seq !== this.seq + 1) this.faults.push(`delta ${message.seq} after ${this.seq}`);
      for (const op of message.ops) this.takeOp(op);
    }
    this.seq = message.seq;
  }
  takeOp(op) {
    if (op.op === 'conversation') this.conversations.set(op.conversation.id, op.conversation);
    if (op.op === 'conversation_removed') this.conversations.delete(op.id);
    if (op.op === 'ask') this.asks.set(op.ask.id, op.ask);
    if (op.op === 'events') this.takeEvents(op.conversation, op.events);
  }
  takeEvents(id, events) {
    if (events.length === 0) return;
    let last = this.last(id);
    for (const { seq } of events) {
      if (seq !== last + 1) this.faults.push(`event ${seq} of ${id} after ${last}`);
      last = seq;
    }
    this.batches.get(id).push(events);
  }
}
