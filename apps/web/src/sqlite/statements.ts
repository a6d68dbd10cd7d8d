// SPDX-License-Identifier: Apache-2.0
// The SQL behind the viewer: pages that begin behind the last row instead of counting from the first, filters with bound values, and edits
// as readable statements. Pure: text in, text out.

import {
  bytesOf,
  type Cut,
  type Edit,
  type GridRow,
  type Look,
  type Row,
  type Table,
  type Value,
  type View,
} from './wire';

export const TEXT_MOST = 300; // characters of a text in the grid; the rest on demand

const MADE_MOST = 10_000; // characters of a CREATE statement

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A value as an SQL literal. A text with a NUL would end early as a literal. */
export function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string')
    return value.includes('\0')
      ? `CAST(x'${hexOf(new TextEncoder().encode(value))}' AS TEXT)`
      : `'${value.replaceAll("'", "''")}'`;
  if ('value' in value) return value.$type === 'int' ? value.value : value.value.startsWith('-') ? '-9e999' : '9e999';
  const hex = `x'${hexOf(bytesOf(value.base64))}'`;
  return value.$type === 'blob' ? hex : `CAST(${hex} AS TEXT)`;
}

/** The CREATE statements of indexes and triggers; the index of a key has none. */
export const made: Statement = {
  sql: `SELECT type, name, substr(sql, 1, ${MADE_MOST}) AS sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY name`,
  params: [],
};

