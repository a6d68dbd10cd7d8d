// Rows as text for elsewhere: CSV, JSON, INSERT.

import { literal, quoted } from './statements';
import { value_text, type Value } from './wire';

const csv_cell = (value: Value): string => {
  const text = typeof value === 'object' && value !== null && 'base64' in value ? value.base64 : value_text(value);
  return /[",\r\n]/.test(text) || (value !== null && text === '') ? `"${text.replaceAll('"', '""')}"` : text;  // '' is told from NULL
};
export const csv_line = (values: readonly Value[]): string => `${values.map(csv_cell).join(',')}\r\n`;

/** Integers beyond what JavaScript holds keep their digits. */
const json_cell = (value: Value): string => (value !== null && typeof value === 'object' && value.$type === 'int' ? value.value : JSON.stringify(value));
export const json_object = (names: readonly string[], values: readonly Value[]): string => `{${names.map((name, i) => `${JSON.stringify(name)}:${json_cell(values[i]!)}`).join(',')}}`;

export const insert_line = (table: string, names: readonly string[], values: readonly Value[]): string =>
  `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${values.map(literal).join(', ')});\n`;
