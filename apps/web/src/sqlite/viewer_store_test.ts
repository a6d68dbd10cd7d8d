// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { tsv } from './text_forms';
import { ViewerStore } from './viewer_store';
import type { Cmd, Edit, GridRow, Requests, Schema, Told } from './wire';

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
const column = { name: 'id', type: 'INTEGER', notnull: false, default: null, pk: 1, hidden: false, generated: null };
const schema: Schema = {
  db_path: '/a',
  views: [],
  truncated: false,
  made: {},
  tables: [
    {
      name: 't',
      kind: 'table',
      without_rowid: false,
      sql: '',
      columns: [column],
      indexes: [],
      foreign_keys: [],
      triggers: [],
    },
  ],
};
const rows = (from: number): GridRow[] =>
  Array.from({ length: 100 }, (_, i) => ({ key: [from + i], cells: [from + i], cuts: {} }));

interface Asked {
  cmd: Cmd;
  params: Requests[Cmd]['params'];
  done(value: unknown): void;
  failed(error: Error): void;
}

function viewer() {
  const asked: Asked[] = [];
  let tell: (message: Told) => void = () => {};
  const ask = (cmd: Cmd, params: Requests[Cmd]['params']) => ({
    answer: new Promise<never>((resolve, reject) => {
      asked.push({ cmd, params, done: resolve, failed: reject });
    }),
    cancel: () => {},
  });
  const store = new ViewerStore({
    ask,
    listen: (told) => {
      tell = told;
    },
    kept: () => null,
    keep: () => {},
  });
  /** Until nothing is asked any more, or so many times. */
  const answer = async (times = Infinity) => {
    for (let request = asked.shift(); request && times-- > 0; request = asked.shift()) {
      const after = request.cmd === 'page' ? (request.params as Requests['page']['params']).after : undefined;
      request.done(
        request.cmd === 'schema' ? schema : { rows: rows(Number(after?.key?.[0] ?? 0) + 1), more: true, ms: 1 },
      );
      await tick();
    }
  };
  return { store, asked, tell: (message: Told) => tell(message), answer };
}
test('a count of another table is not shown', async () => {
  const { store, asked, answer } = viewer();
  void store.refresh();
  await answer();
  void store.count();
  const count = asked.shift()!;
  void store.show('t');
  count.done(1_000_000);
  await answer();
  expect(store.total).toBeUndefined();
});

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

test('a request for more inside the notice of a page gets the next page', async () => {
  const { store, asked, answer } = viewer();
  void store.refresh();
  await answer();
  store.subscribe(() => {
    if (store.rows.length < 500) void store.next();
  }); // as a grid that shows the end of them
  void store.next();
  await answer(10);
  expect(store.rows).toHaveLength(500);
  expect(asked).toEqual([]);
});

test('a changed file leaves the rows in place until all are reloaded', async () => {
  const { store, tell, answer } = viewer();
  void store.refresh();
  await answer();
  for (let i = 0; i < 4; ++i) {
    void store.next();
    await answer();
  }
  expect(store.rows).toHaveLength(500);
  const shown: number[] = [];
  store.subscribe(() => shown.push(store.rows.length));
  tell({ type: 'changed' });
  await answer();
  expect(new Set(shown)).toEqual(new Set([500]));
  expect(store.loading).toBe(false);
});

test('written edits are shown during the reload; writes of other statements leave pending edits unchanged', async () => {
  const { store, tell, answer } = viewer();
  void store.refresh();
  await answer();
  const edit: Edit = { kind: 'update', table: 't', key: [2], column: 'id', value: 200 };
  const pending = { edits: [edit], sql: '', undoable: 0, switch: true };
  tell({ type: 'pending', pending });
  tell({ type: 'pending', pending: { ...pending, undoable: 1 } });
  expect(store.rows[1]!.cells).toEqual([2]);
  tell({ type: 'pending', pending: { ...pending, edits: [], undoable: 2 } });
  expect(store.rows[1]!.cells).toEqual([200]);
  expect(store.rows[0]!.cells).toEqual([1]);
});

test('dropped edits are not shown as written', async () => {
  const { store, tell, answer } = viewer();
  void store.refresh();
  await answer();
  const edit: Edit = { kind: 'update', table: 't', key: [2], column: 'id', value: 200 };
  tell({ type: 'pending', pending: { edits: [edit], sql: '', undoable: 0, switch: true } });
  tell({ type: 'pending', pending: { edits: [], sql: '', undoable: 0, switch: true } });
  expect(store.rows[1]!.cells).toEqual([2]);
});

test('a failed count names the reason; a cancelled count does not', async () => {
  const { store, asked, answer } = viewer();
  void store.refresh();
  await answer();
  void store.count();
  asked.shift()!.failed(failure('LOCKED', 'database is locked'));
  await tick();
  expect([store.error, store.total]).toEqual(['database is locked', undefined]);
  store.error = '';
  void store.count();
  asked.shift()!.failed(failure('CANCELLED', 'cancelled'));
  await tick();
  expect(store.error).toBe('');
});

test('a row is copied whole, or not at all', async () => {
  const { store, asked, answer } = viewer();
  void store.refresh();
  await answer();
  const cut: GridRow = { key: [7], cells: ['begin'], cuts: { 0: { kind: 'text', size: 1000 } } };
  const copied = store.copyRow(cut, (cells) => `<${String(cells[0])}>`);
  expect(asked.map((call) => [call.cmd, call.params])).toEqual([['cell', { table: 't', key: [7], column: 'id' }]]);
  asked.shift()!.done('begin and end');
  await copied;
  expect(asked.shift()).toMatchObject({ cmd: 'copy', params: { text: '<begin and end>' } });
  await store.copyRow({ ...cut, key: undefined }, () => 'never');
  expect(asked).toEqual([]);
  expect(store.error).toContain('cannot be copied as a whole');
});

test('of a range, only the shortened cells are read completely', async () => {
  const { store, asked, answer } = viewer();
  void store.refresh();
  await answer();
  const cut = (id: number): GridRow => ({
    key: [id],
    cells: ['begin', 'a\tb', null],
    cuts: { 0: { kind: 'text', size: 1000 } },
  });
  const copied = store.copyCells([cut(7), cut(8)], [0, 1, 2], tsv);
  for (const id of [7, 8]) {
    expect(asked[0]!.params).toEqual({ table: 't', key: [id], column: 'id' });
    asked.shift()!.done(`whole "${id}"`);
    await tick();
  }
  await copied;
  expect(asked.shift()).toMatchObject({
    cmd: 'copy',
    params: { text: '"whole ""7"""\t"a\tb"\t\n"whole ""8"""\t"a\tb"\t' },
  });
  await store.copyCells([cut(7)], [1], tsv);
  expect(asked.map((call) => [call.cmd, call.params])).toEqual([['copy', { text: 'a\tb' }]]);
});

test('pages requested during a read, and a file changed meanwhile, end with every row once', async () => {
  const { store, asked, tell, answer } = viewer();
  void store.refresh();
  await answer();
  void store.next();
  void store.next();
  expect(asked).toHaveLength(1);
  await answer();
  tell({ type: 'changed' });
  tell({ type: 'changed' });
  void store.next();
  await answer();
  expect(store.rows.map((row) => row.cells[0])).toEqual(Array.from({ length: store.rows.length }, (_, i) => i + 1));
  expect(store.rows.length).toBeGreaterThanOrEqual(200);
});
