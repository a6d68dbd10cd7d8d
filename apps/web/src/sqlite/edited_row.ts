// SPDX-License-Identifier: Apache-2.0
// The cells of a row with unsaved edits.

import type { GridRow, Pending, Value } from './wire';

/** The pending edits of a row, over its stored values. */
export function pendingOf(
  pending: Pending,
  table: string,
  row: GridRow,
  columns: readonly { name: string }[],
): { cells: Map<number, Value>; deleted: boolean } {
  const cells = new Map<number, Value>();
  let deleted = false;
  const key = JSON.stringify(row.key);
  for (const edit of pending.edits) {
    if (edit.table !== table || edit.kind === 'insert' || JSON.stringify(edit.key) !== key) continue;
    if (edit.kind === 'delete') deleted = true;
    else
      cells.set(
        columns.findIndex((column) => column.name === edit.column),
        edit.value,
      );
  }
  return { cells, deleted };
}
