// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import type { Ask, AskOption } from '../../protocol';
import { speak } from '../../strings';
import { carefulFirst, carefulOption, labelOf, optionForKey } from './choices';

const option = (id: string, kind: AskOption['kind'], label = id): AskOption => ({ id, kind, label, dangerous: false });
const ask = (kind: Ask['kind'], ...options: AskOption[]): Ask => ({
  id: '1',
  conversation: 'c',
  kind,
  title: 't',
  why: 'w',
  digest: 'd',
  state: 'open',
  created_at: '',
  options,
});

const PLANS = {
  'our agent': [
    ask(
      'plan',
      option('smart', 'allow_always'),
      option('default', 'allow_once'),
      option('keep', 'reject_once'),
      option('feedback', 'feedback'),
    ),
    'default',
  ],
  'our agent, before': [
    ask('plan', option('smart', 'allow_once'), option('default', 'allow_once'), option('keep', 'reject_once')),
    'default',
  ],
  'Claude Code': [
    ask(
      'plan',
      option('approve', 'allow_once'),
      option('approve_edits', 'allow_always'),
      option('revise', 'feedback'),
      option('reject', 'reject_once'),
    ),
    'approve',
  ],
  'claude-agent-acp': [
    ask('plan', option('acceptEdits', 'allow_always'), option('yes', 'allow_once'), option('plan', 'reject_once')),
    'yes',
  ],
  'freest first': [
    ask('plan', option('free', 'allow_once'), option('careful', 'allow_once'), option('no', 'reject_once')),
    'careful',
  ],
} as const;

test.each(Object.entries(PLANS))('the careful choice of a plan is primary and y: %s', (_, [plan, careful]) => {
  expect(carefulOption(plan)?.id).toBe(careful);
  expect(optionForKey(plan, 'y')?.id).toBe(careful);
  expect(carefulFirst(plan)[0]?.id).toBe(careful);
});

test('keys of a permission', () => {
  const question = ask(
    'permission',
    option('always', 'allow_always'),
    option('once', 'allow_once'),
    option('no', 'reject_once'),
  );
  expect(['y', 'a', 'n', 'x', 'Enter'].map((key) => optionForKey(question, key)?.id)).toEqual([
    'once',
    'always',
    'no',
    undefined,
    undefined,
  ]);
  expect(optionForKey(ask('permission', option('always', 'allow_always')), 'y')).toBeUndefined();
  const scopes = ask('permission', option('tool', 'allow_always'), option('folder', 'allow_always'));
  expect(optionForKey(scopes, 'a')).toBeUndefined();
  expect(
    carefulOption(ask('permission', option('yes', 'allow_once'), { ...option('all', 'allow_once'), dangerous: true }))
      ?.id,
  ).toBe('yes');
});

afterEach(() => speak('en'));

test('labels in Chinese come by id and kind', async () => {
  await speak('zh');
  const folder = option('allow_folder', 'allow_always', 'Always allow `git log`, for reading only, in this folder');
  const question = ask(
    'permission',
    option('allow_once', 'allow_once', 'Allow once'),
    folder,
    option('x', 'reject_once', 'Reject'),
  );
  expect(question.options.map((offered) => labelOf(question, offered))).toEqual([
    '允许一次',
    '在此文件夹中始终允许`git log`（仅限读取）',
    '拒绝',
  ]);
  const tool = {
    ...ask('permission', option('allow_conversation', 'allow_always', 'Always allow “Edit file” in this conversation')),
    tool: 'edit_file',
  };
  expect(labelOf(tool, tool.options[0]!)).toBe('在此对话中始终允许“编辑文件”');
  const two = ask('permission', option('a', 'allow_once', 'Yes'), option('b', 'allow_once', 'Yes, and tell'));
  expect(labelOf(two, two.options[1]!)).toBe('Yes, and tell');
  const lying = ask('plan', option('default', 'allow_always', 'Go, and never ask'));
  expect(labelOf(lying, lying.options[0]!)).toBe('Go, and never ask');
});

test('labels in English are those of the agent', () => {
  const question = ask('permission', option('allow_once', 'allow_once', 'Yes, do it'));
  expect(labelOf(question, question.options[0]!)).toBe('Yes, do it');
});
