// SPDX-License-Identifier: Apache-2.0
// The common part of all tests with several gateways: a folder, a database, machines, pages, and the end of all processes, including killed
// ones.
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause, until } from '../../scripts/cluster/child.mjs';
import { HaProxy } from '../../scripts/cluster/haproxy.mjs';
import { Machine } from '../../scripts/cluster/machine.mjs';
import { Postgres } from '../../scripts/cluster/postgres.mjs';
import { NotDone, Page } from './page.mjs';

export const program =
  process.env.PARLANCE_BIN ?? fileURLToPath(new URL('../../build/release/bin/parlance', import.meta.url));
const skewedClock = process.env.CLUSTER_SKEWED_CLOCK ?? join(program, '../libskewed_clock.so');
const skipped = 77; // ctest counts this exit code as skipped
const token = 'the-token-of-this-test-is-long-enough';
const mark = 'CLUSTER_TEST_MARK';

/** The wall clock of a machine, some seconds ahead of the real clock. */
class SkewedClock {
  static missing() {
    return existsSync(skewedClock) ? '' : `there is no ${skewedClock}: build the target skewed_clock`;
  }
  constructor(file, seconds) {
    writeFileSync(file, this.bytes(seconds));
    this.file = file;
  }
  bytes(seconds) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    return bytes;
  }
  /** In place: the programs have the file mapped. */
  jump(seconds) {
    const file = openSync(this.file, 'r+');
    writeSync(file, this.bytes(seconds), 0, 8, 0);
    closeSync(file);
  }
  get environment() {
    return { LD_PRELOAD: skewedClock, TEST_CLOCK_FILE: this.file };
  }
}
export const skewIsMissing = () => SkewedClock.missing();

/**
 * First statement of a test: without another vendor's server the test is skipped with a reason; with the demand for a complete run,
 * this is an error.
 */
export function needs(...missing) {
  const why = missing.filter((one) => one).join('; ');
  if (!why) return;
  console.log(`Skipped: ${why}`);
  process.exit(process.env.CI ? 1 : skipped);
}
needs(Postgres.missing());

export class Cluster {
  constructor() {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'parlance-cluster-test-')));
    chmodSync(this.folder, 0o711); // the database's account passes through
    this.work = join(this.folder, 'work');
    mkdirSync(this.work);
    this.machines = [];
    this.pages = [];
    this.others = []; // children
    this.names = 0;
  }
  at(name) {
    return join(this.folder, name);
  }

  async database(settings) {
    const one = await Postgres.start(this.at(`database${++this.names}`), settings);
    this.others.push(one);
    return one;
  }
  async standbyOf(primary, port) {
    const one = await Postgres.standbyOf(primary, this.at(`database${++this.names}`), port);
    this.others.push(one);
    return one;
  }
  /** `aheadS`: the difference of its wall clock to the real clock. */
  async machine(store, { lease = 2, flags = [], aheadS = 0 } = {}) {
    const clock = aheadS === 0 ? undefined : new SkewedClock(this.at(`clock${this.names + 1}`), aheadS);
    const one = await Machine.start({
      program,
      folder: this.at(`machine${++this.names}`),
      store,
      token,
      work: this.work,
      lease,
      flags: ['--rehearsal-pace-ms', '5', ...flags],
      env: { [mark]: this.folder, PARLANCE_DUMPABLE: '1', ...clock?.environment },
    });
    one.clock = clock;
    this.machines.push(one);
    return one;
  }
  async haproxy(tls = '') {
    const one = await HaProxy.start(
      this.folder,
      this.machines.map(({ port }) => port),
      { tls },
    );
    this.others.push(one);
    return one;
  }
  async page(base) {
    const page = new Page(base, token);
    this.pages.push(page);
    await until(() => page.ready, 'the snapshot of a page');
    return page;
  }
  async conversation(page) {
    const { conversation } = await page.request('new', { agent: 'parlance', folder: this.work });
    await page.follow(conversation.id);
    return conversation.id;
  }
  get headers() {
    return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  }
  get token() {
    return token;
  }

  /** Our processes and their descendants, found by the mark in their environment, regardless of their parent. */
  marked() {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${mark}=${this.folder}\0`);
        } catch {
          return false;
        }
      })
      .map(Number);
  }
  async end() {
    for (const page of this.pages) page.close();
    await Promise.all(this.machines.map((one) => one.child.stop()));
    const left = await until(() => this.marked().length === 0, 'the end of all children', 20_000).then(
      () => [],
      () => this.marked(),
    );
    for (const one of this.others) await one.child.stop(one instanceof Postgres ? 'SIGQUIT' : 'SIGTERM');
    for (const pid of left)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        /* already ended */
      }
    rmSync(this.folder, { recursive: true, force: true });
    return left;
  }
}

/** Repeats an action over broken connections until confirmed; for repeatable actions. */
export async function surely(what) {
  for (;;) {
    try {
      return await what();
    } catch (error) {
      if (
        !(error instanceof NotDone) ||
        !(error.cut || error.code === 'disconnected' || error.code === 'deadline_exceeded')
      )
        throw error;
      await pause(50);
    }
  }
}
export const count = (events, kind) => events.filter((event) => event.kind === kind).length;
export const openAsks = (page, id) =>
  [...page.asks.values()].filter((ask) => ask.conversation === id && ask.state === 'open');
export function answerTo(ask, kind) {
  const option = ask.options.find((one) => one.kind === kind);
  return { ask: ask.id, digest: ask.digest, option: option.id };
}
