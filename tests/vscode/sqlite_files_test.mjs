// SPDX-License-Identifier: Apache-2.0
// Which files the SQLite viewer of a real VS Code opens, and what the settings of databases do.

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open } from './session.mjs';
import { eventually } from './workbench.mjs';

const programs = process.env.PARLANCE_BIN
  ? dirname(process.env.PARLANCE_BIN)
  : fileURLToPath(new URL('../../build/release/bin', import.meta.url));
const TEXT = 'käse\nand bread';
const table = (word) =>
  `CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, data BLOB); INSERT INTO t VALUES(1, 'of ${word}!', x'${Buffer.from(TEXT).toString('hex')}')`;
const ROWS = 500;
const LONG = `CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<${ROWS}) INSERT INTO t SELECT i, 'row '||i FROM c`;

let vs, ui, aside, asked;
before(async () => {
  // A helper of the person's own: it writes down what it is asked, and asks ours.
  aside = await mkdtemp(join(tmpdir(), 'parlance-helper-'));
  asked = join(aside, 'asked');
  const helper = join(aside, 'helper');
  await writeFile(helper, `#!/bin/sh\ntee -a '${asked}' | '${join(programs, 'sqlite-helper')}' "$@"\n`);
  await chmod(helper, 0o755);
  const databases = Object.fromEntries(
    ['db', 'sqlite', 'sqlite3', 'db3'].map((ending) => [`one.${ending}`, table(ending)]),
  );
  ({ vs, ui } = await open({
    files: { 'readme.md': '# x\n' },
    databases: { ...databases, 'long.db': LONG },
    settings: { 'parlance.sqlite.path': helper, 'parlance.sqlite.pageRows': 30 },
  }));
});
after(async () => {
  await ui?.close();
  await vs?.stop();
  await rm(aside, { recursive: true, force: true });
});
const limits = async (name) =>
  (await readFile(asked, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).payload)
    .filter((one) => one?.path?.endsWith(`/${name}`) && /FROM "t"/.test(one.sql))
    .map((one) => one.limit);

for (const ending of ['db', 'sqlite', 'sqlite3', 'db3']) {
  test(`a file that ends with .${ending} opens in the viewer`, async () => {
    await ui.openFile(`one.${ending}`);
    await ui.webview(`.viewer .cell:has-text("of ${ending}!")`);
  });
}

test('a blob is shown as text', async () => {
  const page = await ui.webview('.viewer .cell:has-text("of db3!")');
  await page.getByRole('button', { name: /^BLOB \d+ B$/ }).click();
  const panel = page.locator('.cell-panel');
  await panel.locator('.bytes', { hasText: /^00000000 {2}6b c3 a4 73 65 0a / }).waitFor();
  await panel.getByRole('button', { name: 'text', exact: true }).click();
  await panel.getByRole('button', { name: 'text', exact: true, pressed: true }).waitFor();
  assert.equal(await panel.locator('.bytes').textContent(), TEXT);
  await ui.shot('vscode-sqlite-text');
});

test('parlance.sqlite.path is the program that is asked, parlance.sqlite.pageRows how much at once, also when it changes', async () => {
  await ui.openFile('long.db');
  const page = await ui.webview('.viewer .cell:has-text("row 1")');
  await eventually(async () => (await limits('long.db')).length >= 2, 'pages are read until the view is full');
  assert.deepEqual([...new Set(await limits('long.db'))], [30]);
  await mkdir(join(vs.folder, '.vscode'));
  await writeFile(join(vs.folder, '.vscode/settings.json'), JSON.stringify({ 'parlance.sqlite.pageRows': 77 }));
  await eventually(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('.cell', { hasText: /^row 1$/ }).waitFor();
    return (await limits('long.db')).at(-1) === 77;
  }, 'it counts from now on');
  const last = async () => Number(/row (\d+)/.exec(await page.locator('.rows .row').last().innerText())?.[1]);
  await eventually(async () => {
    await page
      .locator('.grid')
      .first()
      .evaluate((e) => {
        e.scrollTop = e.scrollHeight;
      });
    return (await last()) >= 150;
  }, 'it reads on as one scrolls');
});
