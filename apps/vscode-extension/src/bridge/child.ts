// SPDX-License-Identifier: Apache-2.0
// The agent's program at the other end of the bridge: started, connected over its stdin and stdout, stopped, and restarted after a crash.
// Runs without a shell, so that a path never becomes a command.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { BackOff } from '../backoff';
import { Rpc, type Handler, type Hooks } from './rpc';
import { Writer } from './writer';

const STOP_MS = 5_000; // between the request to end and the kill

export interface Program {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}
export type State =
  | { state: 'stopped' }
  | { state: 'running' }
  | { state: 'waiting'; why: string; retryMs: number }
  | { state: 'failed'; why: string };
export interface ChildHooks extends Hooks {
  stderr(line: string): void;
  state(state: State): void;
}

export class BridgeChild {
  rpc: Rpc | undefined;
  private child: ChildProcessWithoutNullStreams | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;
  private startedAt = 0;
  private readonly backOff = new BackOff();

  constructor(
    private readonly program: () => Program,
    private readonly handlers: ReadonlyMap<string, Handler>,
    private readonly hooks: ChildHooks,
  ) {}

  get running(): boolean {
    return this.child !== undefined;
  }
  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): void {
    this.wanted = true;
    clearTimeout(this.timer);
    if (this.child) return;
    this.backOff.reset();
    this.spawn();
  }

  /** Asks the program to end, then kills the program. Resolves after its end. */
  async stop(): Promise<void> {
    this.wanted = false;
    clearTimeout(this.timer);
    const child = this.child;
    if (!child) {
      this.hooks.state({ state: 'stopped' });
      return;
    }
    this.rpc?.notify('shutdown');
    const gone = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
    });
    child.stdin.end();
    child.kill('SIGTERM');
    const hanging = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(hanging);
  }

  private spawn(): void {
    let program: Program;
    try {
      program = this.program();
    } catch (error) {
      this.wanted = false;
      this.hooks.state({
        state: 'failed',
        why: `cannot be started: ${error instanceof Error ? error.message : String(error)}`,
      });
      return;
    }
    const { command, args, cwd, env } = program;
    this.startedAt = Date.now();
    const child = spawn(command, args, {
      cwd,
      env: { ...env, VSCODE_INTEGRATION: 'true' },
      shell: false,
      windowsHide: true,
    });
    this.child = child;
    let failure = '';
    const writer = new Writer(child.stdin, (why) => {
      failure = why;
      child.kill('SIGKILL'); // a program that does not read may be stopped, and receives only this signal
    });
    const rpc = new Rpc((line) => writer.write(line), this.handlers, this.hooks);
    this.rpc = rpc;
    child.stdout.on('data', (bytes: Uint8Array) => rpc.receive(bytes));
    byLine(child.stderr, (line) => this.hooks.stderr(line));
    child.on('error', (error) => {
      failure = error.message;
    });
    child.on('close', (code, signal) =>
      this.ended(rpc, failure || (signal ? `ended by ${signal}` : `ended with code ${code}`), code === 0),
    );
    this.hooks.state({ state: 'running' });
  }

  /** `by_itself`: a regular end, for example after /exit, without a restart. */
  private ended(rpc: Rpc, why: string, byItself: boolean): void {
    rpc.close(why);
    this.child = undefined;
    this.rpc = undefined;
    if (byItself) this.wanted = false;
    if (!this.wanted) {
      this.hooks.state({ state: 'stopped' });
      return;
    }
    const retryMs = this.backOff.ended(this.startedAt);
    if (retryMs === undefined) {
      this.wanted = false;
      this.hooks.state({ state: 'failed', why });
      return;
    }
    this.hooks.state({ state: 'waiting', why, retryMs });
    this.timer = setTimeout(() => this.spawn(), retryMs);
  }
}

/** Text for people, line by line; a character across two pieces stays whole. */
export function byLine(stream: NodeJS.ReadableStream, line: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream.on('data', (bytes: Buffer) => {
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = lines.pop()!;
    for (const text of lines) line(text);
  });
  stream.on('end', () => {
    if (rest) line(rest);
  });
}
