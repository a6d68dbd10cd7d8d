// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { groupsOf, toldAsText, type Told } from './findings';

const told: Told = {
  version: '1',
  bad: 1,
  findings: [
    { group: 'storage', state: 'ok', what: 'state folder', detail: '/s' },
    { group: 'model', state: 'note', what: 'model', detail: 'none' },
    { group: 'storage', state: 'bad', what: 'disk', detail: '3 MiB free', cure: 'free some space' },
  ],
};

test('groups keep their first order, with problems first in each', () => {
  expect(groupsOf(told).map(({ group, findings }) => [group, ...findings.map((finding) => finding.what)])).toEqual([
    ['storage', 'disk', 'state folder'],
    ['model', 'model'],
  ]);
});

test('the text equals the output of the program', () => {
  expect(toldAsText(told)).toBe(
    'parlance 1\n  ok   state folder       /s\n  note model              none\n  BAD  disk               3 MiB free\n                          -> free some space\n1 to fix.\n',
  );
});
