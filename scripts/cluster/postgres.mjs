// SPDX-License-Identifier: Apache-2.0
// A private PostgreSQL below a folder: on a free loopback port, with fsync on. The server refuses root; root runs it as the package's user.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asRoot, Child, freePort, outputOf, pause, until } from './child.mjs';

/** Debian has a folder for the programs of each version: the newest, or ''. */
function programsFolder(at = '/usr/lib/postgresql') {
  const versions = existsSync(at)
    ? readdirSync(at).filter((version) => existsSync(join(at, version, 'bin/initdb')))
    : [];
  return versions.length ? join(at, versions.sort((a, b) => b - a)[0], 'bin') : '';
}

export class Postgres {
  static missing() {
    return programsFolder() ? '' : 'there is no PostgreSQL server: apt-get install postgresql';
  }

  /** `folder`: created for the server. `settings`: of the server, name to value. */
  static async start(folder, settings = {}) {
    const one = new Postgres(folder, settings);
    await one.asServer(
      'initdb',
      '-D',
      one.data,
      '-U',
      'parlance',
      '--auth=trust',
      '--locale=C.UTF-8',
      '--encoding=UTF8',
    );
    await one.run();
    return one;
  }
  /** A standby from a copy of another server. `port`: port of the other server. */
  static async standbyOf(primary, folder, port = primary.port) {
    const one = new Postgres(folder, primary.settings);
    await one.asServer(
      'pg_basebackup',
      '-D',
      one.data,
      '-R',
      '--checkpoint=fast',
      '-d',
      `host=127.0.0.1 port=${port} user=parlance application_name=standby`,
    );
    await one.run();
    return one;
  }

  constructor(folder, settings) {
    this.data = join(folder, 'data');
    this.settings = settings;
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    mkdirSync(this.data, { mode: 0o700 });
    if (asRoot) execFileSync('chown', ['postgres:postgres', this.data]);
  }
  asServer(program, ...words) {
    return outputOf([join(programsFolder(), program), ...words], { user: 'postgres' });
  }

  async run() {
    this.port ??= await freePort();
    const settings = { listen_addresses: '127.0.0.1', max_connections: 200, shared_buffers: '32MB', ...this.settings };
    const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.child = new Child(
      [join(programsFolder(), 'postgres'), '-D', this.data, '-k', this.data, '-p', String(this.port), ...words],
      { user: 'postgres', signal: 'QUIT' },
    );
    await until(async () => {
      if (this.child.ended) throw new Error(`postgres ended: ${this.child.said}`);
      return this.sql('SELECT 1').catch(() => '');
    }, 'the database');
  }

  address(database = 'postgres', port = this.port) {
    return `postgresql://parlance@127.0.0.1:${port}/${database}`;
  }
  /** The result of a statement: rows as lines, columns separated by tabs. */
  async sql(text, database = 'postgres') {
    const out = await outputOf(
      ['psql', '-XqAt', '-F', '\t', '-v', 'ON_ERROR_STOP=1', this.address(database)],
      {},
      text,
    );
    return out.replace(/\n$/, '');
  }
  async rows(text, database) {
    const out = await this.sql(text, database);
    return out === '' ? [] : out.split('\n').map((line) => line.split('\t'));
  }

  /** Simulates a crash: no further writes. */
  async stopImmediately() {
    await this.child.stop('SIGQUIT');
  }
  async kill() {
    if (this.child.ended) return;
    if (!this.frozen) await this.signalAll('SIGKILL');
    for (const pid of this.frozen ?? [])
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        /* it has ended */
      }
    await this.child.end;
  }
  /** Simulates a lost machine: connections stay open, new connections succeed, and no data flows. */
  async freeze() {
    this.frozen = await this.signalAll('SIGSTOP');
  }
  async signalAll(signal) {
    const pids = [this.child.pid, ...(await this.rows('SELECT pid FROM pg_stat_activity')).map(([pid]) => Number(pid))];
    for (const pid of pids)
      try {
        process.kill(pid, signal);
      } catch {
        /* it has ended */
      }
    return pids;
  }
  async promote() {
    await this.sql('SELECT pg_promote()');
    while ((await this.sql('SELECT pg_is_in_recovery()')) === 't') await pause(20);
  }
}
