// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { SpentOn } from '../../protocol';
import { amountIn, countIn, sumsBy, tokens, total } from './spent';

const row = (day: string, conversation: string, input: number, currency: string, amount: number): SpentOn => ({
  day,
  conversation,
  spent: {
    turns: 1,
    untold_turns: 0,
    input_tokens: input,
    output_tokens: 1,
    cache_read_tokens: 0,
    costs: [{ amount, currency }],
  },
});
const rows = [
  row('2026-03-08', 'a', 10, 'USD', 1),
  row('2026-03-09', 'a', 20, 'EUR', 2),
  row('2026-03-09', 'b', 30, 'USD', 4),
];

test('sums keep currencies apart', () => {
  expect(total(rows).costs).toEqual([
    { amount: 2, currency: 'EUR' },
    { amount: 5, currency: 'USD' },
  ]);
  expect(tokens(total(rows))).toBe(63);
  expect(total([])).toMatchObject({ turns: 0, costs: [] });
});

test('rows are added up by whatever tells them apart', () => {
  expect(sumsBy(rows, (spentOn) => spentOn.day).map((sum) => [sum.key, tokens(sum.spent)])).toEqual([
    ['2026-03-08', 11],
    ['2026-03-09', 52],
  ]);
  expect(sumsBy(rows, (spentOn) => spentOn.conversation).map((sum) => sum.key)).toEqual(['a', 'b']);
});

test('numbers are read as people write them', () => {
  expect(countIn('1 000 000')).toBe(1_000_000);
  expect(countIn('250,000')).toBe(250_000);
  expect(countIn('2M')).toBe(2_000_000);
  expect(countIn('500k')).toBe(500_000);
  expect(countIn('  ')).toBeUndefined();
  for (const wrong of ['0', '-5', 'many', '1e9']) expect(countIn(wrong)).toBeNaN();
  expect(amountIn('2,50')).toBe(2.5);
  expect(amountIn('')).toBeUndefined();
  for (const wrong of ['0', '-1', '1.2.3', 'free', 'Infinity']) expect(amountIn(wrong)).toBeNaN();
});
