// SPDX-License-Identifier: Apache-2.0
// The SQL box: runs what is selected, or all; tells where a fault is, how long it took, and how many rows came.

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ViewerStore } from '../../sqlite/viewer_store';
import { words } from '../../strings/views';
import { Grid } from './grid';
import { ValueView } from './value';

export function SqlBox({ store }: { store: ViewerStore; drawn: number }) {
  const w = words();
  const area = useRef<HTMLTextAreaElement>(null);
  const ran = useRef(0); // where what runs begins in the text
  const run = () => {
    const { value, selectionStart, selectionEnd } = area.current!;
    const part = value.slice(selectionStart, selectionEnd);
    ran.current = part.trim() === '' ? 0 : selectionStart;
    void store.run(part.trim() === '' ? value : part);
  };
  useEffect(() => {
    if (store.sqlAskedFor) area.current!.focus();
  }, []);
  const { sqlError: error, sqlResult: result } = store;
  useFault(error, area, ran);
  return (
    <section class="panel sql" aria-label={w.sql}>
      <textarea
        ref={area}
        aria-label={w.sql}
        spellcheck={false}
        placeholder={w.sql_hint}
        value={store.sql}
        onInput={(e) => store.writeSql(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
            e.preventDefault();
            run();
          }
        }}
      />
      <div class="bar">
        <button type="button" class="primary" disabled={store.sqlRunning !== undefined} onClick={run}>
          {w.run}
        </button>
        {store.sqlRunning && (
          <button type="button" onClick={() => store.cancelSql()}>
            {w.cancel}
          </button>
        )}
        <span class="status" role="status">
          {store.sqlRunning ? w.running : result ? told(result) : ''}
        </span>
        {error && (
          <span class="error" role="alert">
            {error.text}
          </span>
        )}
      </div>
      {result && result.columns.length > 0 && (
        <Grid
          label={w.result}
          columns={result.columns}
          count={result.rows.length}
          cell={(row, column) => <ValueView value={result.rows[row]![column]!} />}
        />
      )}
    </section>
  );
}

/** Selects the place of an error in the text. `begin`: the offset of the statement. */
function useFault(
  error: ViewerStore['sqlError'],
  area: RefObject<HTMLTextAreaElement | null>,
  begin: RefObject<number>,
): void {
  useEffect(() => {
    if (error?.offset === undefined) return;
    const at = begin.current + characters(area.current!.value.slice(begin.current), error.offset);
    area.current!.focus();
    area.current!.setSelectionRange(at, at + 1);
  }, [error]);
}

function told({ rows, truncated, changes, ms }: NonNullable<ViewerStore['sqlResult']>): string {
  const w = words();
  const what = changes === undefined ? w.result_rows(rows.length, truncated) : w.rows_changed(changes);
  return `${what}, ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** SQLite counts bytes; a text area counts units of UTF-16. */
function characters(text: string, bytes: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}
