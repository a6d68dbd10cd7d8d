// SPDX-License-Identifier: Apache-2.0
// The SQLite viewer in a real VS Code: opened from the explorer, paged, filtered, edited with preview and undo, while others write.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { onDisk, open } from './session.mjs';
import { eventually } from './workbench.mjs';

const ROWS = 200_000;
const fill = (n) => `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<${n})`;
const SQL = `PRAGMA journal_mode=WAL; CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, photo BLOB, big INTEGER, score REAL);
  ${fill(ROWS)} INSERT INTO people SELECT i, 'person '||i, CASE i%3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'a note' END, CASE WHEN i%7=0 THEN randomblob(12595) END, 9007199254740992+i, i/4.0 FROM c WHERE i<=20;
  ${fill(ROWS)} INSERT INTO people(id, name) SELECT i, 'person '||i FROM c WHERE i>20;
  CREATE TABLE tags(person INTEGER REFERENCES people(id), tag TEXT, PRIMARY KEY(person, tag)) WITHOUT ROWID; INSERT INTO tags VALUES(1,'a'),(1,'b');
  CREATE TABLE texts(id INTEGER PRIMARY KEY, long TEXT); INSERT INTO texts VALUES(1, printf('%.*c', 5000, 'x') || ' its end');
  CREATE TRIGGER kept AFTER DELETE ON tags BEGIN SELECT 1; END;
  CREATE INDEX by_name ON people(name); CREATE VIEW first AS SELECT id, name FROM people WHERE id <= 3;`;

let vs, ui, page, file;
const sqlite = (sql) => execFileSync('sqlite3', ['-cmd', '.timeout 10000', file, sql], { encoding: 'utf8' }).trim();
before(async () => {
  ({ vs, ui } = await open({ files: { 'readme.md': '# x\n' }, databases: { 'people.db': SQL } }));
  file = onDisk(vs, 'people.db');
});
after(async () => {
  await ui?.close();
  await vs?.stop();
});
const cell = (text) => page.locator('.cell', { hasText: text }).first();
const dialog = () => ui.page.locator('.monaco-dialog-box');

test('a database opens as a table: types, NULL beside the empty text, blobs unread, integers exact', async () => {
  await ui.openFile('people.db');
  page = await ui.webview('.viewer .grid');
  await cell('person 1').waitFor();
  await page.locator('.columnheader, [role=columnheader]', { hasText: 'REAL' }).first().waitFor();
  await page.getByRole('button', { name: 'BLOB 12.3 KB' }).first().waitFor();
  await cell('9007199254740993').waitFor();
  assert.ok((await page.locator('.null').count()) > 3);
  await ui.picture('sqlite');
  await ui.stepPicture('sqlite', { x: 348, y: 35, width: 1052, height: 600 });
});

test('only visible rows are in the document, and scrolling loads more', async () => {
  await page
    .locator('.grid')
    .first()
    .evaluate((e) => {
      e.scrollTop = e.scrollHeight;
    });
  await eventually(() => page.locator('.cell', { hasText: /^person 195$/ }).count(), 'the end of the first page');
  await eventually(async () => {
    await page
      .locator('.grid')
      .first()
      .evaluate((e) => {
        e.scrollTop = 700 * 24;
      });
    return page.locator('.cell', { hasText: /^person 700$/ }).count();
  }, 'pages come as one scrolls');
  assert.ok((await page.locator('.rows .row').count()) < 120);
  await page.getByRole('button', { name: 'Count' }).click();
  await page.getByRole('button', { name: '200,000 in all' }).waitFor();
});

test('sorted and filtered by the database', async () => {
  await page.getByRole('button', { name: /^id/ }).click();
  await page.getByRole('button', { name: /^id/ }).click();
  await cell('person 200000').waitFor();
  await page.getByRole('textbox', { name: 'Filter name' }).fill('person 1234');
  await cell('person 123499').waitFor();
  await page.getByRole('textbox', { name: 'Filter name' }).fill('');
  await page.getByRole('button', { name: /^id/ }).click();
  await cell('person 1').waitFor();
});

