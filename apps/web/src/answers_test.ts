// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { Answers } from './answers';
import type { Ask } from './protocol';
import { RequestError, type PageRequest } from './requests';

const open: Ask = {
  id: 'a',
  conversation: 'c',
  kind: 'permission',
  title: 'run it?',
  options: [],
  digest: 'd',
  state: 'open',
  created_at: '2026-01-01T00:00:00Z',
} as unknown as Ask;

/** A host that answers when the test says so. */
function host() {
  const sent: { request: PageRequest; done: () => void; failed: (why: string) => void }[] = [];
  const answers = new Answers((request, done, failed) => {
    sent.push({
      request,
      done: () => done(undefined as never),
      failed: (why) => failed(new RequestError('failed', why)),
    });
  });
  return { answers, sent };
}

test('an answer goes to the host once, with the digest of the shown request', () => {
  const { answers, sent } = host();
  answers.give(open, { option: 'allow_once' });
  answers.give(open, { option: 'deny' });
  expect(sent.map((entry) => entry.request)).toEqual([{ type: 'answer', ask: 'a', digest: 'd', option: 'allow_once' }]);
  expect(answers.onTheWay.value.has('a')).toBe(true);
});

test('an accepted answer stays locked until the host reports the outcome', () => {
  const { answers, sent } = host();
  answers.give(open, { text: 'yes' });
  sent[0]!.done();
  answers.give(open, { text: 'no' });
  expect(sent.length).toBe(1);
  answers.forgetSettled({ a: open });
  expect(answers.onTheWay.value.has('a')).toBe(true);
  answers.forgetSettled({ a: { ...open, state: 'answered' } });
  expect(answers.onTheWay.value.size).toBe(0);
});

test('a refused answer is reported, and may be given again', () => {
  const { answers, sent } = host();
  answers.give(open, { option: 'allow_once' });
  sent[0]!.failed('what was shown is not what is asked');
  expect(answers.faults.value['a']).toContain('what was shown is not what is asked');
  expect(answers.onTheWay.value.size).toBe(0);
  answers.give(open, { option: 'deny' });
  expect(sent.length).toBe(2);
  expect(answers.faults.value).toEqual({});
});

test('answers to different asks do not wait for each other', () => {
  const { answers, sent } = host();
  answers.give(open, { option: 'allow_once' });
  answers.give({ ...open, id: 'b' }, { option: 'deny' });
  expect(sent.map((entry) => (entry.request as { ask: string }).ask)).toEqual(['a', 'b']);
  sent[0]!.failed('no');
  expect([...answers.onTheWay.value]).toEqual(['b']);
});

test('only open requests are answered, and only orphaned requests asked again', () => {
  const { answers, sent } = host();
  answers.give({ ...open, state: 'cancelled' }, { option: 'allow_once' });
  answers.give({ ...open, state: 'orphaned' }, { option: 'allow_once' });
  answers.askAgain(open);
  expect(sent).toEqual([]);
  answers.askAgain({ ...open, state: 'orphaned' });
  expect(sent.map((entry) => entry.request)).toEqual([{ type: 'reask', ask: 'a' }]);
});

test('after a snapshot no answer is pending', () => {
  const { answers, sent } = host();
  answers.give(open, { option: 'allow_once' });
  answers.forget();
  answers.give(open, { option: 'allow_once' });
  expect(sent.length).toBe(2);
});

test('a request unknown to the host is no longer awaited', () => {
  const { answers } = host();
  answers.give(open, { option: 'allow_once' });
  answers.forgetSettled({});
  expect(answers.onTheWay.value.size).toBe(0);
});
