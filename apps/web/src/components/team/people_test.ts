// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';

import type { Conversation, Team } from '../../protocol';
import { mayWrite, ownerOf, ownName } from './people';

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
  expect(ownerOf(team, of('user_bob'))).toBe('bob');
  expect(ownerOf(team, of('user_ann'))).toBe('');
  expect(ownerOf(team, of('user_gone'))).toBe('…');
  expect(ownerOf(undefined, of())).toBe('');
});

test('the person of the machine owns what has no user, and has no name', () => {
  const machine = { ...team, user: '' };
  expect(ownerOf(machine, of())).toBe('');
  expect(ownerOf(machine, of('user_ann'))).toBe('ann');
  expect(ownName(machine)).toBe('');
  expect(ownName(team)).toBe('ann');
});

test('a member writes in their own and where they are let in, a viewer nowhere', () => {
  const jons = { ...of('user_bob'), access: 'team' } as Conversation;
  expect(
    [of('user_ann'), jons, of('user_bob'), { ...jons, access: 'view' } as Conversation, undefined].map((conversation) =>
      mayWrite(team, conversation),
    ),
  ).toEqual([true, true, false, false, true]);
  expect(
    [of('user_ann'), jons, undefined].map((conversation) => mayWrite({ ...team, role: 'viewer' }, conversation)),
  ).toEqual([false, false, false]);
  expect(mayWrite(undefined, of())).toBe(true);
});
