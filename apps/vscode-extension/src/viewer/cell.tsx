// One cell in full: text that can be changed, bytes as hex, text or a picture, and saved to a file.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { typed } from '../sqlite/statements';
import { size_text, value_text, type Value } from '../sqlite/wire';
import type { OpenCell, Store } from './store';
import { bytes_of, hex_lines, image_type } from './value';

export function CellPanel({ store, cell }: { store: Store; cell: OpenCell }) {
  const column = store.columns[cell.column];
  return (
    <aside class="panel cell-panel" aria-label={`Cell ${column?.name ?? ''}`}>
      <div class="bar"><b>{column?.name}</b> <span class="faint">{column?.type}</span><span class="grow" /><button type="button" aria-label="Close" onClick={() => store.close_cell()}>✕</button></div>
      {cell.error ? <p class="error">{cell.error}</p> : cell.value === undefined ? <p class="faint">{cell.row.key ? 'Reading …' : 'A view has no rows of its own: what is cut cannot be read here. Use the SQL box.'}</p>
        : typeof cell.value === 'object' && cell.value !== null && 'base64' in cell.value ? <Bytes store={store} cell={cell} value={cell.value} /> : <Text key={`${cell.row.key}/${cell.column}`} store={store} cell={cell} value={cell.value} />}
    </aside>
  );
}

function Text({ store, cell, value }: { store: Store; cell: OpenCell; value: Value }) {
  const [text, set_text] = useState(value_text(value));
  const change = (to: Value) => { store.set_cell(cell.row, cell.column, to); store.close_cell(); };
  return (
    <>
      <textarea aria-label="Value" value={text} readOnly={!store.editable} onInput={(e) => set_text(e.currentTarget.value)} spellcheck={false} />
      {store.editable && <div class="bar">
        <button type="button" class="primary" disabled={text === value_text(value) && value !== null} onClick={() => change(typeof value === 'string' ? text : typed(text))}>Change</button>
        <button type="button" disabled={value === null} onClick={() => change(null)}>Set to NULL</button>
      </div>}
    </>
  );
}

type BytesValue = Extract<Value, { base64: string }>;

function Bytes({ store, cell, value }: { store: Store; cell: OpenCell; value: BytesValue }) {
  const bytes = useMemo(() => bytes_of(value.base64), [value]);
  const type = image_type(bytes);
  const [form, set_form] = useState(type ? 'picture' : 'hex');
  return (
    <>
      <div class="bar">
        {[...(type ? ['picture'] : []), 'hex', 'text'].map((one) => <button key={one} type="button" aria-pressed={form === one} onClick={() => set_form(one)}>{one}</button>)}
        <span class="grow" /><span class="faint">{size_text(value.size)}{value.truncated ? ', the first 64 KB' : ''}</span>
        <button type="button" onClick={() => store.save_cell(cell)}>Save to a file</button>
      </div>
      {form === 'picture' && type ? <Picture bytes={bytes} type={type} /> : <pre class="bytes" tabIndex={0}>{form === 'hex' ? hex_lines(bytes) : new TextDecoder().decode(bytes)}</pre>}
    </>
  );
}

function Picture({ bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }) {
  const [url, set_url] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    set_url(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return <div class="picture">{url && <img src={url} alt="The cell as a picture" />}</div>;
}
