// SPDX-License-Identifier: Apache-2.0
// Requests, answers and notifications over one stream of lines, in both directions. Independent of editors and processes.
//
// Runs on the extension host's thread. Handlers run concurrently, and answers are sent in the order of completion.

import { LineReader, type Json, type Line, type Message } from './framing';

export const codes = {
  parse: -32700,
  invalid: -32600,
  unknown: -32601,
  params: -32602,
  internal: -32603,
  cancelled: -32800,
  closed: -32001,
  rejected: -32002,
} as const;

export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Json,
  ) {
    super(message);
  }
}
export class ConnectionClosed extends RpcError {
  constructor(why: string) {
    super(codes.closed, why);
  }
}

/** An open request of the other side. `signal` fires if the other side cancels the request or disconnects. */
export interface Call {
  signal: AbortSignal;
  rpc: Rpc;
}
export type Handler = (params: Message, call: Call) => Promise<Json>;
export interface Hooks {
  text(line: string): void;
  note(line: string): void; // for the diagnostics channel
  notified(method: string, params: Message, from: Rpc): void;
}

/** A signal is expensive, and most handlers never use theirs: created on first use. */
class OpenCall implements Call {
  private controller: AbortController | undefined;
  private takenBack = false;

  constructor(readonly rpc: Rpc) {}

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.takenBack) this.controller.abort();
    return this.controller.signal;
  }
  takeBack(): void {
    this.takenBack = true;
    this.controller?.abort();
  }
}

interface Waiter {
  method: string;
  done(value: Json): void;
  failed(error: Error): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export const REQUEST_MS = 10_000;

export class Rpc {
  late = 0; // answers without a waiting request
  private readonly waiters = new Map<Json | undefined, Waiter>(); // by id: 1 is not "1"
  private readonly running = new Map<Json | undefined, OpenCall>();
  private readonly reader: LineReader;
  private last = 0;
  private closed: string | undefined;

  constructor(
    private readonly write: (line: string) => void,
    private readonly handlers: ReadonlyMap<string, Handler>,
    private readonly hooks: Hooks,
  ) {
    this.reader = new LineReader((line) => this.take(line));
  }

  receive(bytes: Uint8Array): void {
    this.reader.push(bytes);
  }

  /** Ends the connection: all waiting requests fail at once, and open handlers are cancelled. Idempotent. */
  close(why: string): void {
    if (this.closed !== undefined) return;
    this.reader.end();
    this.closed = why;
    for (const waiter of [...this.waiters.values()]) waiter.failed(new ConnectionClosed(why));
    for (const call of this.running.values()) call.takeBack();
    this.running.clear();
  }

  request(method: string, params: Message = {}, timeoutMs = REQUEST_MS): Promise<Json> {
    if (this.closed !== undefined) return Promise.reject(new ConnectionClosed(this.closed));
    const id = `e${++this.last}`;
    return new Promise((resolve, reject) => {
      const finish = () => {
        this.waiters.delete(id);
        clearTimeout(waiter.timer);
      };
      const waiter: Waiter = {
        method,
        done: (value) => {
          finish();
          resolve(value);
        },
        failed: (error) => {
          finish();
          reject(error);
        },
        timer: undefined,
      };
      this.waiters.set(id, waiter);
      if (timeoutMs > 0) {
        waiter.timer = setTimeout(() => {
          waiter.failed(new Error(`No response for '${method}' after ${timeoutMs / 1000}s`));
          this.notify('cancel', { id });
        }, timeoutMs);
      }
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: Message = {}): void {
    if (this.closed === undefined) this.send({ jsonrpc: '2.0', method, params });
  }

  private send(message: Message): void {
    if (this.closed === undefined) this.write(`${JSON.stringify(message)}\n`);
  }

  private take(line: Line): void {
    if (this.closed !== undefined) return;
    if (line.kind === 'message') {
      this.message(line.message);
      return;
    }
    if (line.kind === 'text') {
      if (line.odd) this.hooks.note('A line that begins like an object is no message, and is shown as text.');
      this.hooks.text(line.text);
      return;
    }
    this.hooks.note('A line longer than the limit was passed over.');
    if (line.object) this.fail(null, codes.invalid, 'The line is longer than this side takes.');
  }

  private message(message: Message): void {
    const { id, method } = message;
    if (typeof method === 'string') {
      if (message.params !== undefined && !isObject(message.params)) {
        if (id !== undefined) this.fail(isId(id) ? id : null, codes.params, `${method}: 'params' must be an object`);
        return;
      }
      const params = message.params ?? {};
      if (id === undefined) this.notified(method, params);
      else if (isId(id)) void this.answer(id, method, params);
      else this.fail(null, codes.invalid, "'id' must be a string or a number");
      return;
    }
    if ('result' in message || 'error' in message) this.settle(message);
    else this.fail(isId(id) ? id : null, codes.invalid, "'method' is missing");
  }

  private settle(message: Message): void {
    const waiter = this.waiters.get(message.id);
    if (!waiter) {
      ++this.late;
      this.hooks.note(`An answer came late: ${JSON.stringify(message.id ?? null)}`);
      return;
    }
    const error = message.error;
    if (isObject(error))
      waiter.failed(
        new RpcError(Number(error.code ?? codes.internal), `RPC Error: ${String(error.message ?? '')}`, error.data),
      );
    else waiter.done(message.result ?? null);
  }

  private notified(method: string, params: Message): void {
    if (method === 'cancel') this.cancel(params.id);
    else this.hooks.notified(method, params, this);
  }

  /** Answers at once; a later result of the handler is dropped. */
  private cancel(id: Json | undefined): void {
    const call = this.running.get(id);
    if (!call) return;
    this.running.delete(id);
    call.takeBack();
    this.fail(id as string | number, codes.cancelled, 'Cancelled');
  }

  private async answer(id: string | number, method: string, params: Message): Promise<void> {
    const handler = this.handlers.get(method);
    if (!handler) {
      this.fail(id, codes.unknown, `Method not found: ${method}`);
      return;
    }
    if (this.running.has(id)) {
      this.fail(id, codes.invalid, 'A request with this id is still being answered');
      return;
    }
    const call = new OpenCall(this);
    const isOver = () => this.running.get(id) !== call || !this.running.delete(id);
    this.running.set(id, call);
    try {
      const result = await handler(params, call);
      if (!isOver()) this.send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (isOver()) return;
      const code = error instanceof RpcError ? error.code : codes.internal;
      this.fail(id, code, error instanceof Error ? error.message : String(error));
    }
  }

  private fail(id: string | number | null, code: number, message: string): void {
    this.send({ jsonrpc: '2.0', id, error: { code, message } });
  }
}

const isId = (id: Json | undefined): id is string | number => typeof id === 'string' || typeof id === 'number';
const isObject = (value: Json | undefined): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
