// SPDX-License-Identifier: Apache-2.0
// Of a team: whose a conversation is, and what others may do with it, which its user can change.

import type { Access, Conversation } from '../../protocol';
import { t } from '../../strings';
import { ownerOf } from './people';
import { useApp } from '../context';

const ACCESSES: readonly Access[] = ['private', 'view', 'team'];

export function Whose({ conversation }: { conversation: Conversation }) {
  const app = useApp();
  const team = app.state.value.team;
  const owner = ownerOf(team, conversation);
  const access = conversation.access ?? 'private';
  if (owner)
    return (
      <span class="chip" tabIndex={0} title={t.access[access]}>
        {t.whose(owner)}
      </span>
    );
  return (
    <select
      class="chip"
      aria-label={t.access_label}
      title={t.access_label}
      value={access}
      disabled={team?.role === 'viewer'}
      onChange={(e) => app.set({ access: e.currentTarget.value as Access })}
    >
      {ACCESSES.map((level) => (
        <option key={level} value={level}>
          {t.access[level]}
        </option>
      ))}
    </select>
  );
}
