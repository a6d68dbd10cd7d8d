// SPDX-License-Identifier: Apache-2.0
// The memories of the agent: search, categories, the origin of each memory, and deletion.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { App } from '../app';
import { Memories } from '../memories';
import type { Category, Memory } from '../protocol';
import { t } from '../strings';
import { useAgo, useApp, useSelect } from './context';
import { Dialog } from './header';

const CATEGORIES: readonly Category[] = ['preference', 'decision', 'fact', 'entity', 'other'];
const QUOTED = 80;                    // characters of a memory quoted in a question

const quoted = (text: string) => (text.length > QUOTED ? `${text.slice(0, QUOTED).trimEnd()}…` : text);
const percent = (share: number) => Math.round(share * 100);

const kept = new WeakMap<App, Memories>();
/** One instance for each page, so that a search survives a change of view. */
function memoriesOf(app: App): Memories {
  const made = kept.get(app) ?? new Memories(app.ask, () => { app.spoken.value = t.forgotten; });
  kept.set(app, made);
  return made;
}

export function MemoryView() {
  const app = useApp();
  const memories = memoriesOf(app);
  const online = app.online.value;
  useEffect(() => { if (online) memories.load(); }, [online]);
  const doomed = useSignal<Memory | undefined>(undefined);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => { if (matchMedia('(hover: hover)').matches) search.current!.focus({ preventScroll: true }); }, []);
  const state = memories.state.value;
  const list = memories.list.value;
  const spoken = useComputed(() => (memories.state.value === 'ready' && memories.searched.value ? t.memory_found(memories.list.value.length) : '')).value;
  return (
    <div class="scroll">
      <div class="memory-page">
        <p class="muted">{t.memory_hint}</p>
        <div class="search" role="search">
          <input ref={search} type="search" value={memories.query.value} placeholder={t.memory_search} aria-label={t.memory_search} maxLength={1000}
            onInput={(e) => memories.type(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === 'Enter' && !e.isComposing) memories.load(); }} />
          <Categories />
        </div>
        <div class="spoken" role="status">{spoken}</div>
        {memories.fault.value && (
          <div class="banner bad" role="alert"><span>{state === 'failed' ? t.memory_failed(memories.fault.value) : t.request_failed(memories.fault.value)}</span>
            <button type="button" class="small" onClick={() => memories.load()}>{t.retry}</button></div>
        )}
        {state === 'loading' && list.length === 0 && <p class="faint">{t.memory_loading}</p>}
        {state === 'ready' && list.length === 0 && <Nothing />}
        {list.length > 0 && <ul class="memories">{list.map((one) => <Entry key={one.id} memory={one} onForget={() => { doomed.value = one; }} />)}</ul>}
        {memories.moreThere.value && <button type="button" class="quiet older" onClick={() => memories.more()}>{t.older}</button>}
      </div>
      {doomed.value && (
        <Dialog title={t.forget_question(quoted(doomed.value.text))} initial={undefined} confirm={t.forget} dangerous
          onClose={() => { doomed.value = undefined; search.current?.focus({ preventScroll: true }); }} onConfirm={() => memories.forget(doomed.value!)} />
      )}
    </div>
  );
}

function Categories() {
  const memories = memoriesOf(useApp());
  const name = useId();
  const one = (category: Category | '', label: string) => (
    <label key={category}><input type="radio" name={name} checked={memories.category.value === category} onChange={() => memories.choose(category)} /><span class="chip">{label}</span></label>
  );
  return (
    <fieldset class="categories">
      <legend class="spoken">{t.memory_category}</legend>
      {one('', t.all_categories)}
      {CATEGORIES.map((category) => one(category, t.categories[category]))}
    </fieldset>
  );
}

function Nothing() {
  const memories = memoriesOf(useApp());
  const query = memories.searched.value;
  const filtered = query !== '' || memories.category.value !== '';
  return (
    <div class="empty">
      <h2>{query ? t.memory_none_found(query) : filtered ? t.memory_none_in : t.memory_empty}</h2>
      {filtered ? <button type="button" class="small" onClick={() => memories.clear()}>{t.memory_clear}</button> : <p class="muted">{t.memory_empty_hint}</p>}
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
        <span class="chip">{t.category[memory.category] ?? memory.category}</span>
        {memory.score !== undefined && <span class="score" title={(t.matched as Record<string, string>)[memory.matched ?? '']}>{t.match(percent(memory.score))}</span>}
        <span>{t.importance(percent(memory.importance))}</span>
        {when && <time dateTime={memory.created_at} title={new Date(memory.created_at).toLocaleString()}>{when}</time>}
        <Origin memory={memory} />
        <button type="button" class="quiet small" aria-label={t.forget_what(quoted(memory.text))} aria-disabled={going} onClick={() => { if (!going) onForget(); }}>{t.forget}</button>
      </div>
    </li>
  );
}

/** The source of a memory: its message, if still available. */
function Origin({ memory }: { memory: Memory }) {
  const app = useApp();
  const { conversation, event } = memory;
  const title = useSelect(() => (conversation ? app.state.value.conversations[conversation]?.title : undefined), [conversation]);
  if (!conversation) return <span>{(t.by_source as Record<string, string>)[memory.source] ?? t.from_source(memory.source)}</span>;
  if (title === undefined) return <span>{t.said_in_gone}</span>;
  return <button type="button" class="link" title={t.said_in_hint} onClick={() => app.navigation.seek(conversation, event ?? 0)}>{t.said_in(title || t.untitled)}</button>;
}
