// SPDX-License-Identifier: Apache-2.0
// The state and the actions of the viewer. Rows are loaded in pages during scrolling; outdated requests are cancelled.

import { words } from '../strings/views';
import { pendingOf } from './edited_row';
import { columnsOf, keysOf } from './statements';
import type {
  Asked,
  Cmd,
  Edit,
  GridRow,
  Look,
  Pending,
  Requests,
  RunResult,
  Schema,
  Table,
  Told,
  Value,
  View,
} from './wire';

/** The connection to the viewer's service. */
export interface ViewerLink {
  ask<C extends Cmd>(cmd: C, params: Requests[C]['params']): Asked<Requests[C]['value']>;
  listen(told: (message: Told) => void): void;
  /** State that outlives the viewer: the table, and the typed text. */
  kept(): unknown;
  keep(state: unknown): void;
}

export const ROWS_MOST = 100_000; // kept in the page; beyond this number, a filter finds rows

const RELOADED_MOST = 2000; // rows reloaded at once after a change of the file

export interface OpenCell {
  row: GridRow;
  column: number;
  value: Value | undefined;
  error: string;
}
interface Kept {
  table?: string;
  sql?: string;
  sqlShown?: boolean;
}

export class ViewerStore {
  schema: Schema | undefined;
  look: Look = { table: '', sort: undefined, filters: {} };
  rows: GridRow[] = [];
  more = false;
  loading = false;
  error = '';
  total: number | 'counting' | undefined;
  pending: Pending = { edits: [], sql: '', undoable: 0, switch: false };
  openCell: OpenCell | undefined;
  sql = '';
  sqlShown = false;
  sqlAskedFor = false; // a person opened the SQL box, and writes there next
  schemaShown = false; // without space for both
  sqlRunning: Asked<RunResult> | undefined;
  sqlResult: RunResult | undefined;
  sqlError: { text: string; offset: number | undefined } | undefined;
  #page: Asked<Requests['page']['value']> | undefined;
  #reading: Promise<void> | undefined;
  #counting: Asked<number> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly link: ViewerLink) {
    link.listen((message) => {
      if (message.type !== 'pending') {
        void this.refresh();
        return;
      }
      const { edits, undoable } = message.pending;
      if (edits.length === 0 && undoable > this.pending.undoable)
        this.rows = this.rows.map((row) => this.#written(row));
      this.pending = message.pending;
      this.#changed();
    });
    const kept = (link.kept() ?? {}) as Kept;
    this.look.table = kept.table ?? '';
    this.sql = kept.sql ?? '';
    this.sqlShown = kept.sqlShown ?? false;
  }

