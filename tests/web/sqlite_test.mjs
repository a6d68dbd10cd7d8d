// SPDX-License-Identifier: Apache-2.0
// Databases on the page, with the program itself: named by a path or chosen from a list, paged, sorted, filtered, edited with a preview and
// taken back; what another program writes is seen, its write-ahead log included.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { closeBrowser, eventually, NOTHING, shot, withPageAt } from './page.mjs';
import { Parlance, program } from './parlance.mjs';

let parlance;
let other; // the other program
const at = (name) => join(parlance.folder, name);

/** Another program that has databases open: it writes, and does not end. */
class Other {
  #waiting = new Map();
  constructor() {
    this.child = spawn(program, ['sqlite', '--log-level', 'error'], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line);
      this.#waiting.get(answer.id)(answer);
    });
  }
  async #ask(cmd, payload) {
    const id = `${this.#waiting.size}`;
    const answer = new Promise((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.child.stdin.write(`${JSON.stringify({ v: 1, id, cmd, payload })}\n`);
    const told = await answer;
    assert.equal(told.status, 'ok', JSON.stringify(told));
    return told.data;
  }
  make(path) {
    return this.#ask('connect', { path, create: true });
  }
  run(path, sql) {
    return this.#ask('execute', { path, sql });
  }
  async one(path, sql) {
    return Object.values((await this.#ask('query', { path, sql })).rows[0])[0];
  }
  end() {
    this.child.stdin.end();
  }
}

before(async () => {
  parlance = await Parlance.start();
  other = new Other();
  await mkdir(at('data'));
  await other.make(at('data/shop.db'));
  await other.run(at('data/shop.db'), 'PRAGMA journal_mode=WAL');
  await other.run(
    at('data/shop.db'),
    `CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, big INT, photo BLOB);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<1000) INSERT INTO customers SELECT i, 'customer '||i, CASE WHEN i%3=0 THEN '' END, 9007199254740992+i, CASE i WHEN 2 THEN zeroblob(12595) END FROM c;
    CREATE VIEW named AS SELECT name FROM customers; CREATE TABLE empty(x)`,
  );
  await writeFile(at('data/letter.db'), 'Dear Ada,\nthis is no database at all.\n');
});
after(async () => {
  await closeBrowser();
  other?.end();
  await parlance?.clean();
});

const onPage = (work, options) => withPageAt(parlance.url, work, { forgive: NOTHING, ...options });
const grid = (page) => page.locator('.viewer .table .grid');
const rows = (page) => grid(page).locator('.rows .row');
const first = (page) =>
  rows(page)
    .first()
    .innerText()
    .then((text) => text.split(/\s*\n\s*/).slice(0, 3));
const alert = (page) => page.getByRole('main').getByRole('alert');

async function open(page, path) {
  const field = page.getByRole('textbox', { name: 'Path of the database' });
  if (!(await field.isVisible())) await page.getByRole('button', { name: 'Databases', exact: true }).click();
  await field.fill(path);
  await field.press('Enter');
}
/** Our helpers that run: children of the gateway. */
const helpers = () =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(
          `sqlite\0--log-level\0warn\0--allowed-dir\0${at('data')}`,
        );
      } catch {
        return false;
      }
    });

test('a database is opened by its path, and its rows are paged, sorted and filtered', () =>
  onPage(async (page) => {
    await open(page, at('data/shop.db'));
    await rows(page).first().waitFor();
    assert.deepEqual(await first(page), ['1', '1', 'customer 1']);
    assert.ok((await rows(page).count()) < 100, 'only what is seen is drawn');
    assert.equal(await page.locator('.viewer .null').first().innerText(), 'NULL');
    await page.getByText('9007199254740993', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'BLOB 12.3 KB' }).waitFor();
    await shot(page, 'sqlite');

    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await page.getByText('1,000 in all').waitFor();
    await grid(page).evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await page.getByText('400+ rows').waitFor();
    await page.getByRole('button', { name: 'name', exact: true }).click();
    await page.getByRole('button', { name: 'name, ascending' }).click();
    await eventually(async () => (await first(page))[2] === 'customer 999', 'sorted downwards');
    await page.getByRole('textbox', { name: 'Filter id' }).fill('<=20');
    await page.getByText('20 rows').waitFor();
    assert.equal((await first(page))[2], 'customer 9');

    await page.getByRole('button', { name: 'BLOB 12.3 KB' }).dblclick();
    await page.getByText('00000000  00 00 00').waitFor();
    await page.getByRole('button', { name: 'SQL', exact: true }).click();
    await page.getByRole('textbox', { name: 'SQL' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('SELECT count(*) AS n FROM named');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^1 row, [\d.]+ ms/).waitFor();
    await page.getByRole('textbox', { name: 'SQL' }).fill('SELECT nope FROM named');
    await page.keyboard.press('Control+Enter');
    await page.getByText('no such column: nope').waitFor();
    await page.getByRole('textbox', { name: 'SQL' }).fill('DELETE FROM customers');
    await page.keyboard.press('Control+Enter');
    await page.getByText('open for reading only. Switch “Edit” on').waitFor();
  }));

