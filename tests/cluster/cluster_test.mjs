// SPDX-License-Identifier: Apache-2.0
// PostgreSQL, three machines, HAProxy and pages at work: pages prompt, answer and follow, and every ten seconds a gateway is killed.
//
//   CLUSTER_SECONDS=180 node tests/cluster/cluster_test.mjs      (default 30)
//   CLUSTER_SKEW_S=3600 …      the first machine's clock is an hour ahead, then in the second half an hour behind
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pause, until } from '../../scripts/cluster/child.mjs';
import { HaProxy } from '../../scripts/cluster/haproxy.mjs';
import { Cluster, count, needs, skewIsMissing, surely } from './cluster.mjs';
import { expectHeard, expectPrompts, expectWholeLogs, pageFold, quiet } from './oracle.mjs';
import { Person } from './person.mjs';
import { Watch } from './watch.mjs';

const seconds = Number(process.env.CLUSTER_SECONDS ?? 30);
const skewS = Number(process.env.CLUSTER_SKEW_S ?? 0);
needs(HaProxy.missing(), skewS !== 0 && skewIsMissing());
const betweenKillsMs = 10_000;
const lease = 2;
const conversations = 24;
const pages = 30;
const followed = 4; // conversations that each page has open

test(
  `nothing is lost, doubled or left behind in ${seconds} s of kills`,
  { timeout: (seconds + 240) * 1000 },
  async () => {
    const cluster = new Cluster();
    try {
      const database = await cluster.database();
      await Promise.all([skewS, 0, 0].map((aheadS) => cluster.machine(database.address(), { lease, aheadS })));
      const proxy = await cluster.haproxy();
      const base = `http://127.0.0.1:${proxy.port}`;
      await Promise.all(Array.from({ length: pages }, () => cluster.page(base)));
      const calls = cluster.at('work/calls.txt');
      const people = [];
      for (let i = 0; i < conversations; ++i) {
        const page = cluster.pages[i % pages];
        const id = await surely(() => cluster.conversation(page));
        const watchers = Array.from(
          { length: Math.ceil((followed * pages) / conversations) - 1 },
          (_, n) => cluster.pages[(i + 1 + n * 7) % pages],
        );
        for (const watcher of watchers) {
          await until(() => watcher.conversations.has(id), 'a conversation at every page');
          await surely(() => watcher.follow(id));
        }
        people.push(new Person(id, [page, ...watchers], calls));
      }
      const watch = await Watch.begin(database);
      const end = Date.now() + seconds * 1000;
      const enough = () => Date.now() > end;
      setTimeout(() => cluster.machines[0].clock?.jump(-skewS), seconds * 500).unref();
      const working = Promise.all(people.map((one) => one.work(enough)));
      let kills = 0;
      const killing = (async () => {
        while (Date.now() + betweenKillsMs < end) {
          await pause(betweenKillsMs);
          const machine = cluster.machines[kills % cluster.machines.length];
          const hub = await until(
            async () => (await machine.amongOthers())?.hub,
            'the name of the gateway that is to be killed',
          );
          watch.dies(hub);
          process.kill(machine.pid(), 'SIGKILL');
          kills += 1;
        }
      })();
      await Promise.all([working, killing]);

      await quiet(database, cluster.pages);
      const seen = await watch.end();

      const logs = await expectWholeLogs(database);
      const fold = await pageFold();
      for (const page of cluster.pages) expectHeard(page, logs, fold);
      const prompts = people.flatMap((one) => one.prompts);
      expectPrompts(prompts, logs);
      const ran = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
      assert.deepEqual(ran.length, new Set(ran).size, 'no call ran twice');
      assert.deepEqual(seen.faults, []);
      for (const ms of seen.takeovers)
        assert.ok(ms <= 1.5 * lease * 1000, `a takeover took ${ms} ms, more than one and a half leases`);
      const left = await cluster.end();
      assert.deepEqual(left, [], 'no child is left');

      console.log(report(kills, people, ran, logs, cluster, seen));
      assert.ok(kills === 0 || seen.takeovers.length > 0, 'no takeover was seen');
    } finally {
      await cluster.end();
    }
  },
);

function report(kills, people, ran, logs, cluster, seen) {
  const prompts = people.flatMap((one) => one.prompts);
  const outcomes = prompts.reduce((all, { outcome }) => ({ ...all, [outcome]: (all[outcome] ?? 0) + 1 }), {});
  const all = [...logs.values()].flat();
  return (
    `# ${kills} kills; ${prompts.length} prompts ${JSON.stringify(outcomes)}; ${ran.length} calls; ${all.length} events; ` +
    `${count(all, 'turn_end')} turns, ${count(all, 'error')} interrupted; ${cluster.pages.reduce((sum, page) => sum + page.reconnects, 0)} reconnects of pages; ` +
    `${seen.takeovers.length} takeovers, ms: ${spread(seen.takeovers)}; longest prompt ${Math.max(...people.map((one) => one.longestMs))} ms`
  );
}

function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length ? `${sorted[0]} to ${sorted.at(-1)}, median ${sorted[sorted.length >> 1]}` : 'none';
}