test('a cell is changed, shown as SQL, undone as in any editor, and written only after a confirmation', async () => {
  const name = page.locator('.cell', { hasText: /^person 2$/ });
  await name.dblclick();
  assert.equal(
    await page.getByRole('textbox', { name: 'New value' }).count(),
    0,
    'it is for reading until editing is switched on',
  );
  assert.equal(await page.getByRole('button', { name: 'Add row' }).count(), 0);
  await page.locator('.cell-panel').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true, pressed: true }).waitFor();
  await name.dblclick();
  await page.getByRole('textbox', { name: 'New value' }).fill("O'Brien");
  await page.getByRole('textbox', { name: 'New value' }).press('Enter');
  await page.locator('.pending pre', { hasText: `UPDATE "people" SET "name" = 'O''Brien' WHERE rowid = 2;` }).waitFor();
  await eventually(() => ui.page.locator('.tab.dirty[data-resource-name="people.db"]').count(), 'the tab has its dot');
  assert.equal(sqlite('SELECT name FROM people WHERE id=2'), 'person 2');
  await ui.page.keyboard.press('Control+z');
  await eventually(async () => (await page.locator('.pending').count()) === 0, 'undo takes the edit back');
  await ui.page.keyboard.press('Control+y');
  await page.locator('.pending').waitFor();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog().getByText('people: 1 updated').waitFor();
  await ui.picture('sqlite_preview');
  await dialog().getByRole('button', { name: 'Write' }).click();
  await eventually(() => sqlite('SELECT name FROM people WHERE id=2') === "O'Brien", 'it is written');
  await cell("O'Brien").waitFor();
  await eventually(async () => (await ui.page.locator('.tab.dirty').count()) === 0, 'the dot goes');
});

test('undo and redo after a write change nothing in the database, and say so', async () => {
  await page.locator('.grid').first().focus();
  await ui.page.keyboard.press('Control+z');
  await ui.page.getByText('This change is written to the database.').first().waitFor();
  await ui.page.keyboard.press('Control+y');
  assert.equal(await page.locator('.pending').count(), 0);
  assert.equal(sqlite('SELECT name FROM people WHERE id=2'), "O'Brien");
});

test('a write can be taken back', async () => {
  await page.getByRole('button', { name: 'Undo last write' }).click();
  await dialog().getByRole('button', { name: 'Revert' }).click();
  await eventually(() => sqlite('SELECT name FROM people WHERE id=2') === 'person 2', 'it is as it was');
  await cell(/^person 2$/).waitFor();
});

test('rows written by another program are shown, even in the write-ahead log', async () => {
  sqlite("UPDATE people SET name='somebody else' WHERE id=3");
  await cell('somebody else').waitFor();
});

test('while another program writes again and again, scrolling brings rows and keeps its place', async () => {
  let writing = true;
  const writer = (async () => {
    for (let i = 0; writing; ++i) {
      sqlite(`UPDATE people SET note='${i}' WHERE id=5`);
      await new Promise((resolve) => {
        setTimeout(resolve, 350);
      });
    }
  })();
  try {
    const grid = page.locator('.grid').first();
    await eventually(async () => {
      await grid.evaluate((e) => {
        e.scrollTop = 1200 * 24;
      });
      return page.locator('.cell', { hasText: /^person 1200$/ }).count();
    }, 'pages come all the same');
    const place = await grid.evaluate((e) => e.scrollTop);
    await new Promise((resolve) => {
      setTimeout(resolve, 1500);
    });
    assert.equal(await grid.evaluate((e) => e.scrollTop), place);
    await page.locator('.cell', { hasText: /^person 1200$/ }).waitFor();
  } finally {
    writing = false;
    await writer;
  }
  await page
    .locator('.grid')
    .first()
    .evaluate((e) => {
      e.scrollTop = 0;
    });
  await cell('somebody else').waitFor();
});

test('the SQL box: rows, faults with their place, and a question before a write', async () => {
  await page.getByRole('button', { name: 'SQL', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'SQL' });
  await box.fill('SELECT count(*) AS n, 1/0 AS missing FROM tags');
  await box.press('Control+Enter');
  await page.locator('.sql .cell', { hasText: /^2$/ }).waitFor();
  await page.locator('.sql .status', { hasText: /^1 row, [\d.]+ ms$/ }).waitFor();
  await ui.picture('sqlite_sql');
  await box.fill('SELECT nope FROM tags');
  await box.press('Control+Enter');
  await page.locator('.sql .error', { hasText: 'no such column: nope' }).waitFor();
  await eventually(() => box.evaluate((e) => e.selectionStart === 7), 'the fault is selected');
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await edit.click();
  await page.getByRole('button', { name: 'Edit', exact: true, pressed: false }).waitFor();
  await box.fill("DELETE FROM tags WHERE tag='b'");
  await box.press('Control+Enter');
  await page.locator('.sql .error', { hasText: 'open for reading only' }).waitFor();
  await edit.click();
  await page.getByRole('button', { name: 'Edit', exact: true, pressed: true }).waitFor();
  await box.press('Control+Enter');
  await dialog().getByText('tags: 1 deleted').waitFor();
  await ui.page.keyboard.press('Escape');
  await page.locator('.sql .error', { hasText: 'Nothing was written.' }).waitFor();
  assert.equal(sqlite('SELECT count(*) FROM tags'), '2');
  await page.getByRole('button', { name: 'SQL', exact: true }).click();
});

