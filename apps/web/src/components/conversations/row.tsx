// SPDX-License-Identifier: Apache-2.0
// One conversation in a list: its title, what it does, when it changed.

import type { Conversation } from '../../protocol';
import { t } from '../../strings';
import { ownerOf } from '../team/people';
import { useAgo, useApp, useSelect } from '../context';

export const newestFirst = (list: Conversation[]): Conversation[] =>
  list.sort((a, b) => (a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : 0));

export function Row({ conversation }: { conversation: Conversation }) {
  const app = useApp();
  const on = useSelect(
    () => app.navigation.current.value === conversation.id && app.navigation.view.value === 'conversation',
    [conversation.id],
  );
  const when = useAgo(conversation.updated_at);
  const owner = ownerOf(app.state.value.team, conversation);
  const state = conversation.open_asks > 0 ? 'waiting' : conversation.state;
  return (
    <li>
      <button
        type="button"
        class={`conv${on ? ' on' : ''}`}
        aria-current={on ? 'page' : undefined}
        onClick={() => app.navigation.select(conversation.id)}
        title={conversation.title}
      >
        <span class={`dot ${state}`} />
        <span class="title">
          {owner && <span class="faint">{owner} · </span>}
          {conversation.title || (owner ? t.access.private : t.untitled)}
        </span>
        <span class="spoken">{t.state[state]}</span>
        <span class="when">{when}</span>
      </button>
    </li>
  );
}
