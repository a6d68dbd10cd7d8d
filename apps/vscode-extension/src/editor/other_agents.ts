// SPDX-License-Identifier: Apache-2.0
// `parlance editor serve` of this window: other vendors' agents in its terminals (Claude Code's CLI, Gemini's) find the editor through the
// terminals' environment and through files of the running command. Agents need a terminal, so the command starts with the first terminal;
// terminals receive the address before the start.

import { spawn, type ChildProcess } from 'node:child_process';
import { BackOff } from '../backoff';
import { byLine, type Program } from '../bridge/child';
import { KeptPorts } from './kept_ports';

const STOP_MS = 5_000;
const PRINTED = /^export ([A-Z_]+)=(\S*)$/;

/** The needed part of VS Code's EnvironmentVariableCollection. */
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

  /** Writes the future address to terminals; starts no program. */
  async announce(): Promise<void> {
    if (this.kept || this.wanted) return;
    const kept = KeptPorts.of(2);
    this.kept = kept;
    const [claude = 0, gemini = 0] = (await kept).numbers;
    if (this.kept !== kept) return; // started meanwhile, or no longer wanted
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

  /** Resolves after the end of the command and the removal of its files. */
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

  /** Restarts at the same address, so that open terminals find the editor again; after a start without listening, at another address. */
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
