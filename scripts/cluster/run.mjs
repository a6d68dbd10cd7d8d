// SPDX-License-Identifier: Apache-2.0
// ./run --cluster: all of docs/howto/team.md on this machine, to try it. PostgreSQL, three gateways, HAProxy; ends with Ctrl-C and leaves nothing.
//
// usage: node scripts/cluster/run.mjs PARLANCE [FLAGS of `parlance up`]
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HaProxy } from './haproxy.mjs';
import { Machine } from './machine.mjs';
import { Postgres } from './postgres.mjs';

const [program, ...flags] = process.argv.slice(2);
const gateways = 3;
const started = Date.now();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parlance-cluster-')));
chmodSync(folder, 0o711); // the database's account passes through
const running = []; // in the order of their starts
let ending;

const say = (text) => process.stdout.write(`${text}\n`);
const step = (what, detail) => say(`  ${what.padEnd(12)} ${detail}`);

/** The last first: gateways end before their database does. Once, whoever asks. */
function end(code) {
  ending ??= (async () => {
    say('Ends …');
    const machines = running.filter((one) => one instanceof Machine);
    for (const one of running.filter((other) => other instanceof HaProxy)) await one.child.stop();
    await Promise.all(machines.map((one) => one.child.stop()));
    for (const one of running.filter((other) => other instanceof Postgres)) await one.child.stop('SIGINT');
    rmSync(folder, { recursive: true, force: true });
    say('Ended; nothing is left.');
    process.exit(code);
  })();
  return ending;
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));

function lost(what, child) {
  child.end.then(({ code, killed }) => {
    if (ending) return;
    process.stderr.write(
      `parlance: ${what} ended (${killed ?? `exit code ${code}`}): ${child.said.trim().split('\n').slice(-3).join('\n')}\n`,
    );
    end(1);
  });
}

try {
  for (const why of [Postgres.missing(), HaProxy.missing()]) if (why) throw new Error(why);
  say(`A cluster on this machine, in ${folder}:`);
  const database = await Postgres.start(join(folder, 'database'));
  running.push(database);
  lost('PostgreSQL', database.child);
  step('database', `ready at 127.0.0.1:${database.port}`);
  const token = process.env.PARLANCE_TOKEN || randomBytes(24).toString('base64url');
  const work = join(folder, 'work');
  mkdirSync(work);
  const machines = await Promise.all(
    Array.from({ length: gateways }, async (_, i) => {
      const machine = await Machine.start({
        program,
        folder: join(folder, `gateway${i + 1}`),
        store: database.address(),
        token,
        work,
        flags,
      });
      running.push(machine);
      lost(`gateway ${i + 1}`, machine.child);
      step(`gateway ${i + 1}`, `ready on ${machine.base} (process ${machine.pid()})`);
      return machine;
    }),
  );
  const proxy = await HaProxy.start(
    folder,
    machines.map((one) => one.port),
  );
  running.push(proxy);
  lost('haproxy', proxy.child);
  step('haproxy', `ready on http://127.0.0.1:${proxy.port}, in front of all of them`);
  say(`\n  Open  http://127.0.0.1:${proxy.port}/#token=${token}\n`);
  say(
    `Ready after ${Math.round((Date.now() - started) / 1000)} s. To see one take over from another: kill -9 the process of a gateway. Ctrl-C ends all, and forgets it.`,
  );
} catch (error) {
  if (!ending) {
    process.stderr.write(`parlance: ${error.message}\n`);
    await end(1);
  }
}
