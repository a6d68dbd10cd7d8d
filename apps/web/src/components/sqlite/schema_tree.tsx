// SPDX-License-Identifier: Apache-2.0
// The schema of the database: tables, views, indexes, triggers, columns with keys, and the CREATE statement of each.

import type { ComponentChildren } from 'preact';
import type { ViewerStore } from '../../sqlite/viewer_store';
import { madeBy, sizeText, type Column, type Schema, type Table, type View } from '../../sqlite/wire';
import { words } from '../../strings/views';

export function SchemaTree({ store, schema }: { store: ViewerStore; schema: Schema }) {
  const w = words();
  return (
    <nav class="schema" aria-label={w.schema}>
      <Group name={w.tables} count={schema.tables.length}>
        {schema.tables.map((table) => (
          <Thing key={table.name} store={store} thing={table} made={schema.made} />
        ))}
      </Group>
      {schema.views.length > 0 && (
        <Group name={w.views} count={schema.views.length}>
          {schema.views.map((view) => (
            <Thing key={view.name} store={store} thing={view} made={schema.made} />
          ))}
        </Group>
      )}
      {schema.truncated && <p class="faint">{w.more_declared}</p>}
    </nav>
  );
}

function Group({ name, count, children }: { name: string; count: number; children: ComponentChildren }) {
  return (
    <section>
      <h2>
        {name} <span class="faint">{count}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

const mark = (column: Column, table: Table | View): string =>
  column.pk > 0
    ? 'PK '
    : 'foreign_keys' in table && table.foreign_keys.some((key) => key.columns.includes(column.name))
      ? 'FK '
      : '';

/** With the CREATE statement, if any: the index of a key has none. */
function Made({ children, sql }: { children: ComponentChildren; sql: string | undefined }) {
  if (sql === undefined) return <li class="leaf faint">{children}</li>;
  return (
    <li class="leaf">
      <details>
        <summary class="faint">{children}</summary>
        <pre tabIndex={0}>{sql}</pre>
      </details>
    </li>
  );
}

function columnRow(column: Column, thing: Table | View) {
  const parts = [
    column.notnull ? 'NOT NULL' : '',
    column.default ? `DEFAULT ${column.default}` : '',
    column.generated ?? '',
  ];
  return (
    <li key={column.name} class="leaf" title={parts.filter(Boolean).join(' ')}>
      {mark(column, thing)}
      {column.name}{' '}
      <span class="faint">
        {column.type}
        {column.notnull ? ' !' : ''}
      </span>
    </li>
  );
}

function Thing({ store, thing, made }: { store: ViewerStore; thing: Table | View; made: Schema['made'] }) {
  const w = words();
  const on = store.look.table === thing.name;
  const table = 'kind' in thing ? thing : undefined;
  return (
    <li class="thing">
      <button type="button" class={on ? 'on' : ''} aria-current={on} onClick={() => void store.show(thing.name)}>
        {thing.name}
      </button>
      <details>
        <summary class={on ? 'on' : ''} aria-label={w.declared_in(thing.name)}>
          <span class="room">{thing.name}</span>
          {table?.kind === 'virtual' && <span class="faint"> {w.virtual}</span>}
        </summary>
        <ul>
          {thing.columns.map((column) => columnRow(column, thing))}
          {table?.indexes.map((index) => (
            <Made key={index.name} sql={made[madeBy('index', index.name)]}>
              {w.index} {index.name} ({index.columns.map((name) => name ?? '…').join(', ')})
              {index.unique ? ` ${w.unique}` : ''}
            </Made>
          ))}
          {table?.triggers.map((trigger) => (
            <Made key={trigger} sql={made[madeBy('trigger', trigger)]}>
              {w.trigger} {trigger}
            </Made>
          ))}
          {table?.foreign_keys.map((foreignKey) => (
            <li key={foreignKey.columns.join()} class="leaf faint">
              {foreignKey.columns.join(', ')} → {foreignKey.ref_table}
            </li>
          ))}
          {'error' in thing && thing.error && <li class="leaf error">{thing.error}</li>}
          <li class="leaf">
            <details>
              <summary class="faint">
                {w.create_statement} ({sizeText(thing.sql.length)})
              </summary>
              <pre tabIndex={0}>{thing.sql}</pre>
            </details>
          </li>
        </ul>
      </details>
    </li>
  );
}
