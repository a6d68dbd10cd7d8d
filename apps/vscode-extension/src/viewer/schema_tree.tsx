// What is declared in the database: tables, views, indexes, triggers, their columns with keys, and the statement that made each.

import { size_text, type Column, type Schema, type Table, type View } from '../sqlite/wire';
import type { Store } from './store';

export function SchemaTree({ store, schema }: { store: Store; schema: Schema }) {
  return (
    <nav class="schema" aria-label="Schema">
      <Group name="Tables" count={schema.tables.length}>{schema.tables.map((one) => <Thing key={one.name} store={store} thing={one} />)}</Group>
      {schema.views.length > 0 && <Group name="Views" count={schema.views.length}>{schema.views.map((one) => <Thing key={one.name} store={store} thing={one} />)}</Group>}
      {schema.truncated && <p class="faint">There is more than is shown.</p>}
    </nav>
  );
}

function Group({ name, count, children }: { name: string; count: number; children: preact.ComponentChildren }) {
  return <section><h2>{name} <span class="faint">{count}</span></h2><ul>{children}</ul></section>;
}

const mark = (one: Column, table: Table | View): string => (one.pk > 0 ? 'PK ' : 'foreign_keys' in table && table.foreign_keys.some((key) => key.columns.includes(one.name)) ? 'FK ' : '');

function Thing({ store, thing }: { store: Store; thing: Table | View }) {
  const on = store.look.table === thing.name;
  const table = 'kind' in thing ? thing : undefined;
  return (
    <li>
      <details>
        <summary class={on ? 'on' : ''} aria-current={on}>
          <button type="button" onClick={(e) => { e.preventDefault(); void store.show(thing.name); }}>{thing.name}</button>
          {table?.kind === 'virtual' && <span class="faint"> virtual</span>}
        </summary>
        <ul>
          {thing.columns.map((one) => <li key={one.name} class="leaf" title={[one.notnull ? 'NOT NULL' : '', one.default ? `DEFAULT ${one.default}` : '', one.generated ?? ''].filter(Boolean).join(' ')}>{mark(one, thing)}{one.name} <span class="faint">{one.type}{one.notnull ? ' !' : ''}</span></li>)}
          {table?.indexes.map((one) => <li key={one.name} class="leaf faint">index {one.name} ({one.columns.map((name) => name ?? '…').join(', ')}){one.unique ? ' unique' : ''}</li>)}
          {table?.triggers.map((one) => <li key={one} class="leaf faint">trigger {one}</li>)}
          {table?.foreign_keys.map((one) => <li key={one.columns.join()} class="leaf faint">{one.columns.join(', ')} → {one.ref_table}</li>)}
          {'error' in thing && thing.error && <li class="leaf error">{thing.error}</li>}
          <li class="leaf"><details><summary class="faint">create statement ({size_text(thing.sql.length)})</summary><pre>{thing.sql}</pre></details></li>
        </ul>
      </details>
    </li>
  );
}
