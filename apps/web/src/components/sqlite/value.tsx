// SPDX-License-Identifier: Apache-2.0
// A value as it is shown: NULL is not '', a blob is not read, and what is cut says so.

import { words } from '../../strings/views';
import { sizeText, valueText, type Cut, type Value } from '../../sqlite/wire';

export function ValueView({ value, cut, onOpen }: { value: Value; cut?: Cut | undefined; onOpen?: () => void }) {
  if (cut?.kind === 'blob')
    return (
      <button type="button" class="blob" onClick={onOpen}>
        BLOB {sizeText(cut.size)}
      </button>
    );
  if (value === null) return <span class="null">NULL</span>;
  if (typeof value === 'number' || (typeof value === 'object' && 'value' in value))
    return <span class="number">{valueText(value)}</span>;
  if (typeof value === 'object' && value.$type === 'blob')
    return (
      <button type="button" class="blob" onClick={onOpen}>
        BLOB {sizeText(value.size)}
      </button>
    );
  const text = valueText(value);
  const shown = <span class="text">{text.replace(/[\r\n]+/g, ' ⏎ ')}</span>;
  if (!cut) return shown;
  return (
    <span class="cut">
      {shown}
      <button
        type="button"
        class="blob"
        title={words().characters(cut.size)}
        aria-label={words().show_all}
        onClick={onOpen}
      >
        …
      </button>
    </span>
  );
}

const KINDS: [string, number[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
  ['image/bmp', [0x42, 0x4d]],
];
export const imageType = (bytes: Uint8Array): string | undefined =>
  KINDS.find(([, magic]) => magic.every((byte, i) => bytes[i] === byte))?.[0];

const SHOWN_BYTES = 16 * 1024;

/** Offset, sixteen bytes, and what of them is text. */
export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, SHOWN_BYTES); at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    const hex = part
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(' ')
      .padEnd(47);
    lines.push(
      `${at.toString(16).padStart(8, '0')}  ${hex}  ${part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')}`,
    );
  }
  return lines.join('\n');
}
