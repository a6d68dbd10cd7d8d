// SPDX-License-Identifier: Apache-2.0
// Conditions for a quiet store, independent of the injected faults.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { until } from '../../scripts/cluster/child.mjs';
import { count } from './cluster.mjs';

const web = fileURLToPath(new URL('../../apps/web/', import.meta.url));

/** The real page's fold: from events to drawn items. */
export async function pageFold() {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-fold-'));
  try {
    const outfile = join(folder, 'transcript.mjs');
    createRequire(join(web, 'package.json'))('esbuild').buildSync({
      stdin: {
        contents: "export * from './transcript'; export * from './transcript_items';",
        resolveDir: join(web, 'src'),
      },
      bundle: true,
      format: 'esm',
      outfile,
    });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Until the last turns have ended and every page has heard so. */
export async function quiet(database, pages) {
  const none = (what, from) =>
    until(async () => (await database.sql(`SELECT count(*) FROM ${from}`)) === '0', what, 90_000);
  await none('the end of all turns', "conversations WHERE turn <> ''");
  await none('the outcome of all commands', 'commands WHERE outcome IS NULL');
  const ends = new Map(await database.rows('SELECT id, last_seq FROM conversations'));
  await until(
    () =>
      pages.every(
        (page) => page.ready && [...page.batches.keys()].every((id) => page.last(id) === Number(ends.get(id))),
      ),
    'every page to have heard all',
  );
}

/** The stored log of every conversation. */
export async function logsOf(database) {
  const logs = new Map();
  for (const [id] of await database.rows('SELECT id FROM conversations ORDER BY number')) logs.set(id, []);
  for (const [id, seq, body] of await database.rows(
    'SELECT c.id, e.seq, e.body FROM events e JOIN conversations c ON c.number = e.conversation ORDER BY c.number, e.seq',
  ))
    logs.get(id).push({ seq: Number(seq), ...JSON.parse(body) });
  return logs;
}

/** Numbers without a gap, in agreement with the row; every turn ended; every ask settled at most once; every call ended at most once. */
export async function expectWholeLogs(database) {
  const logs = await logsOf(database);
  for (const [id, lastSeq] of await database.rows('SELECT id, last_seq FROM conversations')) {
    const log = logs.get(id);
    assert.deepEqual(
      log.map(({ seq }) => seq),
      Array.from({ length: Number(lastSeq) }, (_, i) => i + 1),
      `${id}: numbers without a gap`,
    );
    assert.equal(count(log, 'turn_start'), count(log, 'turn_end'), `${id}: every turn ended`);
    for (const [kind, name] of [
      ['ask_settled', 'ask'],
      ['tool_end', 'call'],
      ['tool_start', 'call'],
    ]) {
      let turn = 0; // a scripted model restarts its call numbers after an interrupted turn
      const all = log.flatMap((event) => {
        if (event.kind === 'turn_start') ++turn;
        return event.kind === kind ? [`${turn} ${event[name]}`] : [];
      });
      assert.deepEqual(
        all.filter((one, i) => all.indexOf(one) !== i),
        [],
        `${id}: ${kind} once for each`,
      );
    }
  }
  assert.equal(
    await database.sql('SELECT count(*) FROM commands WHERE outcome IS NULL'),
    '0',
    'every command has its outcome',
  );
  return logs;
}

/**
 * The events received by a page, over all its connections, equal the log; and the page draws the same as a page that reads the log at
 * once.
 */
export function expectHeard(page, logs, fold) {
  assert.deepEqual(page.faults, []);
  for (const [id, batches] of page.batches) {
    assert.deepEqual(page.events(id), logs.get(id), `${id}: what a page heard is the log`);
    const drawn = (from) => from.reduce((state, events) => fold.apply(state, events).transcript, fold.empty);
    assert.deepEqual(shown(drawn(batches)), shown(drawn([logs.get(id)])), `${id}: what a page draws`);
  }
}
const shown = ({ items, turn, plan, asks, lastSeq }) => ({ items, turn, plan, asks, lastSeq });

/**
 * Prompts with different texts: acknowledged prompts are in the log once, refused prompts never, and prompts with an unknown outcome
 * at most once.
 */
export function expectPrompts(prompts, logs) {
  const written = new Map();
  for (const log of logs.values())
    for (const event of log)
      if (event.kind === 'user_message') written.set(event.text, (written.get(event.text) ?? 0) + 1);
  for (const { text, outcome } of prompts) {
    const times = written.get(text) ?? 0;
    if (outcome === 'done') assert.equal(times, 1, `acknowledged: ${text}`);
    else if (outcome === 'cut') assert.ok(times <= 1, `at most once: ${text}`);
    else assert.equal(times, 0, `refused (${outcome}): ${text}`);
  }
}
