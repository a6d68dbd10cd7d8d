// SPDX-License-Identifier: Apache-2.0
// Looking for a conversation: titles at once, what was said as soon as the host has looked.

import { useComputed } from '@preact/signals';
import { t } from '../../strings';
import { useApp } from '../context';
import { newestFirst, Row } from './row';

export function SearchField() {
  const { finder } = useApp();
  return (
    <input
      type="search"
      class="find"
      role="searchbox"
      value={finder.words.value}
      placeholder={t.search}
      aria-label={t.search_conversations}
      maxLength={200}
      onInput={(e) => finder.type(e.currentTarget.value)}
      onKeyDown={(e) => {
        if (e.key === 'Escape' && finder.words.peek()) {
          e.preventDefault();
          finder.type('');
        }
      }}
    />
  );
}

export function Found() {
  const app = useApp();
  const { finder } = app;
  const titles = useComputed(() =>
    newestFirst(Object.values(app.state.value.conversations).filter((one) => finder.matches(one.title))),
  ).value;
  const hits = finder.hits.value.filter((hit) => app.state.value.conversations[hit.conversation]);
  const nothing = titles.length + hits.length === 0 && !finder.looking.value && !finder.fault.value;
  return (
    <>
      {titles.length > 0 && (
        <section aria-label={t.in_titles}>
          <h2 class="group">{t.in_titles}</h2>
          <ul>
            {titles.map((one) => (
              <Row key={one.id} conversation={one} />
            ))}
          </ul>
        </section>
      )}
      {hits.length > 0 && (
        <section aria-label={t.in_messages}>
          <h2 class="group">{t.in_messages}</h2>
          <ul>
            {hits.map((hit) => (
              <li key={hit.conversation}>
                <button type="button" class="conv hit" onClick={() => app.navigation.seek(hit.conversation, hit.seq)}>
                  <span class="title">{app.state.value.conversations[hit.conversation]!.title || t.untitled}</span>
                  <span class="snippet">{hit.snippet}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="faint found" role="status">
        {finder.looking.value ? t.memory_loading : nothing ? t.nothing_found : ''}
      </p>
      {finder.fault.value && (
        <p class="bad found" role="alert">
          {t.request_failed(finder.fault.value)}
        </p>
      )}
    </>
  );
}
