// SPDX-License-Identifier: Apache-2.0
// A single type scale and a single scale of spacing: distances are steps of the scale.
import { expect, test } from 'vitest';

const TYPE = new Set([11, 12, 12.5, 13, 14, 16, 20]); // 12.5: monospaced text, and notes

const BORDER = /calc\(-1px - var\(--s\d\)\)/; // a step and a border: aligns elements with and without a border

interface Globs {
  glob: (pattern: string[], how: object) => Record<string, string>;
}

const sheets = Object.entries(
  (import.meta as unknown as Globs).glob(['./*.css', '../components/**/*.css'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

/** The steps named by tokens.css: --s0 to --s6. */
const SPACING = new Set(
  [...sheets.find(([sheet]) => sheet.endsWith('tokens.css'))![1].matchAll(/--s\d: (\d+)px/g)].map(([, px]) =>
    Number(px),
  ),
);

/** The lengths in pixels of all declarations with a matching name, with their sheet. */
function lengths(name: RegExp): [string, number][] {
  return sheets.flatMap(([sheet, text]) =>
    [...text.matchAll(/([a-z-]+):([^;{}]*)[;}]/g)]
      .filter(([, property]) => name.test(property!))
      .flatMap(([, property, value]) =>
        [...value!.matchAll(/(\d*\.?\d+)px/g)].map((found): [string, number] => [
          `${sheet} ${property}:${value}`,
          Number(found[1]),
        ]),
      ),
  );
}

test('words are of one of a few sizes', () => {
  const sizes = lengths(/^font(-size)?$/);
  expect(sizes.length).toBeGreaterThan(50);
  expect(sizes.filter(([, size]) => !TYPE.has(size))).toEqual([]);
});

test('things stand apart by steps of one scale, however close they are', () => {
  expect([...SPACING]).toEqual([2, 4, 8, 12, 16, 24, 40]);
  const spaces = lengths(/^(gap|row-gap|column-gap|margin|padding)/);
  expect(spaces.length).toBeGreaterThan(50);
  expect(spaces.filter(([where, space]) => !SPACING.has(space) && !BORDER.test(where))).toEqual([]);
});
