// SPDX-License-Identifier: Apache-2.0
// Who works with the host, and whose a conversation is. Pure.

import type { Conversation, Team } from '../../protocol';

/** The name of whose it is; empty: of whoever looks at the page, or there is no team. */
export function ownerOf(team: Team | undefined, conversation: Conversation): string {
  const user = conversation.user ?? '';
  if (!team || user === team.user) return '';
  return team.people.find((one) => one.id === user)?.name ?? '…';
}

/** Whether whoever looks at the page may say something there, or begin one. */
export const mayWrite = (team: Team | undefined, conversation: Conversation | undefined): boolean =>
  !team ||
  (team.role !== 'viewer' &&
    (!conversation || conversation.access === 'team' || (conversation.user ?? '') === team.user));

/** The name of whoever looks at the page; empty: it has none. */
export const ownName = (team: Team | undefined): string => team?.people.find((one) => one.id === team.user)?.name ?? '';
