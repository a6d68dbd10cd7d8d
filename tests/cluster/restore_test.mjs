// SPDX-License-Identifier: Apache-2.0
// A backup that is taken while gateways work, restored beside them, and adopted: conversations go on there, and those of the original do as before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputOf, plainEnvironment, until } from '../../scripts/cluster/child.mjs';
import { Cluster, openAsks, answerTo, program } from './cluster.mjs';
import { expectHeard, expectWholeLogs, pageFold, quiet } from './oracle.mjs';

const adopt = (address, ...flags) =>
  outputOf([program, 'store', 'adopt', ...flags], { env: plainEnvironment({ PARLANCE_STORE: address }) });
const refusedStart = (cluster, address) =>
  outputOf([program, 'gateway', '--listen', '127.0.0.1:0', '--state', cluster.at('old')], {
    env: plainEnvironment({ HOME: cluster.folder, PARLANCE_STORE: address }),
  }).catch((error) => error.message);
const turns = (page, id) => page.events(id).filter(({ kind }) => kind === 'turn_end').length;

test('a restored database is adopted, and runs beside the original', { timeout: 120_000 }, async () => {
  const cluster = new Cluster();
  try {
    const [original, restored] = [await cluster.database(), await cluster.database()];
    const old = await cluster.machine(original.address());
    const page = await cluster.page(old.base);
    const id = await cluster.conversation(page);
    await page.request('prompt', { conversation: id, text: 'help' });
    await until(() => turns(page, id) === 1, 'the end of the turn');
    await page.request('prompt', { conversation: id, text: 'write notes.txt hello' }); // a turn that waits for a person meanwhile
    await until(() => openAsks(page, id).length > 0, 'the ask');

    const dump = await outputOf(['pg_dump', '--no-owner', original.address()]);
    assert.match(await adopt(restored.address()).catch((error) => error.message), /restore the backup first/);
    await restored.sql(dump);
    assert.match(
      await adopt(original.address()).catch((error) => error.message),
      /gateways work with this database \(hub_[^)]*\): stop them first/,
    );
    assert.match(
      await adopt(restored.address()),
      /Adopted 1 conversations: 1 had an owner, 1 earlier gateways are dead now/,
    );

    const fresh = await cluster.machine(restored.address());
    const later = await cluster.page(fresh.base);
    await later.follow(id);
    const [ask] = await until(() => openAsks(later, id).length > 0 && openAsks(later, id), 'the ask of the copy');
    await later.request('answer', answerTo(ask, 'reject_once'));
    await until(() => turns(later, id) === 2, 'the end of the turn of the copy');
    await later.request('prompt', { conversation: id, text: 'say that it goes on' });
    await until(() => turns(later, id) === 3, 'the next turn of the copy');
    assert.equal(turns(page, id), 1, 'the original is as it was');
    const [waits] = openAsks(page, id);
    await page.request('answer', answerTo(waits, 'allow_once'));
    await until(() => turns(page, id) === 2, 'the end of the turn of the original');

    assert.match(await adopt(restored.address(), '--force'), /Adopted 1 conversations/);
    await until(
      () => /took this one for dead[^]*exit code 75/.test(fresh.child.said),
      'the gateway to hear that it has nothing any more',
    );
    const fold = await pageFold();
    for (const [database, one] of [
      [original, page],
      [restored, later],
    ]) {
      await quiet(database, [one]);
      expectHeard(one, await expectWholeLogs(database), fold);
    }
    await restored.sql('UPDATE schema SET version = 99, least_reader = 98');
    assert.match(
      await refusedStart(cluster, restored.address()),
      /a newer parlance made this database \(schema 99, read from 98 on; this program knows \d+\): use that version/,
    );
    assert.deepEqual(await cluster.end(), [], 'no child is left');
  } finally {
    await cluster.end();
  }
});
