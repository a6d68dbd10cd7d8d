// SPDX-License-Identifier: Apache-2.0
// Conversations by folder and day, with what runs and what waits.

import { useComputed } from '@preact/signals';
import { has } from '../../capabilities';
import { day, shortFolder } from '../../format';
import { Part } from '../../part';
import type { View } from '../../state/navigation';
import type { Conversation } from '../../protocol';
import { t } from '../../strings';
import { focusComposer, useApp } from '../context';
import { SettingsButton } from '../desk/desk';
import { Icon, type IconName } from '../icons';
import { newestFirst, Row } from './row';
import { found, SearchField } from './search';

const olderPart = new Part(() => import('../../state/older'));

interface Group {
  heading: string;
  list: Conversation[];
}

export function Sidebar() {
  const app = useApp();
  const waiting = useComputed(() => app.waiting.value.length).value;
  return (
    <nav class="sidebar" aria-label={t.conversations}>
      <div class="brand">
        <Icon name="brand" />
        {t.app}
        <SettingsButton />
      </div>
      <button
        type="button"
        class={`inbox${waiting > 0 ? ' some' : ''}`}
        aria-current={app.navigation.view.value === 'inbox' ? 'page' : undefined}
        onClick={() => app.navigation.show('inbox')}
      >
        <span>{t.waiting_for_you}</span>
        <span class="count">{waiting || ''}</span>
      </button>
      <SearchField />
      <Groups />
      <ViewLink view="sqlite" needs="databases" icon="table" name={t.databases} />
      <ViewLink view="usage" icon="usage" name={t.usage} />
      <ViewLink view="memory" icon="memory" name={t.memory} />
      <button
        type="button"
        class="new"
        onClick={() => {
          app.navigation.select('');
          focusComposer();
        }}
      >
        {t.new_conversation} <kbd aria-hidden="true">Alt N</kbd>
      </button>
    </nav>
  );
}

function Groups() {
  const app = useApp();
  const conversations = useComputed(() => app.state.value.conversations);
  const home = useComputed(() => app.state.value.home);
  const today = useComputed(() => new Date(app.now.value).toDateString()); // regrouped at midnight, not every second
  const groups = useComputed(() => {
    void today.value;
    return grouped(
      Object.values(conversations.value).filter((conversation) => !conversation.archived),
      home.value,
      app.now.peek(),
    );
  });
  const more = olderPart.here.value;
  // Within two screens of the end; after each render too, because a short list does not scroll.
  const loadMore = (list: HTMLElement | null) => {
    if (!list || !app.state.peek().older || list.scrollTop + 2 * list.clientHeight < list.scrollHeight) return;
    olderPart.load();
    more?.older(app.store);
  };
  const archived = useComputed(() =>
    newestFirst(Object.values(conversations.value).filter((conversation) => conversation.archived)),
  );
  return (
    <div class="groups" ref={loadMore} onScroll={(e) => loadMore(e.currentTarget)}>
      {app.finder.words.value.trim()
        ? found.here.value && <found.here.value.Found />
        : groups.value.map((group) => <Conversations key={group.heading} group={group} />)}
      {!app.finder.words.value.trim() && archived.value.length > 0 && (
        <details class="archived">
          <summary class="group">{t.archived(archived.value.length)}</summary>
          <ul>
            {archived.value.map((conversation) => (
              <Row key={conversation.id} conversation={conversation} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Conversations({ group }: { group: Group }) {
  return (
    <section aria-label={group.heading}>
      <h2 class="group">{group.heading}</h2>
      <ul>
        {group.list.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} />
        ))}
      </ul>
    </section>
  );
}

/** A view of its own, where the host has what it shows. */
function ViewLink({ view, needs = view, icon, name }: { view: View; needs?: string; icon: IconName; name: string }) {
  const app = useApp();
  const there = useComputed(() => has(app, needs)).value;
  const on = app.navigation.view.value === view;
  if (!there) return null;
  return (
    <button
      type="button"
      class={`conv memory-link${on ? ' on' : ''}`}
      aria-current={on ? 'page' : undefined}
      onClick={() => app.navigation.show(view)}
    >
      <Icon name={icon} size={14} />
      <span class="title">{name}</span>
    </button>
  );
}

function grouped(list: Conversation[], home: string, now: number): Group[] {
  const groups = new Map<string, Conversation[]>();
  for (const conversation of newestFirst(list)) {
    const heading = `${shortFolder(conversation.folder, home)} · ${day(conversation.updated_at, now)}`;
    const group = groups.get(heading);
    if (group) group.push(conversation);
    else groups.set(heading, [conversation]);
  }
  return [...groups].map(([heading, members]) => ({ heading, list: members }));
}
