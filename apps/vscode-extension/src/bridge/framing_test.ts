import { describe, expect, test } from 'vitest';
import { classify, LineReader, type Line } from './framing';

const OBJECT = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"ä€😀\u2028\\n"}}';

function read(pieces: (string | Uint8Array)[], most?: number): Line[] {
  const lines: Line[] = [];
  const reader = new LineReader((line) => lines.push(line), most);
  for (const piece of pieces) reader.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  reader.end();
  return lines;
}
const message = { kind: 'message', message: JSON.parse(OBJECT) };

describe('lines out of bytes', () => {
  test('an object cut at every byte, also inside a character', () => {
    const bytes = Buffer.from(`${OBJECT}\n`);
    for (let at = 0; at <= bytes.length; ++at) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([message]);
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual([message]);
  });
  test('two objects in one read, CRLF, empty lines', () => expect(read([`${OBJECT}\n\n${OBJECT}\r\n\r\n`])).toEqual([message, message]));
  test('text before, between and after', () => {
    expect(read([`hello\n${OBJECT}\nthere\n  ${OBJECT}\nbye`])).toEqual([{ kind: 'text', text: 'hello' }, message, { kind: 'text', text: 'there' }, message, { kind: 'text', text: 'bye' }]);
  });
  test('a line of 10 MiB', () => {
    const long = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'a'.repeat(10 << 20) } });
    expect(read([`${long}\n`])[0]?.kind).toBe('message');
  });
  test('a line beyond the limit is passed over whole, and the next one counts', () => {
    expect(read(['{"a":"', 'x'.repeat(300), '"}\n', `${OBJECT}\n`], 200)).toEqual([{ kind: 'too_long', object: true }, message]);
    expect(read(['y'.repeat(300), '\n'], 200)).toEqual([{ kind: 'too_long', object: false }]);
  });
});

describe('what is protocol', () => {
  test.each(['{not json', '{"id":1}', '{"jsonrpc":"1.0","id":1}', `{"jsonrpc":"2.0","params":${'['.repeat(600)}${']'.repeat(600)}}`])('%.30s is odd text', (line) => {
    expect(classify(line)).toEqual({ kind: 'text', text: line, odd: true });
  });
  test.each(['[]', '[{"jsonrpc":"2.0"}]', 'a\0b', '> '])('%s is text', (line) => expect(classify(line)).toEqual({ kind: 'text', text: line }));
});