/** The columns that identify a row; none: a view, or a virtual table. */
export function keyOf(table: Table): string[] {
  if (table.without_rowid)
    return [...table.columns]
      .filter((tableColumn) => tableColumn.pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((tableColumn) => tableColumn.name);
  if (table.kind !== 'table') return [];
  const taken = new Set(table.columns.map((tableColumn) => tableColumn.name.toLowerCase()));
  const free = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
  return free
    ? [free]
    : table.columns.filter((tableColumn) => tableColumn.pk > 0).map((tableColumn) => tableColumn.name);
}

export const columnsOf = (thing: Table | View) => thing.columns.filter((tableColumn) => !tableColumn.hidden);
const isTable = (thing: Table | View): thing is Table => 'kind' in thing;
export const keysOf = (thing: Table | View): string[] => (isTable(thing) ? keyOf(thing) : []);

/** A name without quotes cannot be mistaken for a text: `"rowid"` of a view would be a text. */
const column = (thing: Table | View, name: string): string =>
  columnsOf(thing).some((tableColumn) => tableColumn.name === name) || !['rowid', '_rowid_', 'oid'].includes(name)
    ? quoted(name)
    : name;

export interface Statement {
  sql: string;
  params: Value[];
}

/** `=x`, `>5`, `null`, `!null`, or a part of the text. */
export function filter(name: string, wanted: string): Statement {
  const text = wanted.trim();
  if (/^null$/i.test(text)) return { sql: `${name} IS NULL`, params: [] };
  if (/^!\s*null$/i.test(text)) return { sql: `${name} IS NOT NULL`, params: [] };
  const compared = /^(<=|>=|!=|<>|=|<|>)\s*(.*)$/s.exec(text);
  if (compared) return { sql: `${name} ${compared[1]} ?`, params: [typed(compared[2]!)] };
  return { sql: `${name} LIKE ? ESCAPE '\\'`, params: [`%${text.replace(/[\\%_]/g, '\\$&')}%`] };
}

/** A person's input: a number in the usual notation; `007` and `1.50` stay text, which a numeric column converts itself. */
export function typed(text: string): Value {
  if (/^-?[1-9]\d{0,17}$/.test(text) && !Number.isSafeInteger(Number(text))) return { $type: 'int', value: text };
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

function where(thing: Table | View, look: Look): Statement {
  const parts = Object.entries(look.filters)
    .filter(([, text]) => text.trim() !== '')
    .map(([at, text]) => filter(quoted(columnsOf(thing)[Number(at)]!.name), text));
  return { sql: parts.map((part) => part.sql).join(' AND '), params: parts.flatMap((part) => part.params) };
}

/** The grid reads no blobs and no whole long texts; `m` marks such cells, with their sizes. */
function selected(thing: Table | View): string {
  const columns = columnsOf(thing);
  const cells = columns.map(
    ({ name }, i) =>
      `CASE typeof(${quoted(name)}) WHEN 'blob' THEN NULL WHEN 'text' THEN substr(${quoted(name)},1,${TEXT_MOST}) ELSE ${quoted(name)} END AS c${i}`,
  );
  const cuts = columns.map(
    ({ name }, i) =>
      `CASE typeof(${quoted(name)}) WHEN 'blob' THEN '${i}b'||length(${quoted(name)})||',' WHEN 'text' THEN CASE WHEN length(${quoted(name)})>${TEXT_MOST} THEN '${i}t'||length(${quoted(name)})||',' ELSE '' END ELSE '' END`,
  );
  const keys = keysOf(thing).map((name, i) => `${column(thing, name)} AS k${i}`);
  return [...keys, ...cells, `${cuts.join('||') || "''"} AS m`].join(', ');
}

/**
 * A page of rows. In the table's own order, the page begins behind `after`, by the key's index: the first page of ten rows and the last of
 * ten billion rows cost the same. In another order, the page begins behind the same row by the sort columns. Rows are skipped only behind
 * a blob, which the grid does not read, and in a view, whose rows have no key.
 */
export function page(
  thing: Table | View,
  look: Look,
  after: GridRow | undefined,
  skip: number,
  most: number,
): Statement {
  const keys = keysOf(thing).map((name) => column(thing, name));
  const condition = where(thing, look);
  const parts = condition.sql ? [condition.sql] : [];
  const params = [...condition.params];
  const ownOrder = look.sort === undefined && keys.length > 0;
  if (ownOrder && after?.key) {
    parts.push(keys.length === 1 ? `${keys[0]} > ?` : `(${keys.join(', ')}) > (${keys.map(() => '?').join(', ')})`);
    params.push(...after.key);
  }
  const behind =
    look.sort && after?.key && keys.length > 0
      ? behindSorted(thing, look.sort, { ...after, key: after.key })
      : undefined;
  if (behind) {
    parts.push(behind.sql);
    params.push(...behind.params);
  }
  const by = look.sort
    ? [`${quoted(columnsOf(thing)[look.sort.column]!.name)} ${look.sort.descending ? 'DESC' : 'ASC'}`, ...keys]
    : keys;
  const rest = ownOrder || behind ? '' : ` OFFSET ${skip}`;
  return {
    sql: `SELECT ${selected(thing)} FROM ${quoted(thing.name)}${parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : ''}${by.length > 0 ? ` ORDER BY ${by.join(', ')}` : ''} LIMIT ${most}${rest}`,
    params,
  };
}

/** Reads the sorted value again by the row's key: the grid may hold only its beginning. Without the row, the cell's value must suffice. */
function behindSorted(
  thing: Table | View,
  { column: at, descending }: NonNullable<Look['sort']>,
  { key, cells, cuts }: GridRow & { key: Value[] },
): Statement | undefined {
  const value = cells[at];
  if (value === undefined || cuts[at]?.kind === 'blob') return undefined;
  const name = quoted(columnsOf(thing)[at]!.name);
  const keys = keysOf(thing)
    .map((part) => column(thing, part))
    .join(', ');
  const marks = key.map(() => '?').join(', ');
  const later = `(${keys}) > (${marks})`;
  if (value === null)
    return { sql: `(${name} IS NULL AND ${later}${descending ? '' : ` OR ${name} IS NOT NULL`})`, params: key };
  const there = `coalesce((SELECT ${name} FROM ${quoted(thing.name)} WHERE (${keys}) = (${marks})), ?)`;
  const nulls = descending ? ` OR ${name} IS NULL` : '';
  return {
    sql: `(${name} ${descending ? '<' : '>'} ${there} OR ${name} = ${there} AND ${later}${nulls})`,
    params: [...key, value, ...key, value, ...key],
  };
}

export function count(thing: Table | View, look: Look): Statement {
  const { sql, params } = where(thing, look);
  return { sql: `SELECT count(*) AS n FROM ${quoted(thing.name)}${sql ? ` WHERE ${sql}` : ''}`, params };
}

export function gridRow(thing: Table | View, row: Row): GridRow {
  const keys = keysOf(thing);
  const cuts: Record<number, Cut> = {};
  for (const [, at, kind, size] of String(row.m).matchAll(/(\d+)([bt])(\d+),/g))
    cuts[Number(at)] = { kind: kind === 'b' ? 'blob' : 'text', size: Number(size) };
  return {
    key: keys.length > 0 ? keys.map((_, i) => row[`k${i}`]!) : undefined,
    cells: columnsOf(thing).map((_, i) => row[`c${i}`]!),
    cuts,
  };
}

/** A condition for a row by its key; several values for keys with several columns. */
function isRow(table: Table, key: readonly Value[]): string {
  return keyOf(table)
    .map((name, i) => `${column(table, name)} = ${literal(key[i]!)}`)
    .join(' AND ');
}

export function cell(table: Table, key: readonly Value[], name: string): string {
  return `SELECT ${quoted(name)} AS v FROM ${quoted(table.name)} WHERE ${isRow(table, key)}`;
}

/** An edit as a self-contained statement: a person sees the statement before the write. */
export function editSql(table: Table, edit: Edit): string {
  switch (edit.kind) {
    case 'update':
      return `UPDATE ${quoted(table.name)} SET ${quoted(edit.column)} = ${literal(edit.value)} WHERE ${isRow(table, edit.key)};`;
    case 'delete':
      return `DELETE FROM ${quoted(table.name)} WHERE ${isRow(table, edit.key)};`;
    case 'insert': {
      const names = Object.keys(edit.values);
      if (names.length === 0) return `INSERT INTO ${quoted(table.name)} DEFAULT VALUES;`;
      return `INSERT INTO ${quoted(table.name)} (${names.map(quoted).join(', ')}) VALUES (${names.map((name) => literal(edit.values[name]!)).join(', ')});`;
    }
  }
}
