// SPDX-License-Identifier: Apache-2.0
// A database for the viewer: its schema, pages of its rows, its cells, and the unsaved edits. Independent of VS Code and the page.

import { words } from '../strings/views';
import type { Bridge, Running } from './bridge';
import { cell, columnsOf, count, editSql, gridRow, keyOf, made, page, type Statement } from './statements';
import { PendingEdits } from './pending_edits';
import {
  bytesOf,
  madeBy,
  type Edit,
  type GridRow,
  type Look,
  type Page,
  type RunResult,
  type Schema,
  type Table,
  type Value,
  type View,
} from './wire';
import type { ExecuteResult, Preview, QueryResult } from './helper_messages';

const RUN_ROWS = 1000;
const MADE_MOST = 1000; // statements of indexes and triggers in the schema
const PIECE_BYTES = 1 << 20; // of a cell saved to a file

type Watch = (running: Running<unknown>) => void; // to cancel by

export class Database {
  readonly edits = new PendingEdits();
  saved = 0; // writes of this session that can be undone
  #known: Schema | undefined;

  constructor(
    readonly path: string,
    private readonly bridge: Bridge,
    private readonly pageRows: () => number,
  ) {}

  async schema(): Promise<Schema> {
    const declared = await this.bridge.ask<Omit<Schema, 'made'>>('schema', { path: this.path });
    const { rows } = await this.#query(made, () => {}, MADE_MOST);
    this.#known = {
      ...declared,
      made: Object.fromEntries(
        rows.map((row) => [madeBy(row.type as 'index' | 'trigger', String(row.name)), String(row.sql)]),
      ),
    };
    return this.#known;
  }

  async #thing(name: string): Promise<Table | View> {
    const { tables, views } = this.#known ?? (await this.schema());
    const found = [...tables, ...views].find((view) => view.name === name);
    if (!found) throw new Error(words().no_table(name));
    return found;
  }
  async #table(name: string): Promise<Table> {
    const found = await this.#thing(name);
    if (!('kind' in found) || keyOf(found).length === 0) throw new Error(words().no_key(name));
    return found;
  }

  #query({ sql, params }: Statement, watch: Watch = () => {}, limit?: number): Promise<QueryResult> {
    const running = this.bridge.run<QueryResult>('query', {
      path: this.path,
      sql,
      params,
      int64: 'tag',
      nonfinite: 'tag',
      ...(limit !== undefined && { limit }),
    });
    watch(running);
    return running.answer;
  }

  async page(look: Look, after: GridRow | undefined, skip: number, watch?: Watch): Promise<Page> {
    const thing = await this.#thing(look.table);
    const most = this.pageRows();
    const begun = performance.now();
    const { rows, truncated } = await this.#query(page(thing, look, after, skip, most), watch, most);
    return {
      rows: rows.map((row) => gridRow(thing, row)),
      more: truncated || rows.length === most,
      ms: performance.now() - begun,
    };
  }

  async count(look: Look, watch?: Watch): Promise<number> {
    const { rows } = await this.#query(count(await this.#thing(look.table), look), watch);
    return Number(rows[0]!.n);
  }

  async cell(table: string, key: Value[], column: string, watch?: Watch): Promise<Value> {
    const { rows } = await this.#query({ sql: cell(await this.#table(table), key, column), params: [] }, watch);
    if (rows.length === 0) throw new Error(words().no_row);
    return rows[0]!.v!;
  }

  /** The whole of a cell, piece by piece. */
  async *bytes(table: string, key: Value[], column: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const from = cell(await this.#table(table), key, column).replace(
      /^SELECT (.*?) AS v /s,
      (_, name: string) => `SELECT substr(CAST(${name} AS BLOB), ?, ${PIECE_BYTES}) AS v `,
    );
    for (let at = 1; ; at += PIECE_BYTES) {
      const { rows } = await this.#query({ sql: from, params: [at] });
      const value = rows[0]?.v;
      if (value === null || typeof value !== 'object' || !('base64' in value) || value.size === 0) return;
      yield bytesOf(value.base64);
    }
  }

  async *allRows(look: Look): AsyncGenerator<{ names: string[]; rows: GridRow[] }> {
    const names = columnsOf(await this.#thing(look.table)).map((column) => column.name);
    let last: GridRow | undefined;
    for (let skip = 0; ;) {
      const { rows, more } = await this.page(look, last, skip);
      yield { names, rows };
      last = rows.at(-1);
      skip += rows.length;
      if (!more || rows.length === 0) return;
    }
  }

  async run(sql: string, watch?: Watch): Promise<RunResult> {
    const begun = performance.now();
    return resultOf(await this.#query({ sql, params: [] }, watch, RUN_ROWS), undefined, begun);
  }

  /** The effect of statements, without running the statements. */
  async preview(sql: string): Promise<Preview> {
    const { preview } = await this.bridge.ask<ExecuteResult>('execute', { path: this.path, sql, preview: true });
    return preview ?? { changes: 0, complete: false, tables: [] };
  }

  /** Applies a preview; without an applicable preview, runs the statements. */
  async write(sql: string, preview: Preview): Promise<RunResult> {
    const begun = performance.now();
    const done =
      preview.id === undefined
        ? await this.bridge.ask<ExecuteResult>('execute', { path: this.path, sql })
        : await this.bridge.ask<ExecuteResult>('apply', { path: this.path, preview_id: preview.id });
    ++this.saved;
    this.#known = undefined;
    return resultOf(done.result ?? { columns: [], rows: [], truncated: false }, done.changes, begun);
  }

  async undoSaved(): Promise<void> {
    await this.bridge.ask('undo', { path: this.path, count: 1 });
    --this.saved;
    this.#known = undefined;
  }

  async editsSql(edits: readonly Edit[]): Promise<string> {
    const lines: string[] = [];
    for (const edit of edits) lines.push(editSql(await this.#table(edit.table), edit));
    return lines.join('\n');
  }

  async close(): Promise<void> {
    await this.bridge.ask('close', { path: this.path });
  }
}

function resultOf({ columns, rows, truncated }: QueryResult, changes: number | undefined, begun: number): RunResult {
  return {
    columns: columns.map((column) => ({ name: column.name, type: column.decl_type ?? '' })),
    rows: rows.map((row) => columns.map((column) => row[column.name]!)),
    truncated,
    changes,
    ms: performance.now() - begun,
  };
}

export function told(preview: Preview): string {
  const w = words();
  const parts = preview.tables.map(
    (table) =>
      `${table.name}: ${(
        [
          [table.inserted, w.inserted],
          [table.updated, w.updated],
          [table.deleted, w.deleted],
        ] as const
      )
        .filter(([n]) => n)
        .map(([n, what]) => what(n))
        .join(', ')}`,
  );
  const rows = parts.length > 0 ? parts.join('\n') : w.would_change(preview.changes);
  return preview.complete ? rows : [rows, w.may_be_more, ...(preview.missing ?? [])].join('\n');
}
