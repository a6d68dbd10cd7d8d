// sqlite-helper on the other end of a pipe: one JSON object a line, answers in any order. One process for all databases of a window; it is
// started when the first one is opened, and again when it crashed.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { BackOff } from '../backoff';
import { by_line } from '../bridge/child';
import { Writer } from '../bridge/writer';

const ANSWER_MS = 35_000;                           // beyond the helper's own limit of a request
const STOP_MS = 2_000;

export class SqliteError extends Error {
  constructor(readonly code: string, message: string, readonly offset?: number) { super(message); }
}
interface Answer { id: string; status: 'ok' | 'error'; data?: unknown; code?: string; error?: string; details?: { offset?: number; sqlite_code?: number } }
interface Waiter { done(value: unknown): void; failed(error: Error): void; timer: ReturnType<typeof setTimeout> }

export interface Running<T> { answer: Promise<T>; cancel(): void }

export class SqliteHelper {
  private child: ChildProcessWithoutNullStreams | undefined;
  private writer: Writer | undefined;
  private readonly waiting = new Map<string, Waiter>();
  private readonly back_off = new BackOff();
  private started_at = 0;
  private not_before = 0;
  private given_up = false;

  constructor(private readonly program: () => string, private readonly log: (line: string) => void) {}

  get pid(): number | undefined { return this.child?.pid; }

  run<T>(cmd: string, payload: Record<string, unknown>): Running<T> {
    const id = randomUUID();
    const answer = new Promise<T>((resolve, reject) => {
      const writer = this.started();
      const timer = setTimeout(() => this.settle(id)?.failed(new SqliteError('TIMEOUT', 'The helper gives no answer.')), ANSWER_MS);
      this.waiting.set(id, { done: (value) => resolve(value as T), failed: reject, timer });
      writer.write(`${JSON.stringify({ v: 1, id, cmd, payload })}\n`);
    });
    return { answer, cancel: () => { if (this.waiting.has(id)) void this.run('cancel', { id }).answer.catch(() => {}); } };
  }
  ask<T>(cmd: string, payload: Record<string, unknown>): Promise<T> { return this.run<T>(cmd, payload).answer; }

  /** A person wants another try. */
  reset(): void {
    this.given_up = false;
    this.back_off.reset();
  }

  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child) return;
    const gone = new Promise<void>((resolve) => { child.once('close', () => resolve()); });
    child.stdin.end();
    const hanging = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(hanging);
  }

  private started(): Writer {
    if (this.child && this.writer) return this.writer;
    if (this.given_up) throw new SqliteError('INTERNAL', 'sqlite-helper keeps ending. Open the database again for another try.');
    if (Date.now() < this.not_before) throw new SqliteError('INTERNAL', 'sqlite-helper ended and is started again in a moment.');
    const child = spawn(this.program(), ['--log-level', 'warn'], { shell: false, windowsHide: true });
    this.child = child;
    this.started_at = Date.now();
    this.writer = new Writer(child.stdin);
    by_line(child.stdout, (line) => this.heard(line));
    by_line(child.stderr, (line) => this.log(`sqlite-helper: ${line}`));
    let failure = '';
    child.on('error', (error) => { failure = error.message; });
    child.on('close', (code, signal) => this.ended(child, failure || (signal ?? `code ${code}`)));
    return this.writer;
  }

  private heard(line: string): void {
    let answer: Answer;
    try { answer = JSON.parse(line) as Answer; } catch { this.log(`sqlite-helper wrote no JSON: ${line.slice(0, 200)}`); return; }
    const waiter = this.settle(answer.id);
    if (answer.status === 'ok') waiter?.done(answer.data);
    else waiter?.failed(new SqliteError(answer.code ?? 'INTERNAL', in_words(answer), answer.details?.offset));
  }

  private settle(id: string): Waiter | undefined {
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiter?.timer);
    return waiter;
  }

  private ended(child: ChildProcessWithoutNullStreams, how: string): void {
    const ours = this.child === child;
    if (ours) this.child = undefined;
    for (const id of [...this.waiting.keys()]) this.settle(id)?.failed(new SqliteError('INTERNAL', `sqlite-helper ended: ${how}`));
    if (!ours) return;
    const wait = this.back_off.ended(this.started_at);
    this.given_up = wait === undefined;
    this.not_before = Date.now() + (wait ?? 0);
  }
}

const BUSY = 5;
const LOCKED = 6;
function in_words({ error = '', details }: Answer): string {
  if (details?.sqlite_code === BUSY || details?.sqlite_code === LOCKED) return `Another program has locked the database (${error}). Try again when it is done.`;
  return error;
}
