// SPDX-License-Identifier: Apache-2.0
// The users of the host, and the owners of conversations. Pure.

import type { Conversation, Team } from '../../protocol';

/** The name of the owner; empty for the page's own user or without a team. */
export function ownerOf(team: Team | undefined, conversation: Conversation): string {
  const user = conversation.user ?? '';
  if (!team || user === team.user) return '';
  return team.people.find((person) => person.id === user)?.name ?? '…';
}

/** Whether the page's user may write there, or begin a conversation. */
export const mayWrite = (team: Team | undefined, conversation: Conversation | undefined): boolean =>
  !team ||
  (team.role !== 'viewer' &&
    (!conversation || conversation.access === 'team' || (conversation.user ?? '') === team.user));

/** The name of the page's user; empty without a team. */
export const ownName = (team: Team | undefined): string =>
  team?.people.find((person) => person.id === team.user)?.name ?? '';
