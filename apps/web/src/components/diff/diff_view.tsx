// SPDX-License-Identifier: Apache-2.0
// A unified diff with line numbers and word marks.

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { diffRows, type DiffRows, type Row } from '../../diff';
import type { Diff } from '../../protocol';
import { t } from '../../strings';
import { visibleLine } from '../../visible';
import { Visible } from '../visible';

const MORE_ROWS = 2000; // added by one press: the exact change can always be read to its end

const known = new WeakMap<Diff, DiffRows>();

/** Comparing costs; a card and its counts share the result. */
function useDiff(diff: Diff): DiffRows {
  return useMemo(() => {
    let rows = known.get(diff);
    if (!rows) known.set(diff, (rows = diffRows(diff)));
    return rows;
  }, [diff]);
}

export function DiffCounts({ diff }: { diff: Diff }) {
  const rows = useDiff(diff);
  return (
    <span class="counts">
      {rows.added > 0 && (
        <span class="ok">
          <span aria-hidden="true">{t.added(rows.added)}</span>
          <span class="spoken">{t.added_spoken(rows.added)}</span>
        </span>
      )}
      {rows.removed > 0 && (
        <span class="bad">
          <span aria-hidden="true">{t.removed(rows.removed)}</span>
          <span class="spoken">{t.removed_spoken(rows.removed)}</span>
        </span>
      )}
    </span>
  );
}

export function DiffView({ diff, limit }: { diff: Diff; limit: number }) {
  const { rows } = useDiff(diff);
  const room = useSignal(limit);
  const shown = rows.length > room.value ? rows.slice(0, room.value) : rows;
  const note =
    diff.before === undefined
      ? t.diff_new
      : diff.after === undefined
        ? t.diff_deleted
        : rows.length === 0
          ? t.diff_same
          : '';
  return (
    <div class="diff-box">
      {note && <p class="note">{note}</p>}
      {shown.length > 0 && (
        <div class="diff" role="region" aria-label={t.diff_of(visibleLine(diff.path))} tabIndex={0}>
          <div class="rows">
            {shown.map((row, i) => (
              <RowView key={i} row={row} />
            ))}
          </div>
        </div>
      )}
      {rows.length > room.value && (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            room.value += MORE_ROWS;
          }}
        >
          {t.show_rest(rows.length - room.value)}
        </button>
      )}
    </div>
  );
}

function RowView({ row }: { row: Row }) {
  if (row.kind === 'gap') return <div class="gap">{t.diff_skipped(row.line)}</div>;
  const sign = row.kind === 'add' ? '+' : row.kind === 'del' ? '−' : ' ';
  return (
    <div class={row.kind}>
      <span class="n" aria-hidden="true">
        {row.line}
      </span>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      {row.kind !== 'same' && <span class="spoken">{row.kind === 'add' ? t.diff_added : t.diff_removed}</span>}
      <span class="text">
        {row.parts.map((part) =>
          part.changed ? (
            <mark>
              <Visible text={part.text} />
            </mark>
          ) : (
            <Visible text={part.text} />
          ),
        )}
      </span>
    </div>
  );
}
