import { expect, test } from 'vitest';
import { as_json, as_markdown, file_name } from './exported';
import type { Conversation, Event } from './protocol';

const conversation = { id: 'conv_1', title: 'Tabs / spaces?', agent: 'claude', folder: '/home/ann', created_at: '2026-01-02T03:04:05.000Z' } as Conversation;
const event = (body: object, seq = 1) => ({ seq, time: '', ...body }) as Event;

test('what was said reads as a text: pieces are joined, calls are named', () => {
  const text = as_markdown(conversation, [
    event({ kind: 'turn_start', turn: 't' }),
    event({ kind: 'user_message', turn: 't', text: 'which?', attachments: [{ id: 'a', name: 'a.png', media_type: 'image/png', bytes: 1 }] }),
    event({ kind: 'text', text: 'I lo' }), event({ kind: 'text', text: 'ok.' }),
    event({ kind: 'tool_start', call: 'c', tool: 'Bash', title: 'echo `date`' }),
    event({ kind: 'tool_output', call: 'c', text: 'noise' }),
    event({ kind: 'text', text: 'Tabs.' }),
    event({ kind: 'error', message: 'no quota' }),
  ]);
  expect(text).toBe('# Tabs / spaces?\n\nclaude · /home/ann · 2026-01-02T03:04:05.000Z\n\n## You\n\nwhich?\n\n*a.png*\n\nI look.\n\n- **Bash** `` echo `date` ``\n\nTabs.\n\n> Error: no quota\n');
});

test('JSON has every event', () => {
  const events = [event({ kind: 'text', text: 'x' }, 7)];
  expect(JSON.parse(as_json(conversation, events))).toEqual({ conversation, events });
});

test('a title becomes a name of a file', () => {
  expect(file_name(conversation, 'md')).toBe('Tabs-spaces.md');
  expect(file_name({ ...conversation, title: '../..' }, 'json')).toBe('conv_1.json');
  expect(file_name({ ...conversation, title: '制表符' }, 'md')).toBe('制表符.md');
});
