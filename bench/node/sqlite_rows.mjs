// SPDX-License-Identifier: Apache-2.0
// Prints the rows of bench/sqlite.cpp as JSON lines, read with node:sqlite (Node 22.5 or newer).
//
//   node sqlite_rows.mjs DATABASE
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.argv[2], { readOnly: true });
const statement = database.prepare(
  'SELECT id, name, email, amount, visits, note FROM people WHERE id > ?1 ORDER BY id',
);
const write = (text) => {
  for (let bytes = Buffer.from(text); bytes.length !== 0;) bytes = bytes.subarray(writeSync(1, bytes));
};
let out = '';
for (const row of statement.iterate(0)) {
  out += `${JSON.stringify(row)}\n`;
  if (out.length > 200_000) {
    write(out);
    out = '';
  }
}
write(out);
