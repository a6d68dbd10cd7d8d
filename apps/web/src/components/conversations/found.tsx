// SPDX-License-Identifier: Apache-2.0
// The results of a search: titles, and texts of people and agents.

import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { older } from '../../state/older';
import { t } from '../../strings';
import { useApp } from '../context';
import { newestFirst, Row } from './row';

export function Found() {
  const app = useApp();
  const { finder } = app;
  useEffect(() => older(app.store, true), []); // titles are matched here
  const titles = useComputed(() =>
    newestFirst(
      Object.values(app.state.value.conversations).filter((conversation) => finder.matches(conversation.title)),
    ),
  ).value;
  const hits = finder.hits.value.filter((hit) => app.state.value.conversations[hit.conversation]);
  const nothing = titles.length + hits.length === 0 && !finder.looking.value && !finder.fault.value;
  return (
    <>
      {titles.length > 0 && (
        <section aria-label={t.in_titles}>
          <h2 class="group">{t.in_titles}</h2>
          <ul>
            {titles.map((conversation) => (
              <Row key={conversation.id} conversation={conversation} />
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
