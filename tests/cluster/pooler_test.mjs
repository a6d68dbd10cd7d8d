// SPDX-License-Identifier: Apache-2.0
// A real PgBouncer that shares connections between transactions: it is found out, said, and everything works all the same, by looking.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Child, freePort, until } from '../../scripts/cluster/child.mjs';
import { answerTo, Cluster, needs, openAsks, surely } from './cluster.mjs';
import { expectHeard, expectWholeLogs, pageFold, quiet } from './oracle.mjs';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
needs(program ? '' : 'there is no pgbouncer: apt-get install pgbouncer');

async function pooler(cluster, database) {
  const port = await freePort();
  const file = cluster.at('pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${database.port} user=parlance\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      'auth_type = any\npool_mode = transaction\ndefault_pool_size = 20\n',
  );
  const child = new Child([program, file], { user: 'postgres' }); // which refuses root
  cluster.others.push({ child });
  await until(() => {
    if (child.ended) throw new Error(`pgbouncer ended: ${child.said}`);
    return child.said.includes(`listening on 127.0.0.1:${port}`);
  }, 'pgbouncer');
  return database.address('postgres', port);
}

test('behind PgBouncer gateways say so, and serve one conversation together', { timeout: 90_000 }, async () => {
  const cluster = new Cluster();
  try {
    const database = await cluster.database();
    const address = await pooler(cluster, database);
    await Promise.all([1, 2].map(() => cluster.machine(address, { lease: 3 })));
    const [first, second] = cluster.machines;
    const health = async () => (await fetch(`${second.base}/health`, { headers: cluster.headers })).text();
    await until(async () => (await health()).includes('notifications do not arrive: a pooler'), 'the warning');
    await until(async () => (await second.amongOthers()).following === 'comparing', 'the second to look by itself');
    const here = await cluster.page(first.base);
    const there = await cluster.page(second.base);
    const id = await surely(() => cluster.conversation(here));
    await until(() => there.conversations.has(id), 'the conversation at the other gateway');
    await there.follow(id);
    await there.request('prompt', { conversation: id, text: 'write notes.txt hello' });
    const [ask] = await until(
      () => openAsks(there, id).length > 0 && openAsks(there, id),
      'the ask at the other gateway',
    );
    await there.request('answer', answerTo(ask, 'allow_once'));
    await until(() => there.events(id).some(({ kind }) => kind === 'turn_end'), 'the end of the turn');
    assert.ok(existsSync(cluster.at('work/notes.txt')));
    process.kill(first.pid(), 'SIGKILL');
    await surely(() => there.request('prompt', { conversation: id, text: 'help' }));
    await until(
      () => there.events(id).filter(({ kind }) => kind === 'turn_end').length === 2,
      'the end of the turn elsewhere',
    );
    await quiet(database, cluster.pages);
    const logs = await expectWholeLogs(database);
    const fold = await pageFold();
    for (const page of cluster.pages) expectHeard(page, logs, fold);
    assert.deepEqual(await cluster.end(), [], 'no child is left');
  } finally {
    await cluster.end();
  }
});
