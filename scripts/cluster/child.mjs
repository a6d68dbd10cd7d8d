// SPDX-License-Identifier: Apache-2.0
// Child processes: each ends with its parent, also after SIGKILL, and the parent keeps the output. Also helpers: a free port, a wait.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

export const asRoot = process.getuid() === 0;
const mostKept = 20_000; // characters of the kept output
const orderlyMs = 30_000; // turns of a gateway may take 20 s to end; the limit stops a hanging process

/** The environment without the person's own configuration. */
export function plainEnvironment(more = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PARLANCE|OPENCLAW|PG)[A-Z_]*$/.test(name));
  return { ...Object.fromEntries(kept), ...more };
}

export class Child {
  /** `user`: the account of the process, if root starts it. `signal`: the signal after the parent's death. */
  constructor(words, { user = '', signal = 'TERM', env = plainEnvironment(), cwd = '/' } = {}) {
    const account = user && asRoot ? [`--reuid=${user}`, `--regid=${user}`, '--init-groups'] : [];
    this.name = words[0].split('/').at(-1);
    this.said = '';
    this.process = spawn('setpriv', ['--pdeathsig', signal, ...account, '--', ...words], {
      env,
      cwd,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    }); // Ctrl-C is for us alone
    for (const stream of [this.process.stdout, this.process.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        this.said = (this.said + text).slice(-mostKept);
      });
    this.process.on('error', (error) => {
      this.said += error;
    });
    this.end = new Promise((resolve) => {
      this.process.once('close', (code, killed) => resolve({ code, killed }));
    });
  }
  get pid() {
    return this.process.pid;
  }
  get ended() {
    return this.process.exitCode !== null || this.process.signalCode !== null || this.process.pid === undefined;
  }
  signal(name) {
    if (!this.ended) this.process.kill(name);
  }
  async stop(signal = 'SIGTERM') {
    this.signal(signal);
    const hanging = setTimeout(() => this.signal('SIGKILL'), orderlyMs);
    const how = await this.end;
    clearTimeout(hanging);
    return how;
  }
}

/** The output of the process; throws with its messages after a failure. */
export async function outputOf(words, settings = {}, input = '') {
  const child = new Child(words, settings);
  let out = '';
  child.process.stdout.on('data', (text) => {
    out += text;
  });
  child.process.stdin.on('error', () => {});
  child.process.stdin.end(input);
  const { code } = await child.end;
  if (code !== 0) throw new Error(`${words.join(' ')}: ${child.said.trim()}`);
  return out;
}

export const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Polls until the condition holds, and returns its value. Throws after a timeout. */
export async function until(condition, what, ms = 60_000) {
  for (const end = Date.now() + ms; ;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${ms / 1000} s for ${what}`);
    await pause(20);
  }
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
