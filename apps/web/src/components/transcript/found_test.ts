// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Ask } from '../../protocol';
import type { Item } from '../../transcript_items';
import { entriesOf } from '../runs/runs';
import { hitsIn } from './found';

const text = (key: string, said: string) => ({ kind: 'text', key, text: said, settled: true }) as unknown as Item;
const tool = (key: string, title: string, more = {}) =>
  ({ kind: 'tool', key, tool: 'read_file', title, output: '', content: [], state: 'done', ...more }) as unknown as Item;

test('words are found in every text of a conversation, however often they stand there', () => {
  const entries = entriesOf([
    text('text-1', 'A timer. Two Timers race.'),
    text('text-2', 'nothing'),
    tool('tool_start-3', 'timer.h'),
    tool('tool_start-4', 'timer.cpp'),
    text('text-5', 'the TIMER'),
  ]);
  expect(hitsIn(entries, ' timer ', {})).toEqual([
    { entry: 0, nth: 0 },
    { entry: 0, nth: 1 },
    { entry: 2, nth: 0 },
    { entry: 2, nth: 1 },
    { entry: 3, nth: 0 },
  ]);
  expect(hitsIn(entries, 'nowhere', {})).toEqual([]);
  expect(hitsIn(entries, '  ', {})).toEqual([]);
});

test('a card is one match, wherever the words are: output, input, changed lines, request', () => {
  const diff = { type: 'diff', path: 'a.cpp', before: 'same\nold needle\n', after: 'same\nnew line\n' };
  const entries = entriesOf([
    tool('tool_start-1', 'make', { tool: 'run_command', output: 'a needle, and a NEEDLE' }),
    tool('tool_start-2', 'ls', { tool: 'run_command', input: { command: 'ls needle' } }),
    tool('tool_start-3', 'a.cpp', { tool: 'edit_file', content: [diff] }),
    tool('tool_start-4', 'b.cpp', { tool: 'edit_file', ask: 'asked' }),
    { kind: 'ask', key: 'user_question-5', ask: 'question' } as unknown as Item,
  ]);
  const asks = {
    asked: { title: 'b.cpp', detail: 'with a needle' },
    question: { title: 'Which?', questions: [{ question: 'What?', options: [{ label: 'Needle', description: '' }] }] },
  } as unknown as Record<string, Ask>;
  expect(hitsIn(entries, 'needle', asks).map((hit) => hit.entry)).toEqual([0, 1, 2, 3, 4]);
  expect(hitsIn(entries, 'same', asks)).toEqual([]);
});
