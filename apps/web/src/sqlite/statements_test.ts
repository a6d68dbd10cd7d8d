// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { csvLine, insertLine, jsonObject } from './text_forms';
import { cell, columnsOf, count, editSql, filter, gridRow, keyOf, literal, page, quoted, typed } from './statements';
import { sizeText, valueText, type Column, type Look, type Table, type Value, type View } from './wire';

const column = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  type: 'TEXT',
  notnull: false,
  default: null,
  pk: 0,
  hidden: false,
  generated: null,
  ...more,
});
const table = (columns: Column[], more: Partial<Table> = {}): Table => ({
  name: 't',
  kind: 'table',
  without_rowid: false,
  sql: '',
  columns,
  indexes: [],
  foreign_keys: [],
  triggers: [],
  ...more,
});
const look = (more: Partial<Look> = {}): Look => ({ table: 't', sort: undefined, filters: {}, ...more });
const plain = table([column('id', { pk: 1 }), column('name')]);
const view: View = { name: 'v', sql: '', columns: [column('a')] };
const blob: Value = { $type: 'blob', base64: 'AP8Q', size: 3 };

test('names and values in SQL form', () => {
  expect(quoted('a"b')).toBe('"a""b"');
  const values: [Value, string][] = [
    [null, 'NULL'],
    [1, '1'],
    [1.5, '1.5'],
    [true, '1'],
    ["it's", "'it''s'"],
    ['a\0b', "CAST(x'610062' AS TEXT)"],
    [blob, "x'00ff10'"],
    [{ $type: 'text', base64: '/0E=', size: 2 }, "CAST(x'ff41' AS TEXT)"],
    [{ $type: 'int', value: '9007199254740993' }, '9007199254740993'],
    [{ $type: 'real', value: '-Infinity' }, '-9e999'],
  ];
  for (const [value, sql] of values) expect(literal(value)).toBe(sql);
});

test('the columns that identify a row', () => {
  expect(keyOf(plain)).toEqual(['rowid']);
  expect(keyOf(table([column('ROWID'), column('x')]))).toEqual(['_rowid_']);
  expect(keyOf(table([column('b', { pk: 2 }), column('a', { pk: 1 })], { without_rowid: true }))).toEqual(['a', 'b']);
  expect(keyOf(table([column('x')], { kind: 'virtual' }))).toEqual([]);
});

describe('pages', () => {
  test('begin behind the last row, by its key', () => {
    const { sql, params } = page(plain, look(), { key: [41], cells: [], cuts: {} }, 40, 200);
    expect(sql).toMatch(/FROM "t" WHERE rowid > \? ORDER BY rowid LIMIT 200$/);
    expect(params).toEqual([41]);
    expect(page(plain, look(), undefined, 0, 200).sql).not.toContain('WHERE');
  });
  test('a key of several columns is compared as a row value', () => {
    const thing = table([column('b', { pk: 2 }), column('a', { pk: 1 })], { without_rowid: true });
    expect(page(thing, look(), { key: ['x', 2], cells: [], cuts: {} }, 0, 10)).toMatchObject({
      sql: expect.stringContaining('("a", "b") > (?, ?) ORDER BY "a", "b"') as string,
      params: ['x', 2],
    });
  });
  test('in another order, and in views, rows are skipped', () => {
    expect(
      page(plain, look({ sort: { column: 1, descending: true } }), { key: [1], cells: [], cuts: {} }, 400, 200).sql,
    ).toMatch(/ORDER BY "name" DESC, rowid LIMIT 200 OFFSET 400$/);
    expect(page(view, look({ table: 'v' }), undefined, 20, 10).sql).toMatch(/FROM "v" LIMIT 10 OFFSET 20$/);
  });
  test('filters go along as bound values, also into the count', () => {
    const wanted = look({ filters: { 1: "100%'", 0: '>5' } });
    expect(page(plain, wanted, { key: [9], cells: [], cuts: {} }, 0, 5)).toMatchObject({
      sql: expect.stringContaining(`WHERE "id" > ? AND "name" LIKE ? ESCAPE '\\' AND rowid > ?`) as string,
      params: [5, "%100\\%'%", 9],
    });
    expect(count(plain, wanted)).toEqual({
      sql: `SELECT count(*) AS n FROM "t" WHERE "id" > ? AND "name" LIKE ? ESCAPE '\\'`,
      params: [5, "%100\\%'%"],
    });
  });
  test('rows come with their key, and shortened values with their size', () => {
    expect(gridRow(plain, { k0: 7, c0: 7, c1: null, m: '1b12300,' })).toEqual({
      key: [7],
      cells: [7, null],
      cuts: { 1: { kind: 'blob', size: 12300 } },
    });
    expect(gridRow(view, { c0: 'x', m: '0t900,' })).toEqual({
      key: undefined,
      cells: ['x'],
      cuts: { 0: { kind: 'text', size: 900 } },
    });
  });
  test('hidden columns are no columns', () =>
    expect(columnsOf(table([column('a'), column('h', { hidden: true })]))).toHaveLength(1));
});

test.each<[string, string, Value[]]>([
  ['null', 'x IS NULL', []],
  ['! NULL', 'x IS NOT NULL', []],
  ['= a', 'x = ?', ['a']],
  ['<=1.5', 'x <= ?', [1.5]],
  ['!=', 'x != ?', ['']],
  ['a_b', "x LIKE ? ESCAPE '\\'", ['%a\\_b%']],
])('filter %s', (text, sql, params) => expect(filter('x', text)).toEqual({ sql, params }));
test.each<[string, Value]>([
  ['5', 5],
  ['-1.5', -1.5],
  ['007', '007'],
  ['1.50', '1.50'],
  ['9007199254740993', { $type: 'int', value: '9007199254740993' }],
  ['', ''],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['1e3', '1e3'],
])('typed %s', (text, value) => expect(typed(text)).toEqual(value));

test('edits as self-contained statements', () => {
  expect(editSql(plain, { kind: 'update', table: 't', key: [3], column: 'na"me', value: "x'y" })).toBe(
    `UPDATE "t" SET "na""me" = 'x''y' WHERE rowid = 3;`,
  );
  expect(editSql(plain, { kind: 'delete', table: 't', key: [3] })).toBe('DELETE FROM "t" WHERE rowid = 3;');
  expect(editSql(plain, { kind: 'insert', table: 't', values: { name: null, id: 1 } })).toBe(
    'INSERT INTO "t" ("name", "id") VALUES (NULL, 1);',
  );
  expect(editSql(plain, { kind: 'insert', table: 't', values: {} })).toBe('INSERT INTO "t" DEFAULT VALUES;');
  expect(cell(plain, [3], 'name')).toBe('SELECT "name" AS v FROM "t" WHERE rowid = 3');
});

test('rows as text for elsewhere', () => {
  const big: Value = { $type: 'int', value: '9007199254740993' };
  expect(csvLine([1, null, '', 'a"b', 'c,d', blob])).toBe('1,,"","a""b","c,d",AP8Q\r\n');
  expect(jsonObject(['a', 'b'], [big, 'x'])).toBe('{"a":9007199254740993,"b":"x"}');
  expect(insertLine('t', ['a'], [blob])).toBe(`INSERT INTO "t" ("a") VALUES (x'00ff10');\n`);
  expect([valueText(null), valueText(big), valueText(blob), sizeText(12_595)]).toEqual([
    '',
    '9007199254740993',
    'BLOB 3 B',
    '12.3 KB',
  ]);
});
