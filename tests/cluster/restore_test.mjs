// SPDX-License-Identifier: Apache-2.0
// A backup that is taken while gateways work, restored beside them, and adopted: conversations go on there, and those of the original do as before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { output_of, plain_environment, until } from '../../scripts/cluster/child.mjs';
import { Cluster, open_asks, answer_to, program } from './cluster.mjs';
import { expect_heard, expect_whole_logs, page_fold, quiet } from './oracle.mjs';

const adopt = (address, ...flags) => output_of([program, 'store', 'adopt', ...flags], { env: plain_environment({ PARLANCE_STORE: address }) });
const turns = (page, id) => page.events(id).filter(({ kind }) => kind === 'turn_end').length;

test('a restored database is adopted, and runs beside the original', { timeout: 120_000 }, async () => {
  const cluster = new Cluster();
  try {
    const original = await cluster.database();
    const restored = await cluster.database();
    const old = await cluster.machine(original.address());
    const page = await cluster.page(old.base);
    const id = await cluster.conversation(page);
    await page.request('prompt', { conversation: id, text: 'help' });
    await until(() => turns(page, id) === 1, 'the end of the turn');
    await page.request('prompt', { conversation: id, text: 'write notes.txt hello' }); // a turn that waits for a person meanwhile
    await until(() => open_asks(page, id).length > 0, 'the ask');

    const dump = await output_of(['pg_dump', '--no-owner', original.address()]);
    assert.match(await adopt(restored.address()).catch((error) => error.message), /restore the backup first/);
    await restored.sql(dump);
    assert.match(await adopt(original.address()).catch((error) => error.message), /gateways work with this database \(hub_[^)]*\): stop them first/);
    assert.match(await adopt(restored.address()), /Adopted 1 conversations: 1 had an owner, 1 earlier gateways are dead now/);

    const fresh = await cluster.machine(restored.address());
    const later = await cluster.page(fresh.base);
    await later.follow(id);
    const [ask] = await until(() => open_asks(later, id).length > 0 && open_asks(later, id), 'the ask of the copy');
    await later.request('answer', answer_to(ask, 'reject_once'));
    await until(() => turns(later, id) === 2, 'the end of the turn of the copy');
    await later.request('prompt', { conversation: id, text: 'say that it goes on' });
    await until(() => turns(later, id) === 3, 'the next turn of the copy');
    assert.equal(turns(page, id), 1, 'the original is as it was');
    const [waits] = open_asks(page, id);
    await page.request('answer', answer_to(waits, 'allow_once'));
    await until(() => turns(page, id) === 2, 'the end of the turn of the original');

    assert.match(await adopt(restored.address(), '--force'), /Adopted 1 conversations/);
    await until(() => /took this one for dead[^]*exit code 75/.test(fresh.child.said), 'the gateway to hear that it has nothing any more');
    const fold = await page_fold();
    for (const [database, one] of [[original, page], [restored, later]]) {
      await quiet(database, [one]);
      expect_heard(one, await expect_whole_logs(database), fold);
    }
    await restored.sql('UPDATE schema SET version = 99, least_reader = 98');
    const refused = await output_of([program, 'gateway', '--listen', '127.0.0.1:0', '--state', cluster.at('old')], { env: plain_environment({ HOME: cluster.folder, PARLANCE_STORE: restored.address() }) }).catch((error) => error.message);
    assert.match(refused, /a newer parlance made this database \(schema 99, read from 98 on; this program knows \d+\): use that version/);
    assert.deepEqual(await cluster.end(), [], 'no child is left');
  } finally {
    await cluster.end();
  }
});
