// SPDX-License-Identifier: Apache-2.0
// The program `parlance up`: started on first use, found if another window or a terminal has started the program for the same state,
// restarted after a crash.

import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { BackOff } from '../backoff';
import { byLine } from '../bridge/child';

const START_MS = 60_000; // a cold disk, a busy machine
const LOOK_MS = 40;
const STOP_MS = 4_000; // VS Code gives an extension five seconds to end

export interface Address {
  origin: string;
  token: string;
}
export type GatewayState =
  | { state: 'stopped' }
  | { state: 'starting' }
  | { state: 'ready'; address: Address }
  | { state: 'waiting'; why: string }
  | { state: 'failed'; why: string };
export interface GatewayProgram {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  readyFile: string;
  /** Called before the end of the program, if this window has started it. */
  ending?(): Promise<void>;
}

export class Gateway {
  state: GatewayState = { state: 'stopped' };
  private child: ChildProcess | undefined;
  private ending: (() => Promise<void>) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedAt = 0;
  private runs = 0;
  private printed: string[] = []; // the last lines, for the reason of its end
  private readonly backOff = new BackOff();
  private readonly listeners = new Set<(state: GatewayState) => void>();

  constructor(
    private readonly program: () => GatewayProgram | Promise<GatewayProgram>,
    private readonly log: (line: string) => void,
  ) {}

  onChange(listener: (state: GatewayState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts the program unless it runs. */
  start(): void {
    if (this.state.state === 'starting' || this.state.state === 'ready') return;
    clearTimeout(this.timer);
    this.backOff.reset();
    void this.run();
  }

  /** The program of another window or terminal has ended: now this window starts one. */
  lost(): void {
    if (this.state.state === 'ready' && !this.child) this.again('the program that was found running has ended');
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    const child = this.child;
    this.child = undefined;
    this.become({ state: 'stopped' });
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
    });
    const hanging = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await this.ending?.().catch((error: unknown) => this.log(String(error)));
    child.kill('SIGTERM');
    await gone;
    clearTimeout(hanging);
  }

  private become(state: GatewayState): void {
    this.state = state;
    for (const listener of [...this.listeners]) listener(state);
  }

  private async run(): Promise<void> {
    const run = ++this.runs;
    this.become({ state: 'starting' });
    let program: GatewayProgram;
    try {
      program = await this.program();
      await rm(program.readyFile, { force: true });
    } catch (error) {
      this.become({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
      return;
    }
    const { command, args, cwd, env, readyFile } = program;
    if (this.state.state !== 'starting' || this.runs !== run) return; // stopped meanwhile
    this.ending = program.ending;
    this.startedAt = Date.now();
    this.printed = [];
    const child = spawn(command, args, {
      cwd,
      env,
      shell: false,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) byLine(stream, (line) => this.said(line));
    child.on('error', (error) => this.said(error.message));
    child.on('close', (code, signal) => this.ended(child, signal ? `ended by ${signal}` : `ended with code ${code}`));
    await this.becomesReady(child, readyFile);
  }

  private said(line: string): void {
    if (line.trim() === '') return;
    this.printed = [...this.printed.slice(-20), line];
    this.log(line.replace(/token=[^\s&]+/g, 'token=…'));
  }

  private async becomesReady(child: ChildProcess, readyFile: string): Promise<void> {
    const until = Date.now() + START_MS;
    while (this.child === child && Date.now() < until) {
      const address = await readFile(readyFile, 'utf8').then(addressIn, () => undefined);
      if (address && this.child === child) {
        this.become({ state: 'ready', address });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    if (this.child === child) {
      this.said(`It was not ready within ${START_MS / 1000} s.`);
      child.kill('SIGKILL');
    }
  }

  private ended(child: ChildProcess, how: string): void {
    if (this.child !== child) return; // stopped by us
    this.child = undefined;
    const other = runningElsewhere(this.printed);
    if (other) {
      this.become({ state: 'ready', address: other });
      return;
    }
    this.again([how, this.printed.at(-1)].filter(Boolean).join(': '));
  }

  private again(why: string): void {
    const wait = this.backOff.ended(this.startedAt);
    if (wait === undefined) {
      this.log(`It keeps ending, and is not started again by itself: "parlance: Restart" does. The last time: ${why}`);
      this.become({ state: 'failed', why });
      return;
    }
    this.log(`It has ended, and is started again in ${wait / 1000} s: ${why}`);
    this.become({ state: 'waiting', why });
    this.timer = setTimeout(() => void this.run(), wait);
  }
}

function addressIn(ready: string): Address {
  const { url, token } = JSON.parse(ready) as { url: string; token: string };
  return { origin: new URL(url).origin, token };
}

/** `up` refuses a second start for a state, and prints the address of the first. */
export function runningElsewhere(printed: readonly string[]): Address | undefined {
  for (const line of printed) {
    const found = /already running \(process \d+\): open (http:\/\/\S+)#token=(\S+)/.exec(line);
    if (found) return { origin: new URL(found[1]!).origin, token: decodeURIComponent(found[2]!) };
  }
  return undefined;
}
