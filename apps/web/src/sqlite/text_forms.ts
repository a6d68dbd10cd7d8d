// SPDX-License-Identifier: Apache-2.0
// Rows as text for elsewhere: CSV, JSON, INSERT, and tabs between cells for spreadsheets.

import { literal, quoted } from './statements';
import { valueText, type Value } from './wire';

const textOf = (value: Value): string =>
  typeof value === 'object' && value !== null && 'base64' in value ? value.base64 : valueText(value);
const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csvCell = (value: Value): string => {
  const text = textOf(value);
  return /[",\r\n]/.test(text) || (value !== null && text === '') ? inQuotes(text) : text; // distinguishes '' from NULL
};
const tsvCell = (value: Value): string => {
  const text = textOf(value);
  return /["\t\r\n]/.test(text) ? inQuotes(text) : text;
};
/** The selection as pasted cells; a single cell gives its text. */
export const tsv = (rows: readonly Value[][]): string =>
  rows.length === 1 && rows[0]!.length === 1
    ? textOf(rows[0]![0]!)
    : rows.map((cells) => cells.map(tsvCell).join('\t')).join('\n');
export const csvLine = (values: readonly Value[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** Integers beyond JavaScript's range keep their digits. */
const jsonCell = (value: Value): string =>
  value !== null && typeof value === 'object' && value.$type === 'int' ? value.value : JSON.stringify(value);
export const jsonObject = (names: readonly string[], values: readonly Value[]): string =>
  `{${names.map((name, i) => `${JSON.stringify(name)}:${jsonCell(values[i]!)}`).join(',')}}`;

export const insertLine = (table: string, names: readonly string[], values: readonly Value[]): string =>
  `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${values.map(literal).join(', ')});\n`;
