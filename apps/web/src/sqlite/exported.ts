// SPDX-License-Identifier: Apache-2.0
// The rows of a table as a file: read page by page, with the cells that the grid cuts.

import { words } from '../strings/views';
import type { Database } from './database';
import { csvLine, jsonObject } from './text_forms';
import type { GridRow, Look, Value } from './wire';

export type Form = 'csv' | 'json';

/** `count` hears of the rows of each page. */
export function exported(
  database: Database,
  look: Look,
  form: Form,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  return form === 'json' ? jsonLines(database, look, count) : csvLines(database, look, count);
}

async function* csvLines(database: Database, look: Look, count: (rows: number) => void): AsyncGenerator<string> {
  let head = true;
  for await (const { names, rows } of database.allRows(look)) {
    if (head) yield csvLine(names);
    head = false;
    for (const row of rows) yield csvLine(await whole(database, look.table, names, row));
    count(rows.length);
  }
}

async function* jsonLines(database: Database, look: Look, count: (rows: number) => void): AsyncGenerator<string> {
  let before = '[\n';
  for await (const { names, rows } of database.allRows(look)) {
    for (const row of rows) {
      yield before + jsonObject(names, await whole(database, look.table, names, row));
      before = ',\n';
    }
    count(rows.length);
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function whole(database: Database, table: string, names: string[], row: GridRow): Promise<Value[]> {
  const cells = [...row.cells];
  for (const at of Object.keys(row.cuts).map(Number)) {
    if (!row.key) throw new Error(words().no_key_to_export(names[at]!, table));
    cells[at] = await database.cell(table, row.key, names[at]!);
  }
  return cells;
}
