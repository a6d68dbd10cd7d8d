// SPDX-License-Identifier: Apache-2.0
// sqlite-helper on the other end of a pipe: one JSON object a line, answers in any order. One process for all databases of a window; it is
// started when the first one is opened, and again when it crashed.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Calls, SqliteError, type Bridge, type Running } from '../../../web/src/sqlite/bridge';
import { words } from '../../../web/src/strings/views';
import { BackOff } from '../backoff';
import { by_line } from '../bridge/child';
import { Writer } from '../bridge/writer';

const STOP_MS = 2_000;

export class SqliteHelper implements Bridge {
  private child: ChildProcessWithoutNullStreams | undefined;
  private writer: Writer | undefined;
  private readonly calls = new Calls((message) => this.started().write(`${message}\n`));
  private readonly back_off = new BackOff();
  private started_at = 0;
  private not_before = 0;
  private given_up = false;

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
    this.given_up = false;
    this.back_off.reset();
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
    if (this.given_up) throw new SqliteError('INTERNAL', words().helper_gives_up);
    if (Date.now() < this.not_before) throw new SqliteError('INTERNAL', words().helper_starts_again);
    const child = spawn(this.program(), ['--log-level', 'warn'], { shell: false, windowsHide: true });
    this.child = child;
    this.started_at = Date.now();
    let failure = '';
    this.writer = new Writer(child.stdin, (why) => {
      failure = why;
      child.kill('SIGKILL');
    });
    by_line(child.stdout, (line) => {
      try {
        this.calls.heard(line);
      } catch {
        this.log(`sqlite-helper wrote no JSON: ${line.slice(0, 200)}`);
      }
    });
    by_line(child.stderr, (line) => this.log(`sqlite-helper: ${line}`));
    child.on('error', (error) => {
      failure = error.message;
    });
    child.on('close', (code, signal) => this.ended(child, failure || (signal ?? `code ${code}`)));
    return this.writer;
  }

  private ended(child: ChildProcessWithoutNullStreams, how: string): void {
    const ours = this.child === child;
    if (ours) this.child = undefined;
    this.calls.fail_all(new SqliteError('INTERNAL', words().helper_ended(how)));
    if (!ours) return;
    const wait = this.back_off.ended(this.started_at);
    this.given_up = wait === undefined;
    this.not_before = Date.now() + (wait ?? 0);
  }
}