test('changes by another program appear, even in the write-ahead log', () =>
  onPage(async (page) => {
    await open(page, at('data/shop.db'));
    await page.getByRole('textbox', { name: 'Filter name' }).fill('=somebody new');
    await page.getByText('0 rows').waitFor();
    await other.run(at('data/shop.db'), "INSERT INTO customers(name) VALUES('somebody new')");
    assert.ok((await readFile(at('data/shop.db-wal'))).includes('somebody new'), 'it is in the log');
    assert.ok(!(await readFile(at('data/shop.db'))).includes('somebody new'), 'and not in the file');
    await page.getByText('1 row', { exact: true }).waitFor();
    await other.run(at('data/shop.db'), "DELETE FROM customers WHERE name='somebody new'");
    await page.getByText('0 rows').waitFor();
  }));

test('an edit is collected, shown, undone, redone, written after a question, and taken back', () =>
  onPage(async (page) => {
    await page.goto(`${parlance.origin}/#sqlite=${encodeURIComponent(at('data/shop.db'))}`);
    await rows(page).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add row' }).count(), 0, 'it is read only at first');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add row' }).waitFor();
    await page.getByText('customer 1', { exact: true }).dblclick();
    await page.getByRole('textbox', { name: 'New value' }).fill("Ada's");
    await page.keyboard.press('Enter');
    const waits = page.getByRole('region', { name: 'Unsaved edits' });
    await waits.getByText(`UPDATE`).waitFor();
    await waits.getByRole('button', { name: 'Undo' }).click();
    await waits.waitFor({ state: 'detached' });
    await page.getByText('customer 1', { exact: true }).dblclick();
    await page.getByRole('textbox', { name: 'New value' }).fill("Ada's");
    await page.keyboard.press('Enter');
    await shot(page, 'sqlite-edit');
    assert.equal(
      await other.one(at('data/shop.db'), 'SELECT name FROM customers WHERE id=1'),
      'customer 1',
      'nothing is written yet',
    );
    await page.getByRole('button', { name: 'Review and save' }).click();
    const question = page.getByRole('dialog', { name: 'Write to shop.db?' });
    await question.getByText('customers: 1 updated').waitFor();
    await shot(page, 'sqlite-question');
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await other.one(at('data/shop.db'), 'SELECT name FROM customers WHERE id=1'), 'customer 1');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await question.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('button', { name: 'Undo last write' }).waitFor();
    assert.equal(await other.one(at('data/shop.db'), 'SELECT name FROM customers WHERE id=1'), "Ada's");
    assert.equal((await first(page))[2], "Ada's");
    await page.getByRole('button', { name: 'Undo last write' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click();
    await eventually(async () => (await first(page))[2] === 'customer 1', 'taken back');
    assert.equal(await other.one(at('data/shop.db'), 'SELECT name FROM customers WHERE id=1'), 'customer 1');

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add row' }).waitFor({ state: 'detached' });
  }));

test('a failed opening names the reason and the remedy', () =>
  onPage(async (page) => {
    for (const [path, why] of [
      ['', 'Write the path'],
      ['shop.db', 'full path, beginning with /'],
      [at('nowhere.db'), 'no file'],
      [at('data'), 'name the database file'],
      [at('data/letter.db'), 'is not an SQLite database, or is encrypted'],
      ['/proc/self/mem', 'not a file on a disk'],
    ]) {
      await open(page, path);
      await alert(page).filter({ hasText: why }).waitFor();
      const again = page.getByRole('button', { name: 'Another database' });
      if (await again.isVisible()) await again.click();
    }
  }));

test('offered databases are in folders of conversations or were opened before; the helper ends with its connection', () =>
  onPage(async (page) => {
    const made = await fetch(`${parlance.origin}/databases`, {
      headers: { authorization: `Bearer ${parlance.token}` },
    });
    assert.deepEqual(await made.json(), { databases: [] }, 'there is no conversation yet');
    await page.getByRole('textbox', { name: 'Message' }).fill('hello');
    await page.keyboard.press('Enter');
    await page.locator('.answer').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to or do' }).fill('databases');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: 'In folders of your conversations' })
      .getByRole('button', { name: at('data/shop.db') })
      .click();
    await rows(page).first().waitFor();
    assert.equal(new URL(page.url()).hash, `#sqlite=${encodeURIComponent(at('data/shop.db'))}`);
    assert.equal(helpers().length, 1);
    await page.getByRole('button', { name: 'Another database' }).click();
    await page
      .getByRole('region', { name: 'Opened here before' })
      .getByRole('button', { name: at('data/shop.db'), exact: true })
      .waitFor();
    await shot(page, 'databases');
    await eventually(() => helpers().length === 0, 'it has ended');
    await page.getByRole('button', { name: `Take ${at('data/shop.db')} off this list` }).click();
    await page.getByRole('region', { name: 'Opened here before' }).waitFor({ state: 'detached' });
  }));

test('a killed helper is reported, and another try starts a new helper', () =>
  onPage(async (page) => {
    await open(page, at('data/shop.db'));
    await rows(page).first().waitFor();
    process.kill(Number(helpers()[0]), 'SIGKILL');
    await eventually(() => helpers().length === 0, 'it is gone');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await eventually(async () => helpers().length === 1 && (await rows(page).count()) > 0, 'there is another');
  }));

test('in Chinese, and at 280 px', () =>
  onPage(
    async (page) => {
      await page.evaluate(() => localStorage.setItem('parlance.preferences', '{"language":"zh"}'));
      await page.goto(`${parlance.origin}/#sqlite=${encodeURIComponent(at('data/shop.db'))}`);
      await page.reload();
      await rows(page).first().waitFor();
      await page.getByText('200+').waitFor();
      await shot(page, 'sqlite-zh');
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    },
    { settings: { viewport: { width: 280, height: 600 } } },
  ));
