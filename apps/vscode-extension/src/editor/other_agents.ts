// SPDX-License-Identifier: Apache-2.0
// `parlance editor serve` of this window: agents of others that run in its terminals (Claude Code's CLI, Gemini's) find the editor by the
// terminals' environment, and by the files that it keeps while it lives. Nobody can be there before there is a terminal, so it is started
// with the first one; where it will listen, terminals are told before.

import { spawn, type ChildProcess } from 'node:child_process';
import { BackOff } from '../backoff';
import { byLine, type Program } from '../bridge/child';
import { KeptPorts } from './kept_ports';

const STOP_MS = 5_000;
const PRINTED = /^export ([A-Z_]+)=(\S*)$/;

/** What is needed of VS Code's EnvironmentVariableCollection. */
export interface Terminals {
  replace(name: string, value: string): void;
  delete(name: string): void;
}
export interface Ports {
  claude: number;
  gemini: number;
}

export class OtherAgents {
  private kept: Promise<KeptPorts> | undefined;
  private ports: Ports = { claude: 0, gemini: 0 };
  private child: ChildProcess | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;
  private startedAt = 0;
  private printed = false;
  private readonly given = new Set<string>();
  private readonly backOff = new BackOff();

  constructor(
    private readonly program: (ports: Ports) => Program,
    private readonly terminals: Terminals,
    private readonly log: (line: string) => void,
  ) {}

  /** Tells terminals where it will be; nothing is started. */
  async announce(): Promise<void> {
    if (this.kept || this.wanted) return;
    const kept = KeptPorts.of(2);
    this.kept = kept;
    const [claude = 0, gemini = 0] = (await kept).numbers;
    if (this.kept !== kept) return; // it has begun meanwhile, or is not wanted any more
    this.ports = { claude, gemini };
    this.give('CLAUDE_CODE_SSE_PORT', String(claude));
    this.give('ENABLE_IDE_INTEGRATION', 'true');
    this.give('GEMINI_CLI_IDE_SERVER_PORT', String(gemini));
  }

  async start(): Promise<void> {
    if (this.wanted) return;
    this.wanted = true;
    const kept = this.kept;
    this.kept = undefined;
    await (await kept)?.release();
    if (this.wanted && !this.child && this.timer === undefined) this.spawn();
  }

  /** Resolves when it has gone, and its files with it. */
  async stop(): Promise<void> {
    this.wanted = false;
    clearTimeout(this.timer);
    this.timer = undefined;
    const kept = this.kept;
    this.kept = undefined;
    await (await kept)?.release();
    this.takeBack();
    const child = this.child;
    if (!child) return;
    const gone = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
    });
    child.kill('SIGTERM');
    const hanging = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(hanging);
  }

  private give(name: string, value: string): void {
    this.given.add(name);
    this.terminals.replace(name, value);
  }
  private takeBack(): void {
    for (const name of this.given) this.terminals.delete(name);
    this.given.clear();
  }

  private spawn(): void {
    this.timer = undefined;
    this.startedAt = Date.now();
    this.printed = false;
    let failure = '';
    try {
      const { command, args, cwd, env } = this.program(this.ports);
      this.child = spawn(command, args, {
        cwd,
        env,
        shell: false,
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      this.log(`agents of others do not find this window: ${error instanceof Error ? error.message : String(error)}`);
      this.takeBack();
      return;
    }
    byLine(this.child.stdout!, (line) => {
      const [, name, value] = PRINTED.exec(line) ?? [];
      if (name === undefined || value === undefined) return;
      this.printed = true;
      this.give(name, value);
    });
    byLine(this.child.stderr!, (line) => this.log(`editor serve: ${line}`));
    this.child.on('error', (error) => {
      failure = error.message;
    });
    this.child.on('close', (code, signal) =>
      this.ended(failure || (signal ? `ended by ${signal}` : `ended with code ${code}`)),
    );
  }

  /** It comes back where it was, so that terminals that are open find it again; if it never came to listen there, somewhere else. */
  private ended(why: string): void {
    this.child = undefined;
    if (!this.wanted) return;
    if (!this.printed) this.ports = { claude: 0, gemini: 0 };
    const retryMs = this.backOff.ended(this.startedAt);
    this.log(
      `editor serve ${why}${retryMs === undefined ? '; it is left alone until the window is loaded again' : ''}`,
    );
    if (retryMs === undefined) this.takeBack();
    else this.timer = setTimeout(() => this.spawn(), retryMs);
  }
}
