// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';

import type { Conversation, Team } from '../../protocol';
import { may_write, owner_of, own_name } from './people';

const team: Team = {
  user: 'user_ann',
  role: 'member',
  people: [
    { id: 'user_ann', name: 'ann' },
    { id: 'user_bob', name: 'bob' },
  ],
};
const of = (user?: string) => ({ id: 'c', ...(user !== undefined && { user }) }) as Conversation;

test("another's conversation is named after them, one's own after nobody", () => {
  expect(owner_of(team, of('user_bob'))).toBe('bob');
  expect(owner_of(team, of('user_ann'))).toBe('');
  expect(owner_of(team, of('user_gone'))).toBe('…');
  expect(owner_of(undefined, of())).toBe('');
});

test('the person of the machine owns what has no user, and has no name', () => {
  const machine = { ...team, user: '' };
  expect(owner_of(machine, of())).toBe('');
  expect(owner_of(machine, of('user_ann'))).toBe('ann');
  expect(own_name(machine)).toBe('');
  expect(own_name(team)).toBe('ann');
});

test('a member writes in their own and where they are let in, a viewer nowhere', () => {
  const jons = { ...of('user_bob'), access: 'team' } as Conversation;
  expect(
    [of('user_ann'), jons, of('user_bob'), { ...jons, access: 'view' } as Conversation, undefined].map((one) =>
      may_write(team, one),
    ),
  ).toEqual([true, true, false, false, true]);
  expect([of('user_ann'), jons, undefined].map((one) => may_write({ ...team, role: 'viewer' }, one))).toEqual([
    false,
    false,
    false,
  ]);
  expect(may_write(undefined, of())).toBe(true);
});