  /** A row with the edits just written: unsaved edits must not appear undone until the rows are reloaded. */
  #written(row: GridRow): GridRow {
    const { cells } = pendingOf(this.pending, this.look.table, row, this.columns);
    return cells.size === 0
      ? row
      : { ...row, cells: row.cells.map((cell, i) => (cells.has(i) ? cells.get(i)! : cell)) };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
  #keep(): void {
    this.link.keep({ table: this.look.table, sql: this.sql, sqlShown: this.sqlShown } satisfies Kept);
  }

  get thing(): Table | View | undefined {
    return [...(this.schema?.tables ?? []), ...(this.schema?.views ?? [])].find(
      (view) => view.name === this.look.table,
    );
  }
  get columns() {
    return this.thing ? columnsOf(this.thing) : [];
  }
  get editable(): boolean {
    return this.pending.switch && this.thing !== undefined && 'kind' in this.thing && keysOf(this.thing).length > 0;
  }

  /** Reloads the schema, and as many rows as before. */
  async refresh(): Promise<void> {
    try {
      this.schema = await this.link.ask('schema', {}).answer;
      this.error = '';
      if (!this.thing)
        this.look = {
          table: (this.schema.tables[0] ?? this.schema.views[0])?.name ?? '',
          sort: undefined,
          filters: {},
        };
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#forgetTotal();
    await this.#reload(this.rows.length);
  }

  showSchema(shown: boolean): void {
    this.schemaShown = shown;
    this.#changed();
  }
  async show(table: string): Promise<void> {
    this.schemaShown = false;
    this.look = { table, sort: undefined, filters: {} };
    this.openCell = undefined;
    this.#forgetTotal();
    this.#keep();
    await this.#reload(0);
  }
  async sort(column: number): Promise<void> {
    const now = this.look.sort;
    this.look = {
      ...this.look,
      sort:
        now?.column !== column
          ? { column, descending: false }
          : now.descending
            ? undefined
            : { column, descending: true },
    };
    await this.#reload(0);
  }
  async filter(column: number, text: string): Promise<void> {
    this.look = { ...this.look, filters: { ...this.look.filters, [column]: text } };
    this.#forgetTotal();
    await this.#reload(0);
  }

  /** Reloads the rows from the first. All rows arrive together, so that the view keeps its position. */
  #reload(atLeast: number): Promise<void> {
    this.#page?.cancel();
    this.#page = undefined;
    this.#reading = undefined;
    this.more = this.look.table !== '';
    if (this.more && atLeast > 0 && this.rows.length > 0)
      return this.#readingNow(() => this.#readAgain(Math.min(atLeast, RELOADED_MOST)));
    this.rows = [];
    if (this.more) return this.next();
    this.#changed();
    return Promise.resolve();
  }

  async #readAgain(least: number): Promise<void> {
    let rows: GridRow[] = [];
    let more = true;
    this.loading = true;
    this.#changed();
    while (more && rows.length < least) {
      const mine = this.link.ask('page', { look: this.look, after: rows.at(-1), skip: rows.length });
      this.#page = mine;
      try {
        const got = await mine.answer;
        if (this.#page !== mine) return;
        rows = [...rows, ...got.rows];
        ({ more } = got);
      } catch (error) {
        if (this.#page !== mine) return;
        more = false;
        this.#fail(error);
      }
    }
    this.#readTo(rows, more);
  }

  /** The next page, or the page being loaded. */
  next(): Promise<void> {
    if (this.#reading) return this.#reading;
    if (!this.more || this.rows.length >= ROWS_MOST) return Promise.resolve();
    return this.#readingNow(() => this.#read());
  }

  #readingNow(work: () => Promise<void>): Promise<void> {
    let done!: () => void;
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#reading = mine; // set before any notification about the load
    void work().finally(() => {
      if (this.#reading === mine) this.#reading = undefined;
      done();
    });
    return mine;
  }

  async #read(): Promise<void> {
    const mine = this.link.ask('page', { look: this.look, after: this.rows.at(-1), skip: this.rows.length });
    this.#page = mine;
    this.loading = true;
    this.#changed();
    try {
      const { rows, more } = await mine.answer;
      if (this.#page !== mine) return;
      this.error = '';
      this.#readTo([...this.rows, ...rows], more);
    } catch (error) {
      if (this.#page !== mine) return;
      this.#fail(error);
      this.#readTo(this.rows, false);
    }
  }

  #readTo(rows: GridRow[], more: boolean): void {
    this.rows = rows;
    this.more = more;
    this.#page = undefined;
    this.#reading = undefined; // cleared first: a view at the end asks for the next page at once
    this.loading = false;
    this.#changed();
  }

  async count(): Promise<void> {
    if (this.#counting) return this.#counting.cancel();
    this.total = 'counting';
    const mine = this.link.ask('count', { look: this.look });
    this.#counting = mine;
    this.#changed();
    const total = await mine.answer.catch((error: { code?: string }) => {
      if (error.code !== 'CANCELLED') this.#fail(error); // the canceller knows
      return undefined;
    });
    if (this.#counting !== mine) return; // of another table or filter
    this.#counting = undefined;
    this.total = total;
    this.#changed();
  }
  #forgetTotal(): void {
    this.#counting?.cancel();
    this.#counting = undefined;
    this.total = undefined;
  }

  async open(row: GridRow, column: number): Promise<void> {
    const cell: OpenCell = { row, column, value: row.cuts[column] ? undefined : row.cells[column]!, error: '' };
    this.openCell = cell;
    this.#changed();
    if (cell.value !== undefined || !row.key) return;
    try {
      cell.value = await this.#ask('cell', {
        table: this.look.table,
        key: row.key,
        column: this.columns[column]!.name,
      });
    } catch (error) {
      cell.error = String(error instanceof Error ? error.message : error);
    }
    this.#changed();
  }
  closeCell(): void {
    this.openCell = undefined;
    this.#changed();
  }

  edit(edit: Edit): void {
    void this.#ask('edit', { edit }).catch((error) => this.#fail(error));
  }
  setCell(row: GridRow, column: number, value: Value): void {
    if (row.key)
      this.edit({ kind: 'update', table: this.look.table, key: row.key, column: this.columns[column]!.name, value });
  }
  async do(cmd: 'save' | 'undo_saved'): Promise<void> {
    try {
      await this.#ask(cmd, {});
    } catch (error) {
      this.#fail(error);
    }
  }
  history(step: 'undo' | 'redo' | 'drop'): void {
    void this.#ask('history', { step }).catch((error) => this.#fail(error));
  }
  allowEdits(on: boolean): void {
    void this.#ask('allow_edits', { on }).catch((error) => this.#fail(error));
  }
  async export(): Promise<void> {
    try {
      await this.#ask('export', { look: this.look });
    } catch (error) {
      this.#fail(error);
    }
  }
  saveCell({ row, column }: OpenCell): void {
    if (row.key)
      void this.#ask('save_cell', { table: this.look.table, key: row.key, column: this.columns[column]!.name }).catch(
        (error) => this.#fail(error),
      );
  }
  copy(text: string): void {
    void this.#ask('copy', { text });
  }
  copyRow(row: GridRow, form: (cells: Value[]) => string): Promise<void> {
    return this.copyCells(
      [row],
      row.cells.map((_, at) => at),
      ([cells]) => form(cells!),
    );
  }
  /** From the database: the grid has only the beginning of long values, and no blobs. */
  async copyCells(
    rows: readonly GridRow[],
    columns: readonly number[],
    form: (cells: Value[][]) => string,
  ): Promise<void> {
    try {
      const cells: Value[][] = [];
      for (const row of rows) {
        const ofRow: Value[] = [];
        for (const at of columns) ofRow.push(row.cuts[at] ? await this.#whole(row, at) : row.cells[at]!);
        cells.push(ofRow);
      }
      this.copy(form(cells));
    } catch (error) {
      this.#fail(error);
    }
  }
  #whole(row: GridRow, column: number): Promise<Value> {
    if (!row.key) throw new Error(words().no_key_to_copy);
    return this.#ask('cell', { table: this.look.table, key: row.key, column: this.columns[column]!.name });
  }

  showSql(shown: boolean): void {
    this.sqlShown = this.sqlAskedFor = shown;
    this.#keep();
    this.#changed();
  }
  writeSql(text: string): void {
    this.sql = text;
    this.#keep();
  }
  async run(sql: string): Promise<void> {
    if (sql.trim() === '' || this.sqlRunning) return;
    const mine = this.link.ask('run', { sql });
    this.sqlRunning = mine;
    this.sqlError = undefined;
    this.#changed();
    try {
      this.sqlResult = await mine.answer;
      if (this.sqlResult.changes !== undefined) void this.refresh();
    } catch (error) {
      this.sqlResult = undefined;
      this.sqlError = {
        text: error instanceof Error ? error.message : String(error),
        offset: (error as { offset?: number }).offset,
      };
    }
    this.sqlRunning = undefined;
    this.#changed();
  }
  cancelSql(): void {
    this.sqlRunning?.cancel();
  }

  #ask<C extends Cmd>(cmd: C, params: Requests[C]['params']): Promise<Requests[C]['value']> {
    return this.link.ask(cmd, params).answer;
  }
  #fail(error: unknown): void {
    this.error = error instanceof Error ? error.message : String(error);
    this.loading = false;
    this.#changed();
  }
}
