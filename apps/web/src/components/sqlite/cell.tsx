// SPDX-License-Identifier: Apache-2.0
// One cell in full: text that can be changed, bytes as hex, text or a picture, and saved to a file.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { givenBack } from '../../drafts/given_back';
import { typed } from '../../sqlite/statements';
import type { OpenCell, ViewerStore } from '../../sqlite/viewer_store';
import { bytesOf, sizeText, valueText, type Value } from '../../sqlite/wire';
import { words } from '../../strings/views';
import { hexLines, imageType } from './value';

export function CellPanel({ store, cell }: { store: ViewerStore; cell: OpenCell }) {
  const w = words();
  const column = store.columns[cell.column];
  return (
    <section
      class="panel cell-panel"
      aria-label={w.cell(column?.name ?? '')}
      onKeyDown={(e) => {
        if (e.key === 'Escape') {
          e.stopPropagation();
          store.closeCell();
        }
      }}
    >
      <div class="bar">
        <b>{column?.name}</b> <span class="faint">{column?.type}</span>
        <span class="grow" />
        <button type="button" aria-label={w.close} onClick={() => store.closeCell()}>
          ✕
        </button>
      </div>
      {cell.error ? (
        <p class="error">{cell.error}</p>
      ) : cell.value === undefined ? (
        <p class="faint note">{cell.row.key ? w.reading : w.no_key_to_read}</p>
      ) : typeof cell.value === 'object' && cell.value !== null && 'base64' in cell.value ? (
        <Bytes store={store} cell={cell} value={cell.value} />
      ) : (
        <Text key={`${cell.row.key}/${cell.column}`} store={store} cell={cell} value={cell.value} />
      )}
    </section>
  );
}

const LINE = 80; // characters, about, of a line of the panel
const LINES_MOST = 20;

const linesOf = (text: string): number =>
  Math.min(
    LINES_MOST,
    text.split('\n').reduce((lines, line) => lines + 1 + Math.floor(line.length / LINE), 0),
  );

function Text({ store, cell, value }: { store: ViewerStore; cell: OpenCell; value: Value }) {
  const w = words();
  const original = valueText(value);
  const [typedText, setText] = useState(original);
  const text = givenBack(original, typedText);
  const change = (to: Value) => {
    store.setCell(cell.row, cell.column, to);
    store.closeCell();
  };
  return (
    <>
      <textarea
        rows={linesOf(text)}
        aria-label={w.value}
        value={typedText}
        readOnly={!store.editable}
        onInput={(e) => setText(e.currentTarget.value)}
        spellcheck={false}
      />
      {store.editable && (
        <div class="bar">
          <button
            type="button"
            class="primary"
            disabled={text === original && value !== null}
            onClick={() => change(typeof value === 'string' ? text : typed(text))}
          >
            {w.change}
          </button>
          <button type="button" disabled={value === null} onClick={() => change(null)}>
            {w.set_null}
          </button>
        </div>
      )}
    </>
  );
}

type Form = 'picture' | 'hex' | 'text';
type BytesValue = Extract<Value, { base64: string }>;

function Bytes({ store, cell, value }: { store: ViewerStore; cell: OpenCell; value: BytesValue }) {
  const w = words();
  const bytes = useMemo(() => bytesOf(value.base64), [value]);
  const type = imageType(bytes);
  const [form, setForm] = useState<Form>(type ? 'picture' : 'hex');
  return (
    <>
      <div class="bar">
        {([...(type ? ['picture'] : []), 'hex', 'text'] as Form[]).map((shape) => (
          <button key={shape} type="button" aria-pressed={form === shape} onClick={() => setForm(shape)}>
            {w.forms[shape]}
          </button>
        ))}
        <span class="grow" />
        <span class="faint">
          {sizeText(value.size)}
          {value.truncated ? w.first_part : ''}
        </span>
        <button type="button" onClick={() => store.saveCell(cell)}>
          {w.save_to_file}
        </button>
      </div>
      {form === 'picture' && type ? (
        <Picture bytes={bytes} type={type} />
      ) : (
        <pre class="bytes" tabIndex={0}>
          {form === 'hex' ? hexLines(bytes) : new TextDecoder().decode(bytes)}
        </pre>
      )}
    </>
  );
}

function Picture({ bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }) {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return <div class="picture">{url && <img src={url} alt={words().as_picture} />}</div>;
}
