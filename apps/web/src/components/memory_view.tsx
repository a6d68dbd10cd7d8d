// SPDX-License-Identifier: Apache-2.0
// The memories of the agent: search, categories, the origin of each memory, and deletion.

import { useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { App } from '../app';
import { Memories } from '../memories';
import type { Category, Memory } from '../protocol';
import { older } from '../state/older';
import { t } from '../strings';
import { words } from '../strings/views';
import { useAgo, useApp, useSelect } from './context';
import { Dialog } from './header';

const CATEGORIES: readonly Category[] = ['preference', 'decision', 'fact', 'entity', 'other'];
const QUOTED = 80; // characters of a memory quoted in a question

const quoted = (text: string) => (text.length > QUOTED ? `${text.slice(0, QUOTED).trimEnd()}…` : text);
const percent = (share: number) => Math.round(share * 100);

const kept = new WeakMap<App, Memories>();
/** One instance for each page, so that a search survives a change of view. */
function memoriesOf(app: App): Memories {
  const made =
    kept.get(app) ??
    new Memories(app.ask, () => {
      app.spoken.value = words().forgotten;
    });
  kept.set(app, made);
  return made;
}

export function MemoryView() {
  const app = useApp();
  const memories = memoriesOf(app);
  const online = app.online.value;
  useEffect(() => older(app.store, true), []); // titles of all conversations
  useEffect(() => {
    if (online) memories.load();
  }, [online]);
  const doomed = useSignal<Memory | undefined>(undefined);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) search.current!.focus({ preventScroll: true });
  }, []);
  const state = memories.state.value;
  const list = memories.list.value;
  const spoken = useComputed(() =>
    memories.state.value === 'ready' && memories.searched.value ? words().memory_found(memories.list.value.length) : '',
  ).value;
  return (
    <div class="scroll">
      <div class="memory-page">
        <p class="muted">{words().memory_hint}</p>
        <div class="search" role="search">
          {searchField(memories, search)}
          <Categories />
        </div>
        <div class="spoken" role="status">
          {spoken}
        </div>
        {memories.fault.value && faultOf(memories)}
        {state === 'loading' && list.length === 0 && <p class="faint">{t.memory_loading}</p>}
        {state === 'ready' && list.length === 0 && <Nothing />}
        {list.length > 0 && (
          <ul class="memories">
            {list.map((memory) => (
              <Entry
                key={memory.id}
                memory={memory}
                onForget={() => {
                  doomed.value = memory;
                }}
              />
            ))}
          </ul>
        )}
        {memories.moreThere.value && (
          <button type="button" class="quiet older" onClick={() => memories.more()}>
            {t.older}
          </button>
        )}
      </div>
      {doomed.value &&
        askToForget(doomed.value, memories, () => {
          doomed.value = undefined;
          search.current?.focus({ preventScroll: true });
        })}
    </div>
  );
}

const searchField = (memories: Memories, field: RefObject<HTMLInputElement | null>) => (
  <input
    ref={field}
    type="search"
    value={memories.query.value}
    placeholder={words().memory_search}
    aria-label={words().memory_search}
    maxLength={1000}
    onInput={(e) => memories.type(e.currentTarget.value)}
    onKeyDown={(e) => {
      if (e.key === 'Enter' && !e.isComposing) memories.load();
    }}
  />
);

const faultOf = (memories: Memories) => (
  <div class="banner bad" role="alert">
    <span>{(memories.state.value === 'failed' ? words().memory_failed : t.request_failed)(memories.fault.value)}</span>
    <button type="button" class="small" onClick={() => memories.load()}>
      {t.retry}
    </button>
  </div>
);

const askToForget = (memory: Memory, memories: Memories, close: () => void) => (
  <Dialog
    title={words().forget_question(quoted(memory.text))}
    initial={undefined}
    confirm={words().forget}
    dangerous
    onClose={close}
    onConfirm={() => memories.forget(memory)}
  />
);

function Categories() {
  const memories = memoriesOf(useApp());
  const name = useId();
  const option = (category: Category | '', label: string) => (
    <label key={category}>
      <input
        type="radio"
        name={name}
        checked={memories.category.value === category}
        onChange={() => memories.choose(category)}
      />
      <span class="chip">{label}</span>
    </label>
  );
  return (
    <fieldset class="categories">
      <legend class="spoken">{words().memory_category}</legend>
      {option('', words().all_categories)}
      {CATEGORIES.map((category) => option(category, words().categories[category]))}
    </fieldset>
  );
}

function Nothing() {
  const memories = memoriesOf(useApp());
  const query = memories.searched.value;
  const filtered = query !== '' || memories.category.value !== '';
  return (
    <div class="empty">
      <h2>{query ? words().memory_none_found(query) : filtered ? words().memory_none_in : words().memory_empty}</h2>
      {filtered ? (
        <button type="button" class="small" onClick={() => memories.clear()}>
          {words().memory_clear}
        </button>
      ) : (
        <p class="muted">{words().memory_empty_hint}</p>
      )}
    </div>
  );
}

function Entry({ memory, onForget }: { memory: Memory; onForget: () => void }) {
  const app = useApp();
  const going = useSelect(() => memoriesOf(app).forgetting.value.has(memory.id), [memory.id]);
  const when = useAgo(memory.created_at);
  return (
    <li class={`card${going ? ' going' : ''}`} data-memory={memory.id}>
      <p class="text">{memory.text}</p>
      <div class="facts-line">
        <span class="chip">{words().category[memory.category] ?? memory.category}</span>
        {memory.score !== undefined && (
          <span class="score" title={(words().matched as Record<string, string>)[memory.matched ?? '']}>
            {words().match(percent(memory.score))}
          </span>
        )}
        <span>{words().importance(percent(memory.importance))}</span>
        {when && (
          <time dateTime={memory.created_at} title={new Date(memory.created_at).toLocaleString()}>
            {when}
          </time>
        )}
        <Origin memory={memory} />
        <button
          type="button"
          class="quiet small"
          aria-label={words().forget_what(quoted(memory.text))}
          aria-disabled={going}
          onClick={() => {
            if (!going) onForget();
          }}
        >
          {words().forget}
        </button>
      </div>
    </li>
  );
}

/** The source of a memory: its message, if still available. */
function Origin({ memory }: { memory: Memory }) {
  const app = useApp();
  const { conversation, event } = memory;
  const title = useSelect(
    () => (conversation ? app.state.value.conversations[conversation]?.title : undefined),
    [conversation],
  );
  if (!conversation)
    return (
      <span>{(words().by_source as Record<string, string>)[memory.source] ?? words().from_source(memory.source)}</span>
    );
  if (title === undefined) return <span>{words().said_in_gone}</span>;
  return (
    <button
      type="button"
      class="link"
      title={words().said_in_hint}
      onClick={() => app.navigation.seek(conversation, event ?? 0)}
    >
      {words().said_in(title || t.untitled)}
    </button>
  );
}
