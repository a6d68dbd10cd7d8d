// SPDX-License-Identifier: Apache-2.0
// sqlite-helper on the other end of a pipe: one JSON object a line, answers in any order. One process for all databases of a window; it is
// started when the first one is opened, and again when it crashed.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Calls, SqliteError, type Bridge, type Running } from '../../../web/src/sqlite/bridge';
import { words } from '../../../web/src/strings/views';
import { BackOff } from '../backoff';
import { byLine } from '../bridge/child';
import { Writer } from '../bridge/writer';

const STOP_MS = 2_000;

export class SqliteHelper implements Bridge {
  private child: ChildProcessWithoutNullStreams | undefined;
  private writer: Writer | undefined;
  private readonly calls = new Calls((message) => this.started().write(`${message}\n`));
  private readonly backOff = new BackOff();
  private startedAt = 0;
  private notBefore = 0;
  private givenUp = false;

  constructor(
    private readonly program: () => string,
    private readonly log: (line: string) => void,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  run<T>(cmd: string, payload: Record<string, unknown>): Running<T> {
    return this.calls.run(cmd, payload);
  }
  ask<T>(cmd: string, payload: Record<string, unknown>): Promise<T> {
    return this.calls.ask(cmd, payload);
  }

  /** A person wants another try. */
  reset(): void {
    this.givenUp = false;
    this.backOff.reset();
  }

  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child) return;
    const gone = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
    });
    child.stdin.end();
    const hanging = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(hanging);
  }

  private started(): Writer {
    if (this.child && this.writer) return this.writer;
    if (this.givenUp) throw new SqliteError('INTERNAL', words().helper_gives_up);
    if (Date.now() < this.notBefore) throw new SqliteError('INTERNAL', words().helper_starts_again);
    const child = spawn(this.program(), ['--log-level', 'warn'], { shell: false, windowsHide: true });
    this.child = child;
    this.startedAt = Date.now();
    let failure = '';
    this.writer = new Writer(child.stdin, (why) => {
      failure = why;
      child.kill('SIGKILL');
    });
    byLine(child.stdout, (line) => {
      try {
        this.calls.heard(line);
      } catch {
        this.log(`sqlite-helper wrote no JSON: ${line.slice(0, 200)}`);
      }
    });
    byLine(child.stderr, (line) => this.log(`sqlite-helper: ${line}`));
    child.on('error', (error) => {
      failure = error.message;
    });
    child.on('close', (code, signal) => this.ended(child, failure || (signal ?? `code ${code}`)));
    return this.writer;
  }

  private ended(child: ChildProcessWithoutNullStreams, how: string): void {
    const ours = this.child === child;
    if (ours) this.child = undefined;
    this.calls.failAll(new SqliteError('INTERNAL', words().helper_ended(how)));
    if (!ours) return;
    const wait = this.backOff.ended(this.startedAt);
    this.givenUp = wait === undefined;
    this.notBefore = Date.now() + (wait ?? 0);
  }
}
