// SPDX-License-Identifier: Apache-2.0
// The database itself breaks while people work: crashes and returns, loses a process, is replaced by its standby.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../scripts/cluster/child.mjs';
import { Cluster, surely } from './cluster.mjs';
import { expectHeard, expectPrompts, expectWholeLogs, pageFold, quiet } from './oracle.mjs';
import { Person } from './person.mjs';
import { Proxy } from './proxy.mjs';

const lease = 6; // of which a gateway waits four seconds for its database
const conversations = 4;
const mostMs = 60_000;

/** People at two gateways with the database at `address`. */
async function atWork(cluster, address, mayLose = false) {
  const machines = await Promise.all([1, 2].map(() => cluster.machine(address, { lease })));
  const [here, there] = await Promise.all(machines.map((one) => cluster.page(one.base)));
  const people = [];
  for (let i = 0; i < conversations; ++i) {
    const [one, other] = i % 2 ? [here, there] : [there, here];
    const id = await surely(() => cluster.conversation(one));
    await until(() => other.conversations.has(id), 'the conversation at the other gateway');
    await surely(() => other.follow(id));
    people.push(Object.assign(new Person(id, [one, other], cluster.at('work/calls.txt')), { mayLose }));
  }
  let enough = false;
  const working = Promise.all(people.map((one) => one.work(() => enough)));
  const prompts = () => people.flatMap((one) => one.prompts);
  return {
    machines,
    people,
    prompts,
    done: () => prompts().filter(({ outcome }) => outcome === 'done').length,
    stop: () => {
      enough = true;
      return working;
    },
  };
}
async function goesOn(people) {
  const done = people.done();
  await until(() => people.done() >= done + conversations, 'people to go on');
}
async function expectAll(cluster, database, people) {
  await people.stop();
  await quiet(database, cluster.pages);
  const logs = await expectWholeLogs(database);
  const fold = await pageFold();
  for (const page of cluster.pages) expectHeard(page, logs, fold);
  expectPrompts(people.prompts(), logs);
}
function withCluster(name, body) {
  test(name, { timeout: 2 * mostMs }, async () => {
    const cluster = new Cluster();
    try {
      await body(cluster);
      assert.deepEqual(await cluster.end(), [], 'no child is left');
    } finally {
      await cluster.end();
    }
  });
}

withCluster('a server that crashes, or loses one of its processes, and comes back loses nothing', async (cluster) => {
  const database = await cluster.database();
  const people = await atWork(cluster, database.address());
  await goesOn(people);
  await database.stopImmediately();
  await database.run();
  await goesOn(people);
  const [[pid]] = await database.rows(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'parlance commits' LIMIT 1",
  );
  process.kill(Number(pid), 'SIGKILL'); // the server takes all other processes for damaged, and restarts
  await goesOn(people);
  await expectAll(cluster, database, people);
});

for (const [how, end] of [
  ['dies', 'kill'],
  ['is silent', 'freeze'],
])
  withCluster(`a primary that ${how}, with a synchronous standby promoted, loses nothing`, async (cluster) => {
    const primary = await cluster.database({ wal_level: 'replica' });
    const standby = await cluster.standbyOf(primary);
    await primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await primary.sql('SELECT pg_reload_conf()');
    await until(
      async () => (await primary.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")) === '1',
      'a synchronous standby',
    );
    const people = await atWork(
      cluster,
      `postgresql://parlance@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    );
    await goesOn(people);
    await primary[end]();
    await standby.promote();
    await standby.sql("ALTER SYSTEM SET synchronous_standby_names = ''");
    await standby.sql('SELECT pg_reload_conf()');
    await goesOn(people);
    await expectAll(cluster, standby, people);
    await primary.kill();
  });

// Acknowledged data is lost, and no program here can prevent this. The documentation warns, the loss is noticed, and the log stays
// consistent.
withCluster(
  'an asynchronous standby that was behind loses what it did not have, and this is noticed',
  async (cluster) => {
    const primary = await cluster.database();
    const between = await Proxy.start(primary.port);
    const standby = await cluster.standbyOf(primary, between.port);
    const people = await atWork(
      cluster,
      `postgresql://parlance@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
      true,
    );
    const [machine] = people.machines;
    const health = async () => (await fetch(`${machine.base}/health`, { headers: cluster.headers })).text();
    await until(async () => (await health()).includes('no standby is synchronous'), 'the warning');
    await goesOn(people);
    between.silent(mostMs); // from now on the standby receives no data
    await goesOn(people);
    await primary.kill();
    between.close();
    await standby.promote();
    const has = Number(await standby.sql('SELECT coalesce(sum(last_seq), 0) FROM conversations'));
    const heard = people.people.reduce(
      (sum, { id }) => sum + Math.max(...cluster.pages.map((page) => page.last(id))),
      0,
    );
    assert.ok(has < heard, `${heard} events were told and ${has} are there`);
    await until(
      () => people.machines.some((one) => one.child.said.includes('the database has lost what was acknowledged')),
      'the loss to be noticed',
      20_000,
    );
    await goesOn(people);
    await people.stop();
    await quiet(standby, cluster.pages);
    const logs = await expectWholeLogs(standby);
    const fold = await pageFold();
    for (const page of cluster.pages) expectHeard(page, logs, fold); // also pages with the lost events
  },
);
