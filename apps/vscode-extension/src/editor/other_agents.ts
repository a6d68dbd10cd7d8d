// `parlance editor serve` of this window: agents of others that run in its terminals (Claude Code's CLI, Gemini's) find the editor by what it
// prints, which becomes the terminals' environment, and by the files that it keeps while it lives.

import { spawn, type ChildProcess } from 'node:child_process';
import { BackOff } from '../backoff';
import { by_line, type Program } from '../bridge/child';

const STOP_MS = 5_000;
const PRINTED = /^export ([A-Z_]+)=(\S*)$/;

/** What is needed of VS Code's EnvironmentVariableCollection. */
export interface Terminals { replace(name: string, value: string): void; delete(name: string): void }

export class OtherAgents {
  private child: ChildProcess | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;
  private started_at = 0;
  private readonly given = new Set<string>();
  private readonly back_off = new BackOff();

  constructor(private readonly program: () => Program, private readonly terminals: Terminals, private readonly log: (line: string) => void) {}

  start(): void {
    this.wanted = true;
    if (!this.child && this.timer === undefined) this.spawn();
  }

  /** Resolves when it has gone, and its files with it. */
  async stop(): Promise<void> {
    this.wanted = false;
    clearTimeout(this.timer);
    this.timer = undefined;
    const child = this.child;
    if (!child) return;
    const gone = new Promise<void>((resolve) => { child.once('close', () => resolve()); });
    child.kill('SIGTERM');
    const hanging = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(hanging);
  }

  private spawn(): void {
    this.timer = undefined;
    this.started_at = Date.now();
    let failure = '';
    try {
      const { command, args, cwd, env } = this.program();
      this.child = spawn(command, args, { cwd, env, shell: false, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      this.log(`agents of others do not find this window: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    by_line(this.child.stdout!, (line) => {
      const [, name, value] = PRINTED.exec(line) ?? [];
      if (name === undefined || value === undefined) return;
      this.given.add(name);
      this.terminals.replace(name, value);
    });
    by_line(this.child.stderr!, (line) => this.log(`editor serve: ${line}`));
    this.child.on('error', (error) => { failure = error.message; });
    this.child.on('close', (code, signal) => this.ended(failure || (signal ? `ended by ${signal}` : `ended with code ${code}`)));
  }

  private ended(why: string): void {
    this.child = undefined;
    for (const name of this.given) this.terminals.delete(name);  // nobody listens there any more
    this.given.clear();
    if (!this.wanted) return;
    const retry_ms = this.back_off.ended(this.started_at);
    this.log(`editor serve ${why}${retry_ms === undefined ? '; it is left alone until the window is loaded again' : ''}`);
    if (retry_ms !== undefined) this.timer = setTimeout(() => this.spawn(), retry_ms);
  }
}
