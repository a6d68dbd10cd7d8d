// SPDX-License-Identifier: Apache-2.0
// node bench/followed.mjs [GATEWAYS] [CONVERSATIONS] [SECONDS]: measures gateways with idle followed conversations: 20 on one PostgreSQL
// with 10,000 conversations, for 30 s, at the default lease. Prints the processor time of each gateway and of the database, as a share of a
// processor. All processes share this machine. Needs build/release and PostgreSQL's server.

import { readFileSync, readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { pause, until } from '../scripts/cluster/child.mjs';
import { Cluster } from '../tests/cluster/cluster.mjs';

const [gateways = 20, conversations = 10_000, seconds = 30] = process.argv.slice(2).map(Number);
const mostPercent = 1;
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Of a process, user's and system's, in seconds. */
function spent(pid) {
  const [, , , , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, 'name')
    .split(' ');
  return (Number(user) + Number(system)) / ticks;
}
function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((one) => {
      try {
        return (
          readFileSync(`/proc/${one}/stat`, 'utf8')
            .replace(/\(.*\)/, 'name')
            .split(' ')[3] === String(pid)
        );
      } catch {
        return false;
      }
    });
}

const cluster = new Cluster();
const database = await cluster.database({ max_connections: String(50 + gateways * 10) });
const store = database.address();
const first = await cluster.machine(store, { lease: 15 });
const page = await cluster.page(first.base);
const made = await cluster.conversation(page);
await database.sql(`INSERT INTO conversations(id, turn, native_session, native_how, updated_at, user_id, access, body)
  SELECT 'conv_' || n, turn, native_session, native_how, updated_at, user_id, access, replace(body, id, 'conv_' || n)
  FROM conversations, generate_series(2, ${conversations}) AS n WHERE id = '${made}'; ANALYZE`);
const machines = [first];
while (machines.length < gateways) machines.push(await cluster.machine(store, { lease: 15 }));
for (const one of machines)
  await until(async () => (await one.amongOthers())?.followed >= conversations - 1, 'all are followed', 60_000);
await pause(5_000);

const pids = machines.map((one) => one.pid());
const helpers = childrenOf(database.child.pid);
const before = pids.map(spent);
const beforeDatabase = helpers.map(spent);
await pause(seconds * 1000);
const percents = pids.map((pid, at) => ((spent(pid) - before[at]) / seconds) * 100).sort((a, b) => a - b);
const ofDatabase = (helpers.reduce((sum, pid, at) => sum + spent(pid) - beforeDatabase[at], 0) / seconds) * 100;
const median = percents[Math.floor(percents.length / 2)];
console.log(
  `${gateways} gateways follow ${conversations} conversations, ${seconds} s: each ${median.toFixed(2)} % of a processor, at most ${percents.at(-1).toFixed(2)} %` +
    ` (${mostPercent} % is allowed); the database for all of them ${ofDatabase.toFixed(1)} %`,
);
await cluster.end();
process.exitCode = percents.at(-1) <= mostPercent ? 0 : 1;
