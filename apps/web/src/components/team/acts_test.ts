// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import { act_line, by_whom } from './acts';
import { speak } from '../../strings';

afterEach(() => speak('en'));

test('an action is described in the language of the page, with its author', async () => {
  expect(act_line({ what: 'title', value: 'Deploy', by: 'ann' }, 'ann: the title is "Deploy" now.')).toBe(
    'ann: the title is "Deploy" now.',
  );
  expect(by_whom('ann', 'x')).toBe('ann: x');
  await speak('zh');
  expect(act_line({ what: 'access', value: 'team', by: 'ann' }, 'x')).toBe('ann：团队可参与');
  expect(act_line({ what: 'think', value: 'false' }, 'x')).toBe('关闭思考');
  expect(act_line({ what: 'withdraw', value: 'bob', by: 'ann' }, 'x')).toContain('bob');
});

test('an unknown action keeps the text of the gateway', async () => {
  await speak('zh');
  expect(act_line({ what: 'to_come', by: 'ann' }, 'ann: it has come.')).toBe('ann: it has come.');
});
