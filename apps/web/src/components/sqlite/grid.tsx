// SPDX-License-Identifier: Apache-2.0
// A grid of any length: the document contains only the rows in view, with some rows around.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { words } from '../../strings/views';

export const ROW_PX = 24;
const AROUND = 12;
const NEAR = 60; // rows before the end at which the grid asks for more
const NARROWEST_PX = 40;
const WIDEST_PX = 2000;
const STEP_PX = 16; // of a key
const WIDEST_FIRST_PX = 260;

export interface Place {
  row: number;
  column: number;
}
export interface GridColumn {
  name: string;
  type: string;
  title?: string;
  longest?: number;
}
export interface GridProps {
  columns: readonly GridColumn[];
  count: number;
  label: string;
  cell(row: number, column: number): ComponentChildren;
  rowClass?(row: number): string;
  head?(column: number): ComponentChildren;
  onEnd?(): void;
  selected?: Place | undefined;
  /** The end of a range that begins at the selection. */
  rangeEnd?: Place | undefined;
  /** `further`: extends the range to this place. */
  onSelect?(place: Place, further: boolean): void;
  onOpen?(row: number, column: number): void;
  onKey?(event: KeyboardEvent): void;
}

/** The places of a range, its corners in any order. */
export const rangeOf = (a: Place, b: Place) => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.column, b.column),
  right: Math.max(a.column, b.column),
});

const firstWidth = ({ name, type, longest = 12 }: GridColumn): number =>
  Math.min(WIDEST_FIRST_PX, Math.max(80, longest * 9 + 16, (name.length + type.length) * 8 + 44));

export function Grid(p: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [given, setGiven] = useState<Record<string, number>>({});
  const names = p.columns.map((column) => column.name).join('\0');
  const firstWidths = useMemo(() => p.columns.map(firstWidth), [names, p.count > 0]); // not for each page
  const widths = p.columns.map((column, i) => given[column.name] ?? firstWidths[i]!);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setHeight(box.current!.clientHeight));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  // At each drawing: new rows may have replaced a requested page without a change of their number or the place.
  useLayoutEffect(() => {
    if (p.count - (top + height) / ROW_PX < NEAR) p.onEnd?.();
  });

  const first = Math.max(0, Math.floor(top / ROW_PX) - AROUND);
  const last = Math.min(p.count, Math.ceil((top + height) / ROW_PX) + AROUND);
  const give = (name: string, px: number) =>
    setGiven((now) => ({ ...now, [name]: Math.max(NARROWEST_PX, Math.min(WIDEST_PX, px)) }));
  const on = p.selected && p.selected.row >= first && p.selected.row < last ? p.selected : undefined;
  const template = {
    gridTemplateColumns: ['52px', ...widths.map((width) => `${width}px`)].join(' '),
    width: `${52 + widths.reduce((a, b) => a + b, 0)}px`,
  };
  return (
    <div
      class="grid"
      ref={box}
      role="grid"
      aria-label={p.label}
      aria-rowcount={p.count + 1}
      aria-colcount={p.columns.length + 1}
      aria-multiselectable={p.onSelect !== undefined}
      tabIndex={0}
      aria-activedescendant={on ? `${id}-${on.row}-${on.column}` : undefined}
      onScroll={(e) => setTop(e.currentTarget.scrollTop)}
      onKeyDown={p.onKey}
    >
      <div class="head row" role="row" style={template}>
        <div class="n" />
        {p.columns.map((column, i) => (
          <div key={column.name} role="columnheader" title={column.title ?? column.type}>
            {p.head ? p.head(i) : <span class="name">{column.name}</span>}
            <Grip name={column.name} px={widths[i]!} set={(px) => give(column.name, px)} />
          </div>
        ))}
      </div>
      <div class="rows" style={{ height: `${p.count * ROW_PX}px`, width: template.width }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, i) =>
          rowOf(p, id, first + i, { ...template, transform: `translateY(${(first + i) * ROW_PX}px)` }),
        )}
      </div>
    </div>
  );
}

function rowOf(p: GridProps, id: string, row: number, style: Record<string, string>) {
  const range = p.selected && rangeOf(p.selected, p.rangeEnd ?? p.selected);
  return (
    <div key={row} class={`row ${p.rowClass?.(row) ?? ''}`} role="row" aria-rowindex={row + 2} style={style}>
      <div class="n" role="rowheader">
        {row + 1}
      </div>
      {p.columns.map((head, column) => (
        <div
          key={head.name}
          id={`${id}-${row}-${column}`}
          role="gridcell"
          aria-selected={
            range !== undefined &&
            row >= range.top &&
            row <= range.bottom &&
            column >= range.left &&
            column <= range.right
          }
          class={p.selected?.row === row && p.selected.column === column ? 'cell on' : 'cell'}
          onMouseDown={(e) => {
            if (e.shiftKey) e.preventDefault(); // no text is marked
            p.onSelect?.({ row, column }, e.shiftKey);
          }}
          onDblClick={() => p.onOpen?.(row, column)}
        >
          {p.cell(row, column)}
        </div>
      ))}
    </div>
  );
}

/** The right edge of a column: pulled with the pointer, or moved by the arrow keys. */
function Grip({ name, px, set }: { name: string; px: number; set: (px: number) => void }) {
  return (
    <span
      class="grip"
      role="separator"
      aria-orientation="vertical"
      tabIndex={0}
      aria-label={words().width_of(name)}
      aria-valuenow={Math.round(px)}
      aria-valuemin={NARROWEST_PX}
      aria-valuemax={WIDEST_PX}
      onPointerDown={(e) => drag(e, px, set)}
      onKeyDown={(e) => {
        const step = e.key === 'ArrowRight' ? STEP_PX : e.key === 'ArrowLeft' ? -STEP_PX : 0;
        if (step === 0) return;
        e.preventDefault();
        e.stopPropagation();
        set(px + step);
      }}
    />
  );
}

function drag(event: PointerEvent, from: number, set: (px: number) => void): void {
  const grip = event.currentTarget as HTMLElement;
  grip.setPointerCapture(event.pointerId);
  const begin = event.clientX;
  grip.onpointermove = (e) => set(from + e.clientX - begin);
  grip.onpointerup = () => {
    grip.onpointermove = null;
  };
  event.preventDefault();
  event.stopPropagation();
}

export function scrollTo(grid: HTMLElement | null, row: number): void {
  if (!grid) return;
  const at = row * ROW_PX;
  const room = grid.clientHeight - 60;
  if (at < grid.scrollTop) grid.scrollTop = at;
  else if (at + ROW_PX > grid.scrollTop + room) grid.scrollTop = at + ROW_PX - room;
}
