// One viewer: answers its page's requests about one database, asks a person before anything is written, and tells when the file changes.

import { watch, type FSWatcher } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import { told, type Database } from './database';
import { SqliteError, type Running } from './helper';
import { csv_line, json_object } from './text_forms';
import type { Cmd, Edit, Pending, Requests, ToExtension, ToViewer } from './wire';

const QUIET_MS = 250;                               // after the last write of a burst

export interface ViewerHooks { edited(edit: Edit): void; save(): Promise<void> }
type Handlers = { [C in Cmd]: (params: Requests[C]['params'], watch: (running: Running<unknown>) => void) => Promise<Requests[C]['value']> };

export class Viewer implements vscode.Disposable {
  private readonly running = new Map<number, Running<unknown>>();
  private readonly parts: vscode.Disposable[];
  private readonly watcher: FSWatcher | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly webview: vscode.Webview, private readonly database: Database, private readonly hooks: ViewerHooks) {
    this.parts = [webview.onDidReceiveMessage((message: ToExtension) => void this.take(message))];
    const name = basename(database.path);
    try {
      this.watcher = watch(dirname(database.path), (_, file) => { if (file === name || file === `${name}-wal`) this.changed_soon(); });
      this.watcher.on('error', () => {});
    } catch { /* a folder that cannot be watched: there is a button */ }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watcher?.close();
    for (const one of this.running.values()) one.cancel();
    vscode.Disposable.from(...this.parts).dispose();
  }

  async tell_pending(): Promise<void> {
    const pending: Pending = { edits: [...this.database.edits.all], sql: await this.database.edits_sql(), undoable: this.database.saved };
    this.post({ type: 'pending', pending });
  }
  changed(): void { this.post({ type: 'changed' }); }

  private changed_soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed(), QUIET_MS);
  }
  private post(message: ToViewer): void { void this.webview.postMessage(message); }

  private async take(message: ToExtension): Promise<void> {
    if (typeof message !== 'object' || message === null) return;
    if ('cancel' in message) { this.running.get(message.cancel)?.cancel(); return; }
    const { request, cmd, params } = message;
    const handler = Object.hasOwn(this.handlers, cmd) ? this.handlers[cmd] as (params: unknown, watch: (running: Running<unknown>) => void) => Promise<unknown> : undefined;
    if (!handler || typeof request !== 'number') return;
    try {
      this.post({ type: 'done', request, value: await handler(params, (running) => this.running.set(request, running)) });
    } catch (error) {
      const { code, offset } = error instanceof SqliteError ? error : { code: 'INTERNAL', offset: undefined };
      this.post({ type: 'failed', request, code, message: error instanceof Error ? error.message : String(error), ...(offset !== undefined && { offset }) });
    } finally {
      this.running.delete(request);
    }
  }

  private readonly handlers: Handlers = {
    schema: async () => {
      const schema = await this.database.schema();
      await this.tell_pending();
      return schema;
    },
    page: ({ look, after, skip }, watch) => this.database.page(look, after, skip, watch),
    count: ({ look }, watch) => this.database.count(look, watch),
    cell: ({ table, key, column }, watch) => this.database.cell(table, key, column, watch),
    save_cell: ({ table, key, column }) => this.save_cell(table, key, column),
    run: ({ sql }, watch) => this.run(sql, watch),
    edit: async ({ edit }) => { this.hooks.edited(edit); return null; },
    save: async () => { await this.hooks.save(); return null; },
    undo_saved: () => this.undo_saved(),
    export: ({ look }) => this.export_rows(look),
    copy: async ({ text }) => { await vscode.env.clipboard.writeText(text); return null; },
  };

  /** What only reads runs at once; what writes is previewed, and asks first. */
  private async run(sql: string, watch: (running: Running<unknown>) => void) {
    try {
      return await this.database.run(sql, watch);
    } catch (error) {
      const writes = error instanceof SqliteError && (error.code === 'NOT_READONLY' || /more than one statement|second statement|one statement/i.test(error.message));
      if (!writes) throw error;
    }
    const result = await confirm_and_write(this.database, sql);
    if (!result) throw new SqliteError('CANCELLED', 'Nothing was written.');
    await this.tell_pending();
    return result;
  }

  private async undo_saved(): Promise<boolean> {
    const choice = await vscode.window.showWarningMessage('Take back the last write to this database?', { modal: true }, 'Take back');
    if (!choice) return false;
    await this.database.undo_saved();
    await this.tell_pending();
    this.changed();
    return true;
  }

  private async save_cell(table: string, key: Parameters<Database['bytes']>[1], column: string): Promise<boolean> {
    const to = await vscode.window.showSaveDialog({ title: `Save ${column}` });
    if (!to) return false;
    await pipeline(this.database.bytes(table, key, column), createWriteStream(to.fsPath));
    return true;
  }

  private async export_rows(look: Requests['export']['params']['look']): Promise<number | null> {
    const to = await vscode.window.showSaveDialog({ title: `Export ${look.table}`, filters: { CSV: ['csv'], JSON: ['json'] } });
    if (!to) return null;
    let rows = 0;
    const lines = to.fsPath.endsWith('.json') ? json_lines(this.database, look, (n) => { rows += n; }) : csv_lines(this.database, look, (n) => { rows += n; });
    await pipeline(lines, createWriteStream(to.fsPath));
    return rows;
  }
}

/** Shows what would change; undefined: the person does not want it. */
export async function confirm_and_write(database: Database, sql: string) {
  const preview = await database.preview(sql);
  const detail = `${told(preview)}\n\n${sql.length > 3000 ? `${sql.slice(0, 3000)}\n…` : sql}`;
  const choice = await vscode.window.showWarningMessage(`Write to ${basename(database.path)}?`, { modal: true, detail }, 'Write');
  return choice ? database.write(sql, preview) : undefined;
}

async function* csv_lines(database: Database, look: Requests['export']['params']['look'], count: (rows: number) => void): AsyncGenerator<string> {
  let head = true;
  for await (const { names, rows } of database.all_rows(look)) {
    if (head) yield csv_line(names);
    head = false;
    for (const row of rows) yield csv_line(await whole(database, look.table, names, row));
    count(rows.length);
  }
}

async function* json_lines(database: Database, look: Requests['export']['params']['look'], count: (rows: number) => void): AsyncGenerator<string> {
  let before = '[\n';
  for await (const { names, rows } of database.all_rows(look)) {
    for (const row of rows) {
      yield before + json_object(names, await whole(database, look.table, names, row));
      before = ',\n';
    }
    count(rows.length);
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** With the cells that the grid cuts. */
async function whole(database: Database, table: string, names: string[], row: import('./wire').GridRow) {
  const cells = [...row.cells];
  for (const at of Object.keys(row.cuts).map(Number)) {
    if (!row.key) throw new Error(`${names[at]!} holds more than a page of the grid shows, and ${table} has no key to read it by. Export the table behind it, or the rows of a query in the SQL box.`);
    cells[at] = await database.cell(table, row.key, names[at]!);
  }
  return cells;
}
