// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { asJson, asMarkdown, fileName, filesOf } from './exported';
import type { Conversation, Event } from './protocol';

const conversation = {
  id: 'conv_1',
  title: 'Tabs / spaces?',
  agent: 'claude',
  folder: '/home/ann',
  created_at: '2026-01-02T03:04:05.000Z',
} as Conversation;
const event = (body: object, seq = 1) => ({ seq, time: '', ...body }) as Event;

test('the messages read as a text: pieces are joined, calls are named', () => {
  const text = asMarkdown(
    conversation,
    [
      event({ kind: 'turn_start', turn: 't' }),
      event({
        kind: 'user_message',
        turn: 't',
        text: 'which?',
        attachments: [{ id: 'a', name: 'a.png', media_type: 'image/png', bytes: 1 }],
      }),
      event({ kind: 'text', text: 'I lo' }),
      event({ kind: 'text', text: 'ok.' }),
      event({ kind: 'tool_start', call: 'c', tool: 'Bash', title: 'echo `date`' }),
      event({ kind: 'tool_output', call: 'c', text: 'noise' }),
      event({ kind: 'text', text: 'Tabs.' }),
      event({ kind: 'error', message: 'no quota' }),
    ],
    new Map(),
  );
  expect(text).toBe(
    '# Tabs / spaces?\n\nclaude · /home/ann · 2026-01-02T03:04:05.000Z\n\n## You\n\nwhich?\n\n*a.png*\n\nI look.\n\n- **Bash** `` echo `date` ``\n\nTabs.\n\n> Error: no quota\n',
  );
});

test('JSON has every event', () => {
  const events = [event({ kind: 'text', text: 'x' }, 7)];
  expect(JSON.parse(asJson(conversation, events, new Map()))).toEqual({ conversation, events });
});

test('the file contains the attachments: visible pictures, files to save, and the names of unavailable files', async () => {
  const file = (id: string, mediaType: string) => ({ id, name: `${id} [1]`, media_type: mediaType, bytes: 2 });
  const events = [
    event({
      kind: 'user_message',
      turn: 't',
      text: 'look',
      attachments: [
        file('p', 'image/png'),
        file('d', 'application/pdf'),
        file('gone', 'text/plain'),
        { ...file('far', 'image/png'), url: 'https://example.org/a.png' },
      ],
    }),
    event({ kind: 'tool_update', call: 'c', content: [{ type: 'image', attachment: file('s', 'image/png') }] }),
  ];
  const asked: string[] = [];
  const files = await filesOf(events, async (id) => {
    asked.push(id);
    if (id === 'gone') throw new Error('HTTP 404');
    return new Blob([id]);
  });
  expect(asked).toEqual(['p', 'd', 'gone', 's']);
  expect(asMarkdown(conversation, events, files)).toContain(
    'look\n\n![p \\[1\\]](data:image/png;base64,cA==)\n\n[d \\[1\\]](data:application/pdf;base64,ZA==)\n\n*gone \\[1\\]*\n\n*far \\[1\\]*\n\n![s \\[1\\]](data:image/png;base64,cw==)\n',
  );
  expect(
    JSON.parse(asJson(conversation, events, files)).attachments.map(
      (attachment: { id: string; data: string | null }) => [attachment.id, attachment.data],
    ),
  ).toEqual([
    ['p', 'cA=='],
    ['d', 'ZA=='],
    ['gone', null],
    ['s', 'cw=='],
  ]);
});

test('a title becomes a name of a file', () => {
  expect(fileName(conversation, 'md')).toBe('Tabs-spaces.md');
  expect(fileName({ ...conversation, title: '../..' }, 'json')).toBe('conv_1.json');
  expect(fileName({ ...conversation, title: '制表符' }, 'md')).toBe('制表符.md');
});
