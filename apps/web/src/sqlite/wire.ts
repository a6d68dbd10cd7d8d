// SPDX-License-Identifier: Apache-2.0
// The viewer's requests to its service, and the form of a cell. `changed` and `pending` arrive without a request. In the page both sides
// are in one document; in an editor, messages carry the calls.

/** A value of the helper: plain JSON, or an object with `$type` for values without an exact form in JSON. */
export type Value =
  | null
  | boolean
  | number
  | string
  | { $type: 'blob' | 'text'; base64: string; size: number; truncated?: boolean }
  | { $type: 'int' | 'real'; value: string };
export type Row = Record<string, Value>;

export interface Column {
  name: string;
  type: string;
  notnull: boolean;
  default: string | null;
  pk: number;
  hidden: boolean;
  generated: string | null;
}
export interface Index {
  name: string;
  unique: boolean;
  origin: string;
  partial: boolean;
  columns: (string | null)[];
}
export interface ForeignKey {
  columns: string[];
  ref_table: string;
  ref_columns: (string | null)[];
  on_update: string;
  on_delete: string;
}
export interface Table {
  name: string;
  kind: string;
  without_rowid: boolean;
  sql: string;
  columns: Column[];
  indexes: Index[];
  foreign_keys: ForeignKey[];
  triggers: string[];
}
export interface View {
  name: string;
  sql: string;
  columns: Column[];
  error?: string;
}
/** `made`: the CREATE statements of its indexes and triggers, named by made_by. */
export interface Schema {
  db_path: string;
  tables: Table[];
  views: View[];
  truncated: boolean;
  made: Record<string, string>;
}
export const madeBy = (type: 'index' | 'trigger', name: string): string => `${type} ${name}`;

/** A shortened or omitted value of a cell: its kind, and its whole size in bytes or characters. */
export interface Cut {
  kind: 'blob' | 'text';
  size: number;
}
/** `key`: the values that name the row; absent in a view. `cuts`: by the column's place. */
export interface GridRow {
  key: Value[] | undefined;
  cells: Value[];
  cuts: Record<number, Cut>;
}

export interface Sort {
  column: number;
  descending: boolean;
}
export interface Look {
  table: string;
  sort: Sort | undefined;
  filters: Record<number, string>;
}
/** Where the next page begins: behind a row, or, where rows have no key or another order, behind so many. */
export interface Page {
  rows: GridRow[];
  more: boolean;
  ms: number;
}

export type Edit =
  | { kind: 'update'; table: string; key: Value[]; column: string; value: Value }
  | { kind: 'delete'; table: string; key: Value[] }
  | { kind: 'insert'; table: string; values: Record<string, Value> };

export interface RunResult {
  columns: { name: string; type: string }[];
  rows: Value[][];
  truncated: boolean;
  changes: number | undefined;
  ms: number;
}
/** `history`: the viewer keeps the history, and not the editor around. `switch`: the person's permission for writes. */
export interface Pending {
  edits: Edit[];
  sql: string;
  undoable: number;
  history?: { undo: boolean; redo: boolean };
  switch: boolean;
}

export interface Requests {
  schema: { params: Record<string, never>; value: Schema };
  page: { params: { look: Look; after: GridRow | undefined; skip: number }; value: Page };
  count: { params: { look: Look }; value: number };
  cell: { params: { table: string; key: Value[]; column: string }; value: Value };
  save_cell: { params: { table: string; key: Value[]; column: string }; value: boolean };
  run: { params: { sql: string }; value: RunResult };
  edit: { params: { edit: Edit }; value: null };
  save: { params: Record<string, never>; value: null };
  history: { params: { step: 'undo' | 'redo' | 'drop' }; value: null };
  allow_edits: { params: { on: boolean }; value: null };
  undo_saved: { params: Record<string, never>; value: boolean };
  export: { params: { look: Look }; value: number | null };
  copy: { params: { text: string }; value: null };
}
export type Cmd = keyof Requests;
/** Messages without a request. */
export type Told = { type: 'changed' } | { type: 'pending'; pending: Pending };
export interface Asked<T> {
  answer: Promise<T>;
  cancel(): void;
}

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1 << 20
      ? `${(bytes / 1024).toFixed(1)} KB`
      : bytes < 1 << 30
        ? `${(bytes / (1 << 20)).toFixed(1)} MB`
        : `${(bytes / (1 << 30)).toFixed(1)} GB`;

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; ++at) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The text of a cell for copying and editing; null has none. */
export function valueText(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if ('value' in value) return value.value;
  return value.$type === 'blob' ? `BLOB ${sizeText(value.size)}` : `TEXT? ${sizeText(value.size)}`;
}
