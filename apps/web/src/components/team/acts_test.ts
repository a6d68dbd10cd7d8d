// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import { actLine, byWhom } from './acts';
import { speak } from '../../strings';

afterEach(() => speak('en'));

test('an action is described in the language of the page, with its author', async () => {
  expect(actLine({ what: 'title', value: 'Deploy', by: 'ann' }, 'ann: the title is "Deploy" now.')).toBe(
    'ann: the title is "Deploy" now.',
  );
  expect(byWhom('ann', 'x')).toBe('ann: x');
  await speak('zh');
  expect(actLine({ what: 'access', value: 'team', by: 'ann' }, 'x')).toBe('ann：团队可参与');
  expect(actLine({ what: 'think', value: 'false' }, 'x')).toBe('关闭思考');
  expect(actLine({ what: 'withdraw', value: 'bob', by: 'ann' }, 'x')).toContain('bob');
});

test('an unknown action keeps the text of the gateway', async () => {
  await speak('zh');
  expect(actLine({ what: 'to_come', by: 'ann' }, 'ann: it has come.')).toBe('ann: it has come.');
});
