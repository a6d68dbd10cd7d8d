// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { BlockReader, blocksOf, type Block } from './blocks';
import { CHAPTER_CHARS, chapterEnds } from './chapters';

const PROSE = 'The peer waits for its own back-off first, so the two race; nobody can tell which comes first. ';
const MIXED = `# Step

A paragraph with \`code\`
over two lines.

- one

  still one

  \`\`\`sh
  make

  install
  \`\`\`

- \`\`\`sh
  first

  second
  \`\`\`
- two

1. first

   its text

2. second

~~~~md
\`\`\`
not the end

~~~
neither

~~~~

<details>
<summary>The log</summary>

a line

another line

</details>

> quote

> \`\`\`
> quoted code
> \`\`\`

| a | b |
|---|---|
| 1 | 2 |

\`\`\`cpp
int main() {

return 0; // \`\`\` not the end
}
\`\`\`
After.

`;
const long = (part: string, chars = 5.5 * CHAPTER_CHARS) =>
  Array.from({ length: Math.ceil(chars / part.length) }, (_, i) => part.replace('#', `# ${i}`)).join('');

function chaptersOf(text: string, known = false): string[] {
  const ends = chapterEnds(text, known);
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}
/** The blocks of a text, read in a single piece. */
function blocksIn(text: string): Block[] {
  const reader = new BlockReader();
  return [...reader.feed(text), ...reader.end()];
}
const trimmed = (blocks: Block[]) =>
  blocks.map((block) => (block.kind === 'code' ? block : { ...block, text: block.text.replace(/\n+$/, '') }));

describe('chapters', () => {
  test('reading chapter by chapter gives the blocks of the whole text', () => {
    const text = long(MIXED);
    const chapters = chaptersOf(text);
    expect(chapters.length).toBeGreaterThan(3);
    expect(chapters.join('')).toBe(text);
    expect(chapters.at(-1)!.length).toBeGreaterThan(CHAPTER_CHARS / 2 - MIXED.length);
    for (const chapter of chapters.slice(0, -1)) expect(chapter.length).toBeLessThan(CHAPTER_CHARS + 2 * MIXED.length);
    expect(trimmed(chapters.flatMap(blocksIn))).toEqual(trimmed(blocksIn(text)));
  });

  test('long code and long folds stay in a single chapter', () => {
    const lines = long('a line\n\n');
    for (const [open, close] of [
      ['```log\n', '```\n'],
      ['<details>\n\n', '</details>\n'],
    ]) {
      const text = `${long(PROSE.repeat(4) + '\n\n')}${open}${lines}${close}\n${long(PROSE.repeat(4) + '\n\n')}`;
      const whole = chaptersOf(text).filter((chapter) => chapter.includes('a line'));
      expect(whole).toHaveLength(1);
      expect(whole[0]).toContain(open + lines + close);
    }
    expect(chaptersOf('```\n' + lines)).toHaveLength(1); // possibly a growing tail
    expect(chaptersOf('<details>\n' + lines)).toHaveLength(1);
  });

  test('chapters of an endless paragraph end at sentences, and of a long list at line ends', () => {
    const paragraphs = chaptersOf(long(PROSE));
    expect(paragraphs.length).toBeGreaterThan(3);
    for (const paragraph of paragraphs.slice(0, -1)) expect(paragraph.endsWith('first. ')).toBe(true);
    const lists = chaptersOf(long('- an item\n'));
    expect(lists.length).toBeGreaterThan(3);
    for (const list of lists.slice(0, -1)) expect(list.endsWith('item\n')).toBe(true);
  });

  test('lines may end with a carriage return', () => {
    const chapters = chaptersOf(long(`${PROSE}\r\n${PROSE}\r\n\r\n`));
    expect(chapters.length).toBeGreaterThan(3);
    for (const chapter of chapters.slice(0, -1)) expect(chapter.endsWith('\r\n\r\n')).toBe(true);
  });

  test('a chapter inside of a paragraph continues the paragraph', () => {
    expect(blocksOf('and so on', true)).toEqual([{ kind: 'markdown', text: 'and so on', goesOn: true }]);
  });

  test('short texts and texts with unknown definitions are a single chapter', () => {
    expect(chaptersOf(long(PROSE, 1.5 * CHAPTER_CHARS))).toHaveLength(1);
    const defined = `${long(MIXED)}\n[site]: https://example.com\n`;
    expect(chaptersOf(defined)).toHaveLength(1);
    expect(chaptersOf(defined, true).length).toBeGreaterThan(3);
    expect(chaptersOf(`${long(MIXED)}\n\`\`\`\n[site]: https://example.com\n\`\`\`\n`).length).toBeGreaterThan(3);
  });

  test('the time is linear in the length of the text', () => {
    const began = performance.now();
    for (const part of ['```\n', '<details>\n', '\n\n- ', '\n\n```\n\n```', 'x'])
      chapterEnds(long(part, 4_000_000), false);
    expect(performance.now() - began).toBeLessThan(10_000); // a second on a busy machine; quadratic time is minutes
  });
});
