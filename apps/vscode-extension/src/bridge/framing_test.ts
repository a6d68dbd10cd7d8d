// SPDX-License-Identifier: Apache-2.0
// Bytes of the bridge as lines: whole, cut anywhere, and one at a time.

import { describe, expect, test } from 'vitest';
import { classify, LineReader, type Line } from './framing';

const OBJECT = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"ä€😀\u2028\\n"}}';

function read(pieces: readonly Uint8Array[], most?: number): Line[] {
  const lines: Line[] = [];
  const reader = new LineReader((line) => lines.push(line), most);
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return lines;
}
const message = { kind: 'message', message: JSON.parse(OBJECT) };

const text = (line: string): Line => ({ kind: 'text', text: line });
const odd = (line: string): Line => ({ kind: 'text', text: line, odd: true });

// As it comes, and as slowly as it can come.
describe.each([
  ['whole', 10, (all: Uint8Array) => [all]],
  ['a byte at a time', 1, (all: Uint8Array) => [...all].map((byte) => Uint8Array.of(byte))],
] as const)('lines out of bytes, %s', (_, mebibytes, pieces) => {
  const lines = (all: string, most?: number) => read(pieces(Buffer.from(all)), most);

  test('an object cut at every byte, also inside a character', () => {
    const bytes = Buffer.from(`${OBJECT}\n`);
    for (let at = 0; at <= bytes.length; ++at)
      expect(read([...pieces(bytes.subarray(0, at)), ...pieces(bytes.subarray(at))])).toEqual([message]);
  });
  test('two objects, CRLF, empty lines', () =>
    expect(lines(`${OBJECT}\n\n${OBJECT}\r\n\r\n`)).toEqual([message, message]));
  test('text before, between and after', () => {
    expect(lines(`hello\n${OBJECT}\nthere\n  ${OBJECT}\nbye`)).toEqual([
      text('hello'),
      message,
      text('there'),
      message,
      text('bye'),
    ]);
  });
  test('only a line feed ends a line', () =>
    expect(lines('a\u2028b\u0085c\fd\re\n')).toEqual([text('a\u2028b\u0085c\fd\re')]));
  test('an object behind text on its line is text', () =>
    expect(lines(`> ${OBJECT}\n${OBJECT}\n`)).toEqual([text(`> ${OBJECT}`), message]));
  test.each(['{not json', '{\0}'])('%j is text, and what follows counts', (line) =>
    expect(lines(`${line}\n${OBJECT}\n`)).toEqual([odd(line), message]),
  );
  test.each(['[]', 'a\0b', '\0'])('%j is text as well', (line) =>
    expect(lines(`${line}\n${OBJECT}\n`)).toEqual([text(line), message]),
  );
  test(`a line of ${mebibytes} MiB`, () => {
    const long = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'a'.repeat(mebibytes << 20) } });
    expect(lines(`${long}\n`)[0]?.kind).toBe('message');
  }, 60_000);
  test('a line beyond the limit is passed over whole, and the next one counts', () => {
    expect(lines(`{"a":"${'x'.repeat(300)}"}\n${OBJECT}\n`, 200)).toEqual([
      { kind: 'too_long', object: true },
      message,
    ]);
    expect(lines(`${'y'.repeat(300)}\n`, 200)).toEqual([{ kind: 'too_long', object: false }]);
  });
});

describe('what is protocol', () => {
  test.each([
    '{not json',
    '{"id":1}',
    '{"jsonrpc":"1.0","id":1}',
    `{"jsonrpc":"2.0","params":${'['.repeat(600)}${']'.repeat(600)}}`,
  ])('%.30s is odd text', (line) => {
    expect(classify(line)).toEqual({ kind: 'text', text: line, odd: true });
  });
  test('objects as deep as the limit, and not one deeper', () => {
    const deep = (levels: number) => `{"jsonrpc":"2.0","params":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(read([Buffer.from(`${deep(512)}\n${deep(513)}\n`)])).toEqual([
      { kind: 'message', message: JSON.parse(deep(512)) },
      odd(deep(513)),
    ]);
  });
  test.each(['[]', '[{"jsonrpc":"2.0"}]', 'a\0b', '> '])('%s is text', (line) =>
    expect(classify(line)).toEqual({ kind: 'text', text: line }),
  );
});
