// SPDX-License-Identifier: Apache-2.0
// Rows as text for elsewhere: CSV, JSON, INSERT, and tabs between cells for spreadsheets.

import { literal, quoted } from './statements';
import { value_text, type Value } from './wire';

const text_of = (value: Value): string =>
  typeof value === 'object' && value !== null && 'base64' in value ? value.base64 : value_text(value);
const in_quotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csv_cell = (value: Value): string => {
  const text = text_of(value);
  return /[",\r\n]/.test(text) || (value !== null && text === '') ? in_quotes(text) : text; // distinguishes '' from NULL
};
const tsv_cell = (value: Value): string => {
  const text = text_of(value);
  return /["\t\r\n]/.test(text) ? in_quotes(text) : text;
};
/** The selection as pasted cells; a single cell gives its text. */
export const tsv = (rows: readonly Value[][]): string =>
  rows.length === 1 && rows[0]!.length === 1
    ? text_of(rows[0]![0]!)
    : rows.map((cells) => cells.map(tsv_cell).join('\t')).join('\n');
export const csv_line = (values: readonly Value[]): string => `${values.map(csv_cell).join(',')}\r\n`;

/** Integers beyond JavaScript's range keep their digits. */
const json_cell = (value: Value): string =>
  value !== null && typeof value === 'object' && value.$type === 'int' ? value.value : JSON.stringify(value);
export const json_object = (names: readonly string[], values: readonly Value[]): string =>
  `{${names.map((name, i) => `${JSON.stringify(name)}:${json_cell(values[i]!)}`).join(',')}}`;

export const insert_line = (table: string, names: readonly string[], values: readonly Value[]): string =>
  `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${values.map(literal).join(', ')});\n`;
