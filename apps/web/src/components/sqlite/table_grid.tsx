// SPDX-License-Identifier: Apache-2.0
// The rows of a table or view: sorted, filtered, edited.

import { useRef, useState } from 'preact/hooks';
import { typed } from '../../sqlite/statements';
import { csvLine, insertLine, jsonObject, tsv } from '../../sqlite/text_forms';
import { pendingOf } from '../../sqlite/edited_row';
import type { ViewerStore } from '../../sqlite/viewer_store';
import { valueText, type GridRow, type Value } from '../../sqlite/wire';
import { words } from '../../strings/views';
import { Grid, rangeOf, scrollTo, type Place } from './grid';
import { ValueView } from './value';

const FILTER_MS = 350; // after the last key

export function TableGrid({ store, drawn }: { store: ViewerStore; drawn: number }) {
  const [at, setAt] = useState<Place>();
  const [anchor, setAnchor] = useState<Place>(); // where a range that ends at `at` began
  const [editing, setEditing] = useState<Place>();
  const box = useRef<HTMLDivElement>(null);
  const { columns, rows } = store;
  const pending = (row: number) => pendingOf(store.pending, store.look.table, rows[row]!, columns);
  const begin = (place: Place) => {
    const row = rows[place.row]!;
    if (!store.editable || row.cuts[place.column] || columns[place.column]!.generated)
      void store.open(row, place.column);
    else setEditing(place);
  };
  const select = (to: Place, further: boolean) => {
    setAnchor(further ? (anchor ?? at) : undefined);
    setAt(to);
  };
  const move = (to: Place, further: boolean) => {
    select(to, further);
    scrollTo(box.current?.querySelector('.grid') ?? null, to.row);
  };
  return (
    <div class="table" ref={box}>
      <Grid
        label={store.look.table}
        count={rows.length}
        selected={at}
        rangeEnd={anchor}
        onSelect={select}
        onOpen={(row, column) => begin({ row, column })}
        columns={columns.map((column, i) => ({ name: column.name, type: column.type, longest: longest(rows, i) }))}
        onEnd={() => void store.next()}
        head={(column) => <Head key={`${store.look.table}/${column}`} store={store} column={column} drawn={drawn} />}
        rowClass={(row) => (pending(row).deleted ? 'deleted' : '')}
        onKey={(e) => {
          if (!editing) key(e, store, at, anchor, move, begin);
        }}
        cell={(row, column) => {
          if (editing?.row === row && editing.column === column)
            return (
              <CellInput
                store={store}
                place={editing}
                onDone={() => {
                  setEditing(undefined);
                  box.current?.querySelector<HTMLElement>('.grid')?.focus();
                }}
              />
            );
          return cellView(store, pending(row).cells, row, column);
        }}
      />
      <RowBar store={store} row={at?.row ?? -1} />
    </div>
  );
}

function cellView(store: ViewerStore, changed: ReadonlyMap<number, Value>, row: number, column: number) {
  const { cells, cuts } = store.rows[row]!;
  const isNew = changed.has(column);
  return (
    <span class={isNew ? 'changed' : ''}>
      <ValueView
        value={isNew ? changed.get(column)! : cells[column]!}
        cut={isNew ? undefined : cuts[column]}
        onOpen={() => void store.open(store.rows[row]!, column)}
      />
    </span>
  );
}

const LOOKED_AT = 40;
const longest = (rows: readonly GridRow[], column: number): number =>
  Math.max(0, ...rows.slice(0, LOOKED_AT).map((row) => (row.cuts[column] ? 12 : valueText(row.cells[column]!).length)));

