// SPDX-License-Identifier: Apache-2.0
// A database behind the real sqlite-helper. Skipped where it is not built: ninja -C build/release sqlite-helper.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Database, told } from '../../../web/src/sqlite/database';
import { keyOf } from '../../../web/src/sqlite/statements';
import type { GridRow, Look } from '../../../web/src/sqlite/wire';
import { SqliteHelper } from './helper';

const program =
  process.env.PARLANCE_SQLITE_HELPER ??
  fileURLToPath(new URL('../../../../build/release/bin/sqlite-helper', import.meta.url));
const look = (table: string, more: Partial<Look> = {}): Look => ({ table, sort: undefined, filters: {}, ...more });

describe.skipIf(!existsSync(program))('behind sqlite-helper', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-viewer-'));
  const path = join(folder, 'a.db');
  const helper = new SqliteHelper(
    () => program,
    () => {},
  );
  let database: Database;

  beforeAll(async () => {
    await helper.ask('connect', { path, create: true });
    await helper.ask('execute', {
      path,
      sql: `CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, data BLOB, big INT);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<1000) INSERT INTO t SELECT i*3, 'row '||i, CASE WHEN i=2 THEN zeroblob(3000000) END, 9007199254740992+i FROM c;
      CREATE TABLE w(b TEXT, a INT, v, PRIMARY KEY(a, b)) WITHOUT ROWID; INSERT INTO w VALUES('x',1,NULL),('y',1,''),('x',2,'long '||hex(zeroblob(400)));
      CREATE VIEW v AS SELECT name FROM t; CREATE TABLE "od""d" (rowid TEXT, "a b" REAL); INSERT INTO "od""d" VALUES('r', 9e999)`,
    });
    database = new Database(path, helper, () => 100);
    await database.schema();
  });
  afterAll(async () => {
    await helper.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('all rows, page by page, each once', async () => {
    const seen: unknown[] = [];
    for await (const { rows } of database.allRows(look('t'))) seen.push(...rows.map((row) => row.cells[0]));
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, i) => (i + 1) * 3));
    const views: unknown[] = [];
    for await (const { rows } of database.allRows(look('v'))) views.push(...rows);
    expect(views).toHaveLength(1000);
  });

  test('a page in the middle is as cheap as the first, exact, and without its blobs', async () => {
    const { rows, more } = await database.page(look('t'), { key: [2700], cells: [], cuts: {} }, 900);
    expect([rows[0]!.cells, more]).toEqual([
      [2703, 'row 901', null, { $type: 'int', value: '9007199254741893' }],
      true,
    ]);
    const first = await database.page(look('t'), undefined, 0);
    expect(first.rows[1]!.cuts).toEqual({ 2: { kind: 'blob', size: 3_000_000 } });
  });

  test('all rows in another order, each once, behind numbers, texts, NULL and blobs', async () => {
    await helper.ask('execute', {
      path,
      sql: `CREATE TABLE s(id INTEGER PRIMARY KEY, v, n REAL); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<1000)
      INSERT INTO s SELECT i, CASE i%5 WHEN 0 THEN NULL WHEN 1 THEN 'x'||(i%9) WHEN 2 THEN hex(zeroblob(200))||i WHEN 3 THEN zeroblob(i%4) ELSE i/3.0 END, (i%7)/3.0 FROM c`,
    });
    await database.schema();
    for (const [column, name] of [
      [1, 'v'],
      [2, 'n'],
    ] as const)
      for (const descending of [false, true]) {
        const seen: unknown[] = [];
        for await (const { rows } of database.allRows(look('s', { sort: { column, descending } })))
          seen.push(...rows.map((row) => row.cells[0]));
        const { rows } = await database.run(`SELECT id FROM s ORDER BY ${name} ${descending ? 'DESC' : 'ASC'}, id`);
        expect(seen).toEqual(rows.map((row) => row[0]));
      }
  });

  test('sorted, filtered, counted', async () => {
    const down = await database.page(look('t', { sort: { column: 0, descending: true } }), undefined, 10);
    expect(down.rows[0]!.cells[0]).toBe(2970);
    const found = look('t', { filters: { 1: 'row 99', 0: '>2980' } });
    expect((await database.page(found, undefined, 0)).rows).toHaveLength(6);
    expect(await database.count(found)).toBe(6);
  });

  test('rows without a rowid, NULL beside the empty text, unusual names, infinities', async () => {
    const { rows } = await database.page(look('w'), undefined, 0);
    expect(rows.map((row) => [row.key, row.cells[2]])).toEqual([
      [[1, 'x'], null],
      [[1, 'y'], ''],
      [[2, 'x'], expect.stringMatching(/^long 0+$/)],
    ]);
    expect((await database.page(look('w'), rows[0] as GridRow, 1)).rows).toHaveLength(2);
    expect(await database.cell('w', [2, 'x'], 'v')).toHaveLength(805);
    const odd = (await database.page(look('od"d'), undefined, 0)).rows[0]!;
    expect(odd).toEqual({ key: [1], cells: ['r', { $type: 'real', value: 'Infinity' }], cuts: {} });
  });

  test('a blob is read whole, piece by piece', async () => {
    let bytes = 0;
    for await (const piece of database.bytes('t', [6], 'data')) bytes += piece.length;
    expect(bytes).toBe(3_000_000);
  });

  test('edits are previewed, made together, and taken back', async () => {
    database.edits.restore([
      { kind: 'update', table: 't', key: [3], column: 'name', value: "it's" },
      { kind: 'delete', table: 'w', key: [1, 'y'] },
      { kind: 'insert', table: 't', values: { name: 'new' } },
    ]);
    const sql = await database.editsSql(database.edits.all);
    const preview = await database.preview(sql);
    expect(told(preview)).toBe('t: 1 inserted, 1 updated\nw: 1 deleted');
    expect(await database.cell('t', [3], 'name')).toBe('row 1');
    expect((await database.write(sql, preview)).changes).toBe(3);
    expect(await database.cell('t', [3], 'name')).toBe("it's");
    await database.undoSaved();
    expect([await database.cell('t', [3], 'name'), await database.count(look('t')), database.saved]).toEqual([
      'row 1',
      1000,
      0,
    ]);
    await expect(database.cell('w', [1, 'y'], 'nope')).rejects.toThrow('no such column');
  });

  test('with an impossible edit, no edit is made', async () => {
    const sql = "UPDATE t SET name='gone' WHERE id=3; INSERT INTO t(id) VALUES(3);";
    await expect(database.preview(sql).then((preview) => database.write(sql, preview))).rejects.toMatchObject({
      code: 'SQL_ERROR',
    });
    expect(await database.cell('t', [3], 'name')).toBe('row 1');
  });

  test('a writing statement does not run as a query, and a fault is named', async () => {
    await expect(database.run('DELETE FROM t')).rejects.toMatchObject({ code: 'NOT_READONLY' });
    await expect(database.run('SELECT nope FROM t')).rejects.toMatchObject({ code: 'SQL_ERROR', offset: 7 });
    expect(await database.run('SELECT 1 AS x, 2 AS x')).toMatchObject({
      columns: [{ name: 'x' }, { name: 'x:1' }],
      rows: [[1, 2]],
    });
  });

  test('an endless query is cancelled', async () => {
    const running = helper.run('query', {
      path,
      sql: 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c) SELECT max(i) FROM c',
    });
    setTimeout(() => running.cancel(), 50);
    await expect(running.answer).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  test('rows written by another program into the write-ahead log are shown', async () => {
    const wal = join(folder, 'wal.db');
    const sqlite = (sql: string) => {
      try {
        return execFileSync('sqlite3', [wal, sql], { encoding: 'utf8' });
      } catch {
        return undefined;
      }
    };
    if (sqlite('PRAGMA journal_mode=WAL; CREATE TABLE a(x); INSERT INTO a VALUES(1)') === undefined) return;
    const other = new Database(wal, helper, () => 10);
    expect((await other.page(look('a'), undefined, 0)).rows).toHaveLength(1);
    sqlite('INSERT INTO a VALUES(2)');
    expect((await other.page(look('a'), undefined, 0)).rows).toHaveLength(2);
    expect(keyOf((await other.schema()).tables[0]!)).toEqual(['rowid']);
    await other.close();
  });

  test('a killed helper restarts', async () => {
    const { pid } = helper;
    const lost = helper.ask('query', {
      path,
      sql: 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c) SELECT max(i) FROM c',
    });
    setTimeout(() => process.kill(pid!, 'SIGKILL'), 30);
    await expect(lost).rejects.toThrow('sqlite-helper ended: SIGKILL');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 });
    expect(await database.count(look('t'))).toBe(1000);
    vi.useRealTimers();
    expect(helper.pid).not.toBe(pid);
  });
});
