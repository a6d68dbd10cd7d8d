// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { head, plain } from './ansi';
import { diffRows } from './diff';
import { ago, day, duration, grouped, money, shortFolder } from './format';
import { tokenIn } from './host';

describe('terminal output', () => {
  test('escapes go, text stays', () => {
    expect(plain('\x1b[1;31mred\x1b[0m \x1b]0;title\x07ok\x1b[2K\x1b(B\x07')).toBe('red ok');
    expect(plain('\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\')).toBe('link');
    expect(plain('cut \x1b[3')).toBe('cut ');
  });
  test('a carriage return overwrites its line as a terminal does', () => {
    expect(plain('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
    expect(plain('abcdef\rxy')).toBe('xycdef');
  });
  test('head counts lines without a phantom last one', () => {
    expect(head('a\nb\nc\n', 2)).toEqual({ shown: 'a\nb', lines: 3 });
    expect(head('a\nb', 2)).toEqual({ shown: 'a\nb', lines: 2 });
    expect(head('', 2)).toEqual({ shown: '', lines: 0 });
    expect(head('\n\n', 5)).toEqual({ shown: '\n', lines: 2 });
  });
});

describe('diff', () => {
  test('numbers, counts and word marks', () => {
    const before = Array.from({ length: 50 }, (_, i) => `line ${i + 1}`).join('\n') + '\n';
    const after = before.replace('line 42\n', 'line forty two\nextra\n');
    const { rows, added, removed } = diffRows({ path: 'x', before, after });
    expect([added, removed]).toEqual([2, 1]);
    expect(rows.map((r) => [r.kind, r.line])).toEqual([
      ['gap', 38],
      ['same', 39],
      ['same', 40],
      ['same', 41],
      ['del', 42],
      ['add', 42],
      ['add', 43],
      ['same', 44],
      ['same', 45],
      ['same', 46],
    ]);
    expect(rows[4]!.parts).toEqual([
      { text: 'line ', changed: false },
      { text: '42', changed: true },
    ]);
    expect(
      rows[5]!.parts
        .filter((p) => p.changed)
        .map((p) => p.text)
        .join(''),
    ).toContain('forty');
  });
  test('lines that have nothing in common get no marks', () => {
    const { rows } = diffRows({ path: 'x', before: 'alpha beta gamma\n', after: 'return;\n' });
    expect(rows.every((r) => r.parts.every((p) => !p.changed))).toBe(true);
  });
  test('new, deleted, equal and without a last newline', () => {
    expect(diffRows({ path: 'x', after: 'a\nb\n' })).toMatchObject({ added: 2, removed: 0 });
    expect(diffRows({ path: 'x', before: 'a\nb' })).toMatchObject({ added: 0, removed: 2 });
    expect(diffRows({ path: 'x', before: 'a\n', after: 'a\n' })).toEqual({ rows: [], added: 0, removed: 0 });
    const numbered = Array.from({ length: 12 }, (_, i) => String(i + 1));
    const oneLeft = diffRows({
      path: 'x',
      before: numbered.join('\n'),
      after: [...numbered.slice(0, 4), 'five', ...numbered.slice(5)].join('\n'),
    }).rows;
    expect(oneLeft.slice(0, 3).map((r) => [r.kind, r.line, r.parts[0]?.text])).toEqual([
      ['same', 1, '1'],
      ['same', 2, '2'],
      ['same', 3, '3'],
    ]);
    expect(diffRows({ path: 'x', before: 'a', after: 'a\nb' }).rows.map((r) => r.kind)).not.toContain('gap');
  });
  test('two large unrelated files do not hang', () => {
    const big = (seed: number) =>
      Array.from({ length: 20_000 }, (_, i) => `${(i * 7919 + seed) % 104_729} ${i * seed}`).join('\n');
    const began = performance.now();
    const { added, removed } = diffRows({ path: 'x', before: big(1), after: big(2) });
    expect(performance.now() - began).toBeLessThan(3000);
    expect(added).toBeGreaterThan(19_000);
    expect(removed).toBeGreaterThan(19_000);
  });
});

describe('words for people', () => {
  const now = new Date(2026, 4, 20, 15, 0, 0).getTime();
  const at = (ms: number) => new Date(now - ms).toISOString();
  test('durations', () => {
    expect([0, 12_400, 65_000, 7_800_000].map(duration)).toEqual(['0 s', '12 s', '1 m 05 s', '2 h 10 m']);
  });
  test('how long ago', () => {
    expect([5_000, 125_000, 3_700_000].map((ms) => ago(at(ms), now))).toEqual(['now', '2 m', '1 h']);
    expect(ago(at(-5_000), now)).toBe('now'); // the host's clock is ahead
    expect(ago('nonsense', now)).toBe('');
  });
  test('days', () => {
    expect(day(at(1_000), now)).toBe('today');
    expect(day(at(16 * 3_600_000), now)).toBe('yesterday');
    expect(day(at(40 * 86_400_000), now)).toContain('2026');
  });
  test('folders, digits, money', () => {
    expect(shortFolder('/home/ann/code', '/home/ann')).toBe('~/code');
    expect(shortFolder('/home/anna', '/home/ann')).toBe('/home/anna');
    expect(shortFolder('/home/ann', '/home/ann/')).toBe('~');
    expect(grouped(18204)).toBe('18,204');
    expect([
      money({ amount: 0.11, currency: 'USD' }),
      money({ amount: 0.0012, currency: 'USD' }),
      money({ amount: 0, currency: 'USD' }),
    ]).toEqual(['$0.11', '$0.0012', '$0.00']);
  });
  test('a token is found in whatever was pasted', () => {
    for (const pasted of [
      'abc-1',
      ' abc-1\n',
      'http://127.0.0.1:55003/#token=abc-1',
      'http://x/?token=abc-1&y=2',
      'token=abc-1',
    ])
      expect(tokenIn(pasted)).toBe('abc-1');
  });
});