function key(
  e: KeyboardEvent,
  store: ViewerStore,
  at: Place | undefined,
  anchor: Place | undefined,
  move: (to: Place, further: boolean) => void,
  begin: (at: Place) => void,
): void {
  if ((e.target as Element).matches('input, textarea')) return;
  const now = at ?? { row: 0, column: 0 };
  const steps: Record<string, [number, number]> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    PageDown: [20, 0],
    PageUp: [-20, 0],
  };
  const step = steps[e.key];
  if (step) {
    move(
      {
        row: Math.max(0, Math.min(store.rows.length - 1, now.row + step[0])),
        column: Math.max(0, Math.min(store.columns.length - 1, now.column + step[1])),
      },
      e.shiftKey,
    );
    e.preventDefault();
  } else if (at && (e.key === 'Enter' || e.key === 'F2')) {
    begin(at);
    e.preventDefault();
  } else if (at && e.key === 'c' && (e.ctrlKey || e.metaKey)) {
    const { top, bottom, left, right } = rangeOf(at, anchor ?? at);
    void store.copyCells(store.rows.slice(top, bottom + 1), store.columns.map((_, i) => i).slice(left, right + 1), tsv);
  }
}

function Head({ store, column }: { store: ViewerStore; column: number; drawn: number }) {
  const w = words();
  const { name, type, pk, notnull } = store.columns[column]!;
  const { sort, filters } = store.look;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const arrow = sort?.column === column ? (sort.descending ? ' ▼' : ' ▲') : '';
  return (
    <>
      <div class="named">
        <button
          type="button"
          class="sort"
          title={w.sort_by(name)}
          aria-label={`${name}${arrow ? (sort!.descending ? w.descending : w.ascending) : ''}`}
          onClick={() => void store.sort(column)}
        >
          <b>{name}</b>
          {arrow}
        </button>
        <span class="faint">
          {pk > 0 && 'PK '}
          {type}
          {notnull && ' !'}
        </span>
      </div>
      <input
        class="filter"
        type="text"
        placeholder={w.filter}
        aria-label={w.filter_of(name)}
        title={w.filter_hint}
        defaultValue={filters[column] ?? ''}
        spellcheck={false}
        onInput={(e) => {
          const text = e.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => void store.filter(column, text), FILTER_MS);
        }}
      />
    </>
  );
}

function CellInput({ store, place, onDone }: { store: ViewerStore; place: Place; onDone: () => void }) {
  const row = store.rows[place.row]!;
  const before = row.cells[place.column]!;
  const done = useRef(false);
  const finish = (value?: Value) => {
    if (done.current) return;
    done.current = true;
    if (value !== undefined) store.setCell(row, place.column, value);
    onDone();
  };
  return (
    <input
      class="edit"
      type="text"
      aria-label={words().new_value}
      ref={(element) => {
        if (element && document.activeElement !== element) {
          element.focus();
          element.select();
        }
      }}
      defaultValue={valueText(before)}
      spellcheck={false}
      onBlur={() => finish()}
      onKeyDown={(e) => {
        e.stopPropagation();
        const { value } = e.currentTarget;
        if (e.key === 'Escape') finish();
        else if (e.key === 'Enter')
          finish(
            value === valueText(before) && before !== null
              ? undefined
              : typeof before === 'string'
                ? value
                : typed(value),
          );
      }}
    />
  );
}

/** Actions for the chosen row. The bar is always visible below the rows, so that no control moves under a person's second click. */
function RowBar({ store, row }: { store: ViewerStore; row: number }) {
  const w = words();
  const chosen = store.rows[row];
  if (!chosen) return <div class="bar row-bar faint">{store.editable ? w.choose_to_change : w.choose}</div>;
  const names = store.columns.map((column) => column.name);
  const { key: named } = chosen;
  return (
    <div class="bar row-bar" role="toolbar" aria-label={w.row}>
      <span class="faint">
        {w.row} {(row + 1).toLocaleString('en')}
      </span>
      <button type="button" onClick={() => void store.copyRow(chosen, (cells) => csvLine(cells))}>
        {w.copy_as('CSV')}
      </button>
      <button type="button" onClick={() => void store.copyRow(chosen, (cells) => jsonObject(names, cells))}>
        {w.copy_as('JSON')}
      </button>
      <button
        type="button"
        onClick={() => void store.copyRow(chosen, (cells) => insertLine(store.look.table, names, cells))}
      >
        {w.copy_as('INSERT')}
      </button>
      {store.editable && named && (
        <button type="button" onClick={() => store.edit({ kind: 'delete', table: store.look.table, key: named })}>
          {w.delete_row}
        </button>
      )}
    </div>
  );
}
