// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { PendingEdits } from './pending_edits';
import type { Edit } from './wire';

const edit = (value: number): Edit => ({ kind: 'update', table: 't', key: [1], column: 'c', value });

test('an edit is taken back and made again', () => {
  const edits = new PendingEdits();
  const [one, two] = [edit(1), edit(2)];
  const turn = edits.add(one);
  edits.add(two);
  expect(turn.undo()).toBe(true);
  expect(edits.all).toEqual([two]);
  expect(turn.redo()).toBe(true);
  expect(turn.redo()).toBe(true);
  expect(edits.all).toEqual([two, one]);
});

test('a written edit is neither undone nor written twice', () => {
  const edits = new PendingEdits();
  const turn = edits.add(edit(1));
  edits.done(edits.all);
  expect(turn.undo()).toBe(false);
  expect(turn.redo()).toBe(false);
  expect(edits.all).toEqual([]);
});

test('an edit that was made during a write stays', () => {
  const edits = new PendingEdits();
  edits.add(edit(1));
  const written = edits.all;
  const turn = edits.add(edit(2));
  edits.done(written);
  expect(edits.all).toEqual([edit(2)]);
  expect(turn.undo()).toBe(true);
});

test('what was dropped can be made again', () => {
  const edits = new PendingEdits();
  const turn = edits.add(edit(1));
  edits.drop();
  expect(turn.redo()).toBe(true);
  expect(edits.all).toHaveLength(1);
});
