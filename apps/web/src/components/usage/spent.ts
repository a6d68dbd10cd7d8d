// SPDX-License-Identifier: Apache-2.0
// What models used, added up for people. Pure.

import type { Cost, Spent, SpentOn } from '../../protocol';

export interface Sum {
  key: string;
  spent: Spent;
}

const nothing: Spent = {
  turns: 0,
  untold_turns: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  costs: [],
};

export const tokens = (spent: Spent): number => spent.input_tokens + spent.output_tokens;

function withCosts(a: readonly Cost[], b: readonly Cost[]): Cost[] {
  const sums = new Map(a.map((cost) => [cost.currency, cost.amount]));
  for (const cost of b) sums.set(cost.currency, (sums.get(cost.currency) ?? 0) + cost.amount);
  return [...sums].sort().map(([currency, amount]) => ({ amount, currency }));
}

export function plus(a: Spent, b: Spent): Spent {
  return {
    turns: a.turns + b.turns,
    untold_turns: a.untold_turns + b.untold_turns,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    costs: withCosts(a.costs, b.costs),
  };
}

export function total(rows: readonly SpentOn[]): Spent {
  return rows.reduce((sum, row) => plus(sum, row.spent), nothing);
}

/** The sums of all rows with the same key. */
export function sumsBy(rows: readonly SpentOn[], key: (row: SpentOn) => string): Sum[] {
  const sums = new Map<string, Spent>();
  for (const row of rows) sums.set(key(row), plus(sums.get(key(row)) ?? nothing, row.spent));
  return [...sums].map(([name, spent]) => ({ key: name, spent }));
}

/** A number as people write it: digits with blanks, commas or points between groups. Undefined: nothing; NaN: no number. */
export function countIn(text: string): number | undefined {
  const plain = text.replace(/[\s\u202f,._]/g, '');
  if (plain === '') return undefined;
  const power = /^(\d+)([kM])$/.exec(plain);
  if (power) return Number(power[1]) * (power[2] === 'k' ? 1e3 : 1e6);
  return /^\d{1,15}$/.test(plain) && Number(plain) > 0 ? Number(plain) : NaN;
}

export function amountIn(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return undefined;
  return /^\d{1,9}(\.\d{1,4})?$/.test(plain) && Number(plain) > 0 ? Number(plain) : NaN;
}