test('a blob is opened on request; the schema shows the CREATE statements', async () => {
  await page.getByRole('button', { name: 'BLOB 12.3 KB' }).first().click();
  await page.locator('.bytes', { hasText: /^00000000 {2}[0-9a-f]{2} / }).waitFor();
  await page.locator('.schema summary', { hasText: 'tags' }).click({ position: { x: 150, y: 8 } });
  await page
    .locator('.schema .leaf', { hasText: 'person → people' })
    .or(page.locator('.schema .leaf', { hasText: '→ people' }))
    .first()
    .waitFor();
  await ui.picture('sqlite_blob');
  await page.getByRole('button', { name: 'first', exact: true }).click();
  await eventually(async () => (await page.locator('.rows .row').count()) === 3, 'a view has its rows');
});

test('the schema has indexes, triggers, keys, and the CREATE statement of each', async () => {
  const of = (name) =>
    page
      .locator('.schema li')
      .filter({ has: page.locator('summary', { hasText: new RegExp(`^${name}`) }) })
      .first();
  await page
    .locator('.schema summary', { hasText: 'people' })
    .first()
    .click({ position: { x: 150, y: 8 } });
  await of('people').locator('.leaf', { hasText: 'PK id' }).waitFor();
  await of('people').locator('.leaf', { hasText: 'index by_name (name)' }).waitFor();
  await of('tags').locator('.leaf', { hasText: 'trigger kept' }).waitFor();
  await of('people').locator('.leaf summary', { hasText: 'create statement' }).click();
  await of('people').locator('pre', { hasText: 'CREATE TABLE people(id INTEGER PRIMARY KEY' }).waitFor();
  await of('people').locator('.leaf summary', { hasText: 'index by_name' }).click();
  await of('people').locator('pre', { hasText: 'CREATE INDEX by_name ON people(name)' }).waitFor();
  await of('tags').locator('.leaf summary', { hasText: 'trigger kept' }).click();
  await of('tags').locator('pre', { hasText: 'CREATE TRIGGER kept AFTER DELETE' }).waitFor();
});

test('a long text is cut in the grid, and opens whole', async () => {
  await page.getByRole('button', { name: 'texts', exact: true }).click();
  await page.locator('.cell .blob', { hasText: '…' }).first().click();
  await eventually(
    async () => (await page.getByRole('textbox', { name: 'Value', exact: true }).inputValue()).endsWith('x its end'),
    'its end is there',
  );
  await page.locator('.cell-panel').getByRole('button', { name: 'Close' }).click();
});

test('the SQL box runs the selection alone', async () => {
  await page.getByRole('button', { name: 'SQL', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'SQL' });
  await box.fill('SELECT 11 AS one;\nSELECT 22 AS two');
  await box.evaluate((e) => {
    e.focus();
    e.setSelectionRange(e.value.indexOf('\n') + 1, e.value.length);
  });
  await box.press('Control+Enter');
  await page.locator('.sql .cell', { hasText: /^22$/ }).waitFor();
  assert.equal(await page.locator('.sql .cell', { hasText: /^11$/ }).count(), 0);
  await box.fill('');
});

test('a row is copied as CSV, JSON and INSERT', async () => {
  await ui.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(vs.url).origin });
  await page.getByRole('button', { name: 'tags', exact: true }).click();
  await page.locator('.table .cell', { hasText: /^b$/ }).click();
  const box = page.getByRole('textbox', { name: 'SQL' });
  for (const [form, text] of [
    ['CSV', '1,b'],
    ['JSON', '{"person":1,"tag":"b"}'],
    ['INSERT', `INSERT INTO "tags" ("person", "tag") VALUES (1, 'b');`],
  ]) {
    await page.getByRole('button', { name: `Copy ${form}` }).click();
    await eventually(async () => {
      await box.fill('');
      await box.press('Control+v');
      return (await box.inputValue()).trim() === text;
    }, `${form} is what is pasted`);
  }
});

test('a range of cells is chosen by shift, and copied with tabs', async () => {
  await page.getByRole('button', { name: 'people', exact: true }).click();
  const of = (name) => page.locator('.table .cell', { hasText: new RegExp(`^${name}$`) }).first();
  const box = page.getByRole('textbox', { name: 'SQL' });
  const copied = async (text) => {
    await ui.page.keyboard.press('Control+c');
    await eventually(
      async () => {
        await box.fill('');
        await box.press('Control+v');
        return (await box.inputValue()) === text;
      },
      `${JSON.stringify(text)} is what is pasted`,
    );
  };
  await of('person 4').click();
  await of('person 5').click({ modifiers: ['Shift'] });
  await page.locator('.grid').first().press('Shift+ArrowLeft');
  assert.equal(await page.locator('.table .cell[aria-selected=true]').count(), 4);
  await ui.shot('vscode-sqlite-range');
  await copied('4\tperson 4\n5\tperson 5');
  await of('person 6').click();
  await page.locator('.grid').first().press('Shift+ArrowDown');
  await copied('person 6\nperson 7');
  await page.locator('.grid').first().press('ArrowDown');
  assert.equal(await page.locator('.table .cell[aria-selected=true]').count(), 1);
});
