// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { BlockReader, MAX_TAIL_CHARS, type Block } from './blocks';

function whole(text: string): Block[] {
  const reader = new BlockReader();
  return [...reader.feed(text), ...reader.end()];
}
function pieces(text: string, size: number): Block[] {
  const reader = new BlockReader();
  const out: Block[] = [];
  for (let at = 0; at < text.length; at += size) out.push(...reader.feed(text.slice(at, at + size)));
  return [...out, ...reader.end()];
}
const trimmed = (blocks: Block[]) =>
  blocks.map((b) => (b.kind === 'code' ? b : { ...b, text: b.text.replace(/\n+$/, '') }));

const sample = `# Title

A paragraph with \`code\`
over two lines.

- one
- two

  still two
- three

\`\`\`cpp
int main() {

  return 0; // \`\`\` not the end
}
\`\`\`
After.

| a | b |
|---|---|
| 1 | 2 |

<details>
<summary>The log</summary>

\`\`\`
a line

\`\`\`
- an item

</details>

~~~~
\`\`\`
~~~
~~~~

> quote

    indented code

1. first

   \`\`\`sh
   ls
   \`\`\`
2. second

Setext
===

end`;

describe('cutting', () => {
  test('finds the same blocks in pieces of any size', () => {
    const want = trimmed(whole(sample));
    expect(want.length).toBeGreaterThan(9);
    for (const size of [1, 2, 3, 5, 7, 16, 64, 1000])
      expect(trimmed(pieces(sample, size)), `pieces of ${size}`).toEqual(want);
  });

  test('loses no text', () => {
    const text = whole(sample)
      .map((b) => b.text)
      .join('');
    for (const word of [
      'Title',
      'two lines',
      'still two',
      'three',
      'return 0',
      'After.',
      '| 1 | 2 |',
      'quote',
      'indented',
      'second',
      'Setext',
      'end',
    ])
      expect(text).toContain(word);
  });

  test('a fold is a single block', () => {
    expect(trimmed(whole('a\n\n<details>\n\nb\n\n```\nc\n```\n\n</details>\n\nd'))).toEqual([
      { kind: 'markdown', text: 'a' },
      { kind: 'markdown', text: '<details>\n\nb\n\n```\nc\n```\n\n</details>' },
      { kind: 'markdown', text: 'd' },
    ]);
  });
  test('an open fence is code from its first line on and grows only', () => {
    const reader = new BlockReader();
    expect(reader.feed('Look:\n\n```py\n')).toEqual([{ kind: 'markdown', text: 'Look:' }]);
    let before = '';
    for (const c of 'print(1)\n\n``x\n``') {
      expect(reader.feed(c)).toEqual([]);
      const tail = reader.tail();
      expect(tail.kind).toBe('code');
      if (!/^`*$/.test(tail.text.slice(before.length))) expect(tail.text.startsWith(before)).toBe(true);
      before = tail.text;
    }
    expect(reader.tail().language).toBe('py');
    expect(reader.feed('`\nDone')).toEqual([{ kind: 'code', language: 'py', text: 'print(1)\n\n``x\n' }]);
    expect(reader.tail()).toMatchObject({ kind: 'markdown', text: 'Done' });
  });

  test('a fence still open at the end is closed', () => {
    expect(whole('```js\nlet a')).toEqual([{ kind: 'code', language: 'js', text: 'let a' }]);
    expect(whole('```js\nlet a\n```')).toEqual([{ kind: 'code', language: 'js', text: 'let a\n' }]);
    expect(whole('```js')).toEqual([{ kind: 'code', language: 'js', text: '' }]);
  });

  test('a list is not closed by an empty line', () => {
    const reader = new BlockReader();
    expect(reader.feed('- a\n\n')).toEqual([]);
    expect(reader.feed('- b\n\ntext')).toEqual([]);
    expect(reader.feed('\n')).toMatchObject([{ kind: 'markdown', text: '- a\n\n- b' }]);
  });

  test('carriage returns do not count', () => {
    expect(trimmed(whole('a\r\n\r\nb\r\n'))).toEqual([
      { kind: 'markdown', text: 'a' },
      { kind: 'markdown', text: 'b' },
    ]);
  });

  test('an endless block is cut, so the tail stays small', () => {
    const reader = new BlockReader();
    let total = 0;
    for (let i = 0; i < 150; ++i) {
      for (const block of reader.feed('- an item with some text in it\n'.repeat(20))) total += block.text.length;
      expect(reader.tail().text.length).toBeLessThanOrEqual(MAX_TAIL_CHARS);
    }
    expect(total).toBeGreaterThan(0);
    const line = new BlockReader();
    line.feed('x'.repeat(3 * MAX_TAIL_CHARS));
    expect(line.tail().text.length).toBeLessThanOrEqual(MAX_TAIL_CHARS);
  });

  test('link definitions are noticed', () => {
    const reader = new BlockReader();
    reader.feed('See [a].\n\n[a]: https://example.org\n\n');
    reader.end();
    expect(reader.definitions).toBe(true);
  });
});
