// SPDX-License-Identifier: Apache-2.0
// The real program, `parlance up`, in its own temporary folder: its output, its processes, its state.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './modules.mjs';
import { eventually } from './page.mjs';

export { program };

const PACE_MS = 2; // between two pieces of a scripted answer
const ENDING_MS = 20_000; // a normal end drains for seconds; this limit only protects the test from a hanging program

export class Parlance {
  /**
   * `folder`: the folder of new conversations, below the given home folder. `flags`: further flags for `up`. `config`: the person's
   * parlance.toml.
   */
  static async start({ folder = 'work', flags = [], config = '' } = {}) {
    const at = await realpath(await mkdtemp(join(tmpdir(), 'parlance-web-')));
    const one = new Parlance(at, folder, flags);
    await mkdir(one.folder, { recursive: true });
    if (config) {
      await mkdir(join(at, 'config/parlance'), { recursive: true });
      await writeFile(join(at, 'config/parlance/parlance.toml'), config);
    }
    await one.run();
    return one;
  }

  constructor(at, folder, flags) {
    this.at = at;
    this.folder = join(at, folder);
    this.flags = flags;
  }

  /** Starts the program, also again after `end`: on the same state. */
  async run() {
    const ready = join(this.at, 'ready.json');
    await rm(ready, { force: true });
    this.printed = '';
    // Removes the person's own configuration.
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('PARLANCE_')),
    );
    // setpriv (util-linux): the program ends with this process, even after a time limit's kill.
    this.child = spawn(
      'setpriv',
      [
        '--pdeathsig',
        'TERM',
        program,
        'up',
        '--listen',
        '127.0.0.1:0',
        '--agent-socket',
        join(this.at, 'agent.sock'),
        '--state',
        join(this.at, 'state'),
        '--folder',
        this.folder,
        '--ready-file',
        ready,
        '--rehearsal-pace-ms',
        String(PACE_MS),
        '--default-agent',
        'parlance',
        ...this.flags,
      ],
      {
        cwd: this.folder,
        env: { ...environment, HOME: this.at, XDG_CONFIG_HOME: join(this.at, 'config') },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        this.printed += text;
      });
    this.child.on('error', (error) => {
      this.printed += error;
    });
    await eventually(() => {
      if (this.child.exitCode !== null || this.child.pid === undefined)
        throw new Error(`${program} up ended:\n${this.printed}`);
      return existsSync(ready);
    }, 'parlance up is ready');
    const told = JSON.parse(await readFile(ready, 'utf8'));
    this.url = told.url;
    this.token = told.token;
    this.origin = new URL(told.url).origin;
  }

  /** Process ids of every start of a service, the latest last, from the output of `up`. */
  pids(service) {
    return [...this.printed.matchAll(new RegExp(`^ +${service} +ready .*\\(process (\\d+)\\)`, 'gm'))].map((match) =>
      Number(match[1]),
    );
  }

  /** Simulates a kill by the kernel. Resolves once `up` has noticed and a new process is ready. */
  async kill(service) {
    const before = this.pids(service);
    process.kill(before.at(-1), 'SIGKILL');
    await eventually(() => this.pids(service).length > before.length, `${service} is started again`);
  }

  /** Stops everything, in order (SIGTERM) or not at all in order (SIGKILL). */
  async end(signal = 'SIGTERM') {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => {
      this.child.once('exit', resolve);
    });
    this.child.kill(signal);
    const hanging = setTimeout(() => this.child.kill('SIGKILL'), ENDING_MS);
    await ended;
    clearTimeout(hanging);
  }

  async clean() {
    await this.end();
    await rm(this.at, { recursive: true, force: true });
  }
}
