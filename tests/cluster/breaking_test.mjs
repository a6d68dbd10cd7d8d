// SPDX-License-Identifier: Apache-2.0
// A gateway, and its connections to the database, are broken in every way while people work; the other gateway goes on, and the log is right.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pause, until } from '../../scripts/cluster/child.mjs';
import { answerTo, Cluster, openAsks, surely } from './cluster.mjs';
import { expectHeard, expectPrompts, expectWholeLogs, pageFold, quiet } from './oracle.mjs';
import { Person } from './person.mjs';
import { Proxy } from './proxy.mjs';

const lease = 2;
const conversations = 6;
const beforeMs = 700;
const afterMs = 500;
const mostMs = 20_000;

const cluster = new Cluster();
let database;
let proxy;
let first; // the gateway to break, behind the proxy
let second;
let people = [];
let fold;

before(async () => {
  database = await cluster.database();
  proxy = await Proxy.start(database.port);
  [first, second] = await Promise.all([
    cluster.machine(database.address('postgres', proxy.port), { lease }),
    cluster.machine(database.address(), { lease }),
  ]);
  for (const machine of [first, second]) for (let i = 0; i < 3; ++i) await cluster.page(machine.base);
  fold = await pageFold();
});
after(async () => {
  const left = await cluster.end();
  proxy.close();
  assert.deepEqual(left, [], 'no child is left');
});

/** Conversations of the first gateway, each with pages at both; people work in them during `what`. */
function breaking(name, what) {
  test(name, { timeout: 5 * mostMs }, async () => {
    const calls = cluster.at(`work/calls-${proxy.done}-${people.length}.txt`);
    await until(async () => (await first.amongOthers())?.hub, 'the first gateway');
    const hub = (await first.amongOthers()).hub;
    people = [];
    for (let i = 0; i < conversations; ++i) {
      const here = cluster.pages[i % 3];
      const there = cluster.pages[3 + (i % 3)];
      const id = await surely(() => cluster.conversation(here));
      await until(() => there.conversations.has(id), 'the conversation at the other gateway');
      await surely(() => there.follow(id));
      people.push(new Person(id, [here, there], calls));
    }
    let enough = false;
    const working = Promise.all(people.map((one) => one.work(() => enough)));
    await pause(beforeMs);
    const said = people.flatMap((one) => one.prompts).length;
    await what({ hub });
    await pause(afterMs);
    await until(() => people.flatMap((one) => one.prompts).length > said + conversations, 'people to go on', mostMs);
    enough = true;
    await working;
    await quiet(database, cluster.pages);
    const logs = await expectWholeLogs(database);
    for (const page of cluster.pages) expectHeard(page, logs, fold);
    const prompts = people.flatMap((one) => one.prompts);
    expectPrompts(prompts, logs);
    const ran = readFileSync(calls, 'utf8').trim().split('\n');
    assert.equal(ran.length, new Set(ran).size, 'no call ran twice');
    assert.ok(prompts.some(({ outcome }) => outcome === 'done'));
  });
}

/** Its conversations run elsewhere. (Idle conversations have no owner until their next use.) */
const untilTakenOver = (hub) =>
  until(
    async () =>
      (await database.sql(
        `SELECT dead AND NOT EXISTS (SELECT 1 FROM conversations WHERE owner = hubs.id AND turn <> '') FROM hubs WHERE id = '${hub}'`,
      )) === 't',
    'another owner for what it ran',
    mostMs,
  );

/** A command that an agent runs at the first gateway until killed: its process. */
async function endlessCommand() {
  const [page] = cluster.pages;
  const id = await surely(() => cluster.conversation(page));
  await page.request('prompt', { conversation: id, text: 'run sleep 98765' });
  const [ask] = await until(() => openAsks(page, id).length > 0 && openAsks(page, id), 'the ask');
  await page.request('answer', answerTo(ask, 'allow_once'));
  const sleeps = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === 'sleep\0' + '98765\0';
    } catch {
      return false;
    }
  };
  const pid = await until(() => cluster.marked().find(sleeps), 'the command');
  return { lives: () => sleeps(pid) };
}

breaking('a gateway is stopped like a job, taken over, and woken', async ({ hub }) => {
  const command = await endlessCommand();
  const pid = first.pid();
  process.kill(pid, 'SIGSTOP');
  try {
    await untilTakenOver(hub);
    assert.equal(command.lives(), false, 'what it ran has ended before another has the conversation');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until(
    () => first.pid() !== 0 && first.pid() !== pid,
    'the end of the one that slept, and another in its place',
  );
});

breaking('a gateway is killed', async ({ hub }) => {
  process.kill(first.pid(), 'SIGKILL');
  await untilTakenOver(hub);
});

breaking('a gateway is ended in good order', async ({ hub }) => {
  process.kill(first.pid(), 'SIGTERM');
  await untilTakenOver(hub);
});

breaking('its processes at the server are terminated', async () => {
  const name = "pid <> pg_backend_pid() AND application_name LIKE 'parlance%'";
  for (let i = 0; i < 8; ++i) {
    await database.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${name}`);
    await pause(150);
  }
});

breaking('replies to commits are lost', async () => {
  const beforeIt = proxy.done;
  proxy.lose = 20;
  await until(() => proxy.done >= beforeIt + 10, 'ten lost replies');
  proxy.lose = 0;
});

breaking('connections are reset at random', async () => {
  for (let i = 0; i < 10; ++i) {
    await pause(Math.random() * 200);
    proxy.reset();
  }
});

breaking('the network is silent, with every connection open, for longer than the lease', async ({ hub }) => {
  const silence = proxy.silent(2500);
  await untilTakenOver(hub);
  await silence;
});
