// Conversations by folder and day, with what runs and what waits.

import { useComputed } from '@preact/signals';
import { ago, day, short_folder } from '../format';
import type { Conversation } from '../protocol';
import { t } from '../strings';
import { useApp, useSelect } from './context';
import { Icon } from './icons';

interface Group { heading: string; list: Conversation[] }

export function Sidebar() {
  const app = useApp();
  const conversations = useComputed(() => app.state.value.conversations);
  const home = useComputed(() => app.state.value.home);
  const today = useComputed(() => new Date(app.now.value).toDateString());  // regrouped at midnight, not every second
  const groups = useComputed(() => {
    today.value;
    return grouped(Object.values(conversations.value), home.value, app.now.peek());
  });
  const waiting = useComputed(() => app.waiting.value.length).value;
  return (
    <nav class="sidebar" aria-label={t.conversations}>
      <div class="brand"><Icon name="brand" />{t.app}</div>
      {waiting > 0 && (
        <button type="button" class="inbox" title={t.jump_to_waiting(waiting)} onClick={() => app.jump()}>
          <span>{t.waiting_for_you}</span><span class="count">{waiting}</span>
        </button>
      )}
      <div class="groups">
        {groups.value.map((group) => (
          <section key={group.heading} aria-label={group.heading}>
            <h2 class="group">{group.heading}</h2>
            <ul>{group.list.map((one) => <Row key={one.id} conversation={one} />)}</ul>
          </section>
        ))}
      </div>
      <MemoryLink />
      <button type="button" class="new" onClick={() => { app.select(''); document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus(); }}>
        {t.new_conversation} <kbd aria-hidden="true">n</kbd>
      </button>
    </nav>
  );
}

function MemoryLink() {
  const app = useApp();
  const there = useComputed(() => app.state.value.capabilities.includes('memory')).value;
  const on = app.memory_shown.value;
  if (!there) return null;
  return (
    <button type="button" class={`conv memory-link${on ? ' on' : ''}`} aria-current={on ? 'page' : undefined} onClick={() => app.show_memory()}>
      <Icon name="memory" size={14} /><span class="title">{t.memory}</span>
    </button>
  );
}

function Row({ conversation }: { conversation: Conversation }) {
  const app = useApp();
  const on = useSelect(() => app.current.value === conversation.id && !app.memory_shown.value, [conversation.id]);
  const when = ago(conversation.updated_at, useMinute());
  const state = conversation.open_asks > 0 ? 'waiting' : conversation.state;
  return (
    <li>
      <button type="button" class={`conv${on ? ' on' : ''}`} aria-current={on ? 'page' : undefined} onClick={() => app.select(conversation.id)} title={conversation.title}>
        <span class={`dot ${state}`} /><span class="title">{conversation.title || t.untitled}</span>
        <span class="spoken">{t.state[state]}</span><span class="when">{when}</span>
      </button>
    </li>
  );
}

/** The time, changing once a minute. */
function useMinute(): number {
  const app = useApp();
  return useComputed(() => Math.floor(app.now.value / 60_000) * 60_000 + 59_999).value;
}

function grouped(list: Conversation[], home: string, now: number): Group[] {
  const groups = new Map<string, Conversation[]>();
  for (const one of list.sort((a, b) => (a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : 0))) {
    const heading = `${short_folder(one.folder, home)} · ${day(one.updated_at, now)}`;
    const group = groups.get(heading);
    if (group) group.push(one);
    else groups.set(heading, [one]);
  }
  return [...groups].map(([heading, members]) => ({ heading, list: members }));
}
