// SPDX-License-Identifier: Apache-2.0
// A database: its schema, the rows of a table, and the person's edits. Depends only on its store, so that the page and an editor's webview
// can both show the viewer.

import { useEffect, useState } from 'preact/hooks';
import { typed } from '../../sqlite/statements';
import { ROWS_MOST, type ViewerStore } from '../../sqlite/viewer_store';
import { words } from '../../strings/views';
import { CellPanel } from './cell';
import { SchemaTree } from './schema_tree';
import { SqlBox } from './sql_box';
import { TableGrid } from './table_grid';

export function Viewer({ store }: { store: ViewerStore }) {
  const w = words();
  // Passed to components with their own state: on the page, such components are redrawn only if their props have changed.
  const [drawn, draw] = useState(0);
  const [adding, setAdding] = useState(false);
  useEffect(() => {
    const again = () => draw((n) => n + 1);
    again(); // catches changes from before the subscription
    return store.subscribe(again);
  }, [store]);
  const { schema, error } = store;
  return (
    <div class={`viewer${store.schemaShown ? ' schema-shown' : ''}`}>
      {schema && <SchemaTree store={store} schema={schema} />}
      <div class="body">
        <TopBar store={store} onAdd={() => setAdding(!adding)} />
        {error && (
          <p class="error" role="alert">
            {error}{' '}
            <button type="button" class="small" onClick={() => void store.refresh()}>
              {w.try_again}
            </button>
          </p>
        )}
        {adding && store.editable && <NewRow key={store.look.table} store={store} onDone={() => setAdding(false)} />}
        {store.thing ? (
          <TableGrid key={store.look.table} store={store} drawn={drawn} />
        ) : (
          schema && <p class="faint nothing">{w.no_tables}</p>
        )}
        {store.pending.edits.length > 0 && <PendingEdits store={store} />}
        {store.openCell && <CellPanel store={store} cell={store.openCell} />}
        {store.sqlShown && <SqlBox store={store} drawn={drawn} />}
      </div>
    </div>
  );
}

function TopBar({ store, onAdd }: { store: ViewerStore; onAdd: () => void }) {
  const w = words();
  const { rows, more, total, pending } = store;
  const shown = w.rows_shown(rows.length, more) + (rows.length >= ROWS_MOST ? w.filter_for_others : '');
  return (
    <div class="bar top" role="toolbar" aria-label={w.table}>
      <button
        type="button"
        class="tables-button"
        aria-pressed={store.schemaShown}
        onClick={() => store.showSchema(!store.schemaShown)}
      >
        {w.tables}
      </button>
      <b class="title">{store.look.table}</b>
      <span class="status" role="status">
        {store.loading ? w.reading : store.thing ? shown : ''}
      </span>
      {store.thing && (
        <button type="button" class="quiet" onClick={() => void store.count()}>
          {total === 'counting' ? w.counting : total === undefined ? w.count : w.in_all(total)}
        </button>
      )}
      <span class="grow" />
      {store.editable && (
        <button type="button" onClick={onAdd}>
          {w.add_row}
        </button>
      )}
      <button type="button" onClick={() => void store.refresh()}>
        {w.refresh}
      </button>
      {store.thing && (
        <button type="button" onClick={() => void store.export()}>
          {w.export}
        </button>
      )}
      {pending.undoable > 0 && (
        <button type="button" onClick={() => void store.do('undo_saved')}>
          {w.undo_write}
        </button>
      )}
      <button type="button" aria-pressed={store.sqlShown} onClick={() => store.showSql(!store.sqlShown)}>
        {w.sql}
      </button>
      <button
        type="button"
        class="edits"
        aria-pressed={pending.switch}
        disabled={pending.switch && pending.edits.length > 0}
        title={pending.switch ? w.edits_on_hint : w.edits_off_hint}
        onClick={() => store.allowEdits(!pending.switch)}
      >
        {w.edits}
      </button>
    </div>
  );
}

function PendingEdits({ store }: { store: ViewerStore }) {
  const w = words();
  const { edits, sql, history } = store.pending;
  return (
    <section class="panel pending" aria-label={w.waiting_edits}>
      <div class="bar">
        <b>{w.edits_wait(edits.length)}</b>
        <span class="faint">{w.nothing_before_save}</span>
        <span class="grow" />
        {history && (
          <>
            <button type="button" disabled={!history.undo} onClick={() => store.history('undo')}>
              {w.undo}
            </button>
            <button type="button" disabled={!history.redo} onClick={() => store.history('redo')}>
              {w.redo}
            </button>
            <button type="button" onClick={() => store.history('drop')}>
              {w.discard}
            </button>
          </>
        )}
        <button type="button" class="primary" onClick={() => void store.do('save')}>
          {w.review}
        </button>
      </div>
      <pre tabIndex={0}>{sql}</pre>
    </section>
  );
}

function NewRow({ store, onDone }: { store: ViewerStore; onDone: () => void }) {
  const w = words();
  const columns = store.columns.filter((column) => !column.generated);
  return (
    <form
      class="panel new-row"
      aria-label={w.new_row}
      onSubmit={(e) => {
        e.preventDefault();
        const given = new FormData(e.currentTarget);
        const values = Object.fromEntries(
          columns.flatMap((column, i) => {
            const text = String(given.get(String(i)) ?? '');
            return text === '' ? [] : [[column.name, typed(text)]];
          }),
        );
        store.edit({ kind: 'insert', table: store.look.table, values });
        onDone();
      }}
    >
      {columns.map((column, i) => (
        <label key={column.name}>
          <span>{column.name}</span>
          <input
            type="text"
            name={String(i)}
            placeholder={column.default ?? (column.pk > 0 || !column.notnull ? w.by_default : w.needed)}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        {w.add}
      </button>
    </form>
  );
}
