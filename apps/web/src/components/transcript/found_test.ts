// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Item } from '../../transcript_items';
import { entriesOf } from '../runs/runs';
import { hitsIn } from './found';

const text = (key: string, said: string) => ({ kind: 'text', key, text: said, settled: true }) as unknown as Item;
const read = (key: string, title: string) =>
  ({ kind: 'tool', key, tool: 'read_file', title, state: 'done' }) as unknown as Item;

test('words are found in every text of a conversation, however often they stand there', () => {
  const entries = entriesOf([
    text('text-1', 'A timer. Two Timers race.'),
    text('text-2', 'nothing'),
    read('tool_start-3', 'timer.h'),
    read('tool_start-4', 'timer.cpp'),
    text('text-5', 'the TIMER'),
  ]);
  expect(hitsIn(entries, ' timer ')).toEqual([
    { entry: 0, nth: 0 },
    { entry: 0, nth: 1 },
    { entry: 2, nth: 0 },
    { entry: 2, nth: 1 },
    { entry: 3, nth: 0 },
  ]);
  expect(hitsIn(entries, 'nowhere')).toEqual([]);
  expect(hitsIn(entries, '  ')).toEqual([]);
});
