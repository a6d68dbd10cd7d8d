// The SQLite viewer's page.

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { typed } from '../sqlite/statements';
import { CellPanel } from './cell';
import type { WebviewApi } from './link';
import { SchemaTree } from './schema_tree';
import { SqlBox } from './sql_box';
import { ROWS_MOST, Store } from './store';
import { TableGrid } from './table_grid';
import './viewer.css';

declare const acquireVsCodeApi: () => WebviewApi;

function Viewer({ store }: { store: Store }) {
  const [, draw] = useState(0);
  const [adding, set_adding] = useState(false);
  useEffect(() => store.subscribe(() => draw((n) => n + 1)), []);
  const { schema, error } = store;
  return (
    <div class="viewer">
      {schema && <SchemaTree store={store} schema={schema} />}
      <main>
        <TopBar store={store} onAdd={() => set_adding(!adding)} />
        {error && <p class="error" role="alert">{error} <button type="button" onClick={() => void store.refresh()}>Try again</button></p>}
        {adding && store.editable && <NewRow key={store.look.table} store={store} onDone={() => set_adding(false)} />}
        {store.thing ? <TableGrid key={store.look.table} store={store} /> : schema && <p class="faint empty">There are no tables in this database yet.</p>}
        {store.pending.edits.length > 0 && <PendingEdits store={store} />}
        {store.open_cell && <CellPanel store={store} cell={store.open_cell} />}
        {store.sql_shown && <SqlBox store={store} />}
      </main>
    </div>
  );
}

function TopBar({ store, onAdd }: { store: Store; onAdd: () => void }) {
  const { rows, more, total } = store;
  const shown = `${rows.length.toLocaleString('en')}${more ? '+' : ''} rows${rows.length >= ROWS_MOST ? ': filter to see others' : ''}`;
  return (
    <div class="bar top" role="toolbar" aria-label="Table">
      <b class="title">{store.look.table}</b>
      <span class="status" role="status">{store.loading ? 'Reading …' : shown}</span>
      <button type="button" onClick={() => void store.count()}>{total === 'counting' ? 'Counting … cancel' : total === undefined ? 'Count' : `${total.toLocaleString('en')} in all`}</button>
      <span class="grow" />
      {store.editable && <button type="button" onClick={onAdd}>Add row</button>}
      <button type="button" onClick={() => void store.refresh()}>Refresh</button>
      <button type="button" onClick={() => void store.export()}>Export</button>
      {store.pending.undoable > 0 && <button type="button" onClick={() => void store.do('undo_saved')}>Undo last write</button>}
      <button type="button" aria-pressed={store.sql_shown} onClick={() => store.show_sql(!store.sql_shown)}>SQL</button>
    </div>
  );
}

function PendingEdits({ store }: { store: Store }) {
  const { edits, sql } = store.pending;
  return (
    <section class="panel pending" aria-label="Edits that wait">
      <div class="bar"><b>{edits.length === 1 ? '1 edit waits' : `${edits.length} edits wait`}</b><span class="faint">nothing is written before you save</span><span class="grow" /><button type="button" class="primary" onClick={() => void store.do('save')}>Review and save</button></div>
      <pre tabIndex={0}>{sql}</pre>
    </section>
  );
}

function NewRow({ store, onDone }: { store: Store; onDone: () => void }) {
  const columns = store.columns.filter((one) => !one.generated);
  return (
    <form class="panel new-row" aria-label="New row" onSubmit={(e) => {
      e.preventDefault();
      const given = new FormData(e.currentTarget);
      const values = Object.fromEntries(columns.flatMap((one, i) => { const text = String(given.get(String(i)) ?? ''); return text === '' ? [] : [[one.name, typed(text)]]; }));
      store.edit({ kind: 'insert', table: store.look.table, values });
      onDone();
    }}>
      {columns.map((one, i) => <label key={one.name}><span>{one.name}</span><input type="text" name={String(i)} placeholder={one.default ?? (one.pk > 0 || !one.notnull ? 'default' : 'needed')} /></label>)}
      <button type="submit" class="primary">Add</button>
    </form>
  );
}

const store = new Store(acquireVsCodeApi());
render(<Viewer store={store} />, document.getElementById('app')!);
void store.refresh();
