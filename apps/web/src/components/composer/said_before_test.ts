// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { SaidBefore } from './said_before';

const said = ['one', 'two'];

test('arrows go back and forth over what was said', () => {
  const before = new SaidBefore();
  expect(before.step('ArrowUp', '', said)).toBe('two');
  expect(before.step('ArrowUp', 'two', said)).toBe('one');
  expect(before.step('ArrowUp', 'one', said)).toBeUndefined();
  expect(before.step('ArrowDown', 'one', said)).toBe('two');
  expect(before.step('ArrowDown', 'two', said)).toBe('');
  expect(before.step('ArrowDown', '', said)).toBeUndefined();
});

test('typed text is never overwritten', () => {
  const before = new SaidBefore();
  expect(before.step('ArrowUp', 'draft', said)).toBeUndefined();
  expect(before.step('ArrowUp', '', said)).toBe('two');
  expect(before.step('ArrowUp', 'two and more', said)).toBeUndefined();
  expect(before.step('ArrowUp', '', said)).toBe('two');
  expect(before.step('x', 'two', said)).toBeUndefined();
  expect(new SaidBefore().step('ArrowUp', '', [])).toBeUndefined();
});
