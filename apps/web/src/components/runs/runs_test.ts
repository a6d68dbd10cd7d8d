// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { entriesOf } from './runs';
import type { Item } from '../../transcript_items';

const tool = (name: string, state = 'done', parent?: string) =>
  ({ kind: 'tool', key: name + Math.random(), tool: name, state, parent }) as unknown as Item;
const text = (key: string) => ({ kind: 'text', key, text: key, settled: true }) as unknown as Item;
const user = () => ({ kind: 'user', key: 'u' }) as unknown as Item;
const shape = (items: Item[]) =>
  entriesOf(items).map((entry) =>
    entry.kind === 'run' ? `run of ${entry.items.length}` : `${entry.item.kind}${entry.closes ? ' closes' : ''}`,
  );

test('calls of one tool that only look around stand together', () => {
  expect(shape([tool('read_file'), tool('read_file'), tool('read_file'), tool('grep'), tool('read_file')])).toEqual([
    'run of 3',
    'tool',
    'tool',
  ]);
});

test('what runs, failed, changes something or belongs to another parent stands alone', () => {
  expect(shape([tool('read_file'), tool('read_file', 'running')])).toEqual(['tool', 'tool']);
  expect(shape([tool('read_file', 'failed'), tool('read_file')])).toEqual(['tool', 'tool']);
  expect(shape([tool('edit_file'), tool('edit_file')])).toEqual(['tool', 'tool']);
  expect(shape([tool('read_file', 'done', 'a'), tool('read_file', 'done', 'b')])).toEqual(['tool', 'tool']);
});

test('the last text of each turn closes it', () => {
  expect(shape([user(), text('a'), tool('edit_file'), text('b'), user(), text('c')])).toEqual([
    'user',
    'text',
    'tool',
    'text closes',
    'user',
    'text closes',
  ]);
});
