// SPDX-License-Identifier: Apache-2.0
// sqlite-helper's protocol, whatever carries it: one JSON object a message, answers in any order, each request answered once.

import { words } from '../strings/views';
import type { Reply } from './helper_messages';

const ANSWER_MS = 35_000; // beyond the helper's own limit of a request

export class SqliteError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly offset?: number,
  ) {
    super(message);
  }
}
interface Waiter {
  done(value: unknown): void;
  failed(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

export interface Running<T> {
  answer: Promise<T>;
  cancel(): void;
}
export interface Bridge {
  run<T>(cmd: string, payload: Record<string, unknown>): Running<T>;
  ask<T>(cmd: string, payload: Record<string, unknown>): Promise<T>;
}

/** Requests that are on their way. */
export class Calls implements Bridge {
  readonly #waiting = new Map<string, Waiter>();
  #last = 0;

  /** `send` may throw: the request fails with what it throws. */
  constructor(private readonly send: (message: string) => void) {}

  run<T>(cmd: string, payload: Record<string, unknown>): Running<T> {
    const id = String(++this.#last);
    const answer = new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#settle(id)?.failed(new SqliteError('TIMEOUT', words().no_answer)),
        ANSWER_MS,
      );
      this.#waiting.set(id, { done: (value) => resolve(value as T), failed: reject, timer });
      try {
        this.send(JSON.stringify({ v: 1, id, cmd, payload }));
      } catch (error) {
        this.#settle(id)?.failed(error as Error);
      }
    });
    return {
      answer,
      cancel: () => {
        if (this.#waiting.has(id)) void this.ask('cancel', { id }).catch(() => {});
      },
    };
  }
  ask<T>(cmd: string, payload: Record<string, unknown>): Promise<T> {
    return this.run<T>(cmd, payload).answer;
  }

  /** Throws when it is no JSON. */
  heard(message: string): void {
    const answer = JSON.parse(message) as Reply;
    const waiter = this.#settle(answer.id);
    if (answer.status === 'ok') waiter?.done(answer.data);
    else waiter?.failed(new SqliteError(answer.code ?? 'INTERNAL', inWords(answer), answer.details?.offset));
  }

  failAll(error: SqliteError): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.failed(error);
  }

  #settle(id: string): Waiter | undefined {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiter?.timer);
    return waiter;
  }
}

// SQLite's codes.
const BUSY = 5;
const LOCKED = 6;
const NO_DATABASE = 26;

function inWords({ error = '', details }: Reply): string {
  const code = details?.sqlite_code;
  if (code === BUSY || code === LOCKED) return words().locked(error);
  return code === NO_DATABASE ? words().no_database(error) : error;
}
