// SPDX-License-Identifier: Apache-2.0
// Sessions that the chosen agent keeps of the chosen folder by itself, begun in its own program perhaps: one becomes a conversation here,
// with all that was said. Listed when somebody asks, because an agent may have to be started for it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ago } from '../../format';
import type { AgentInfo, KeptSession } from '../../protocol';
import { t } from '../../strings';
import { useApp } from '../context';

type Listed =
  | { state: 'closed' | 'loading' }
  | { state: 'there'; sessions: readonly KeptSession[] }
  | { state: 'failed'; why: string };

export function KeptSessions({ agent, folder }: { agent: AgentInfo; folder: string }) {
  const app = useApp();
  const listed = useSignal<Listed>({ state: 'closed' });
  const adopting = useSignal('');
  useEffect(() => {
    listed.value = { state: 'closed' };
  }, [agent.id, folder]);
  if (!agent.keeps_sessions) return null;
  const now = listed.value;
  const failed = (error: Error) => {
    adopting.value = '';
    listed.value = { state: 'failed', why: error.message };
  };
  const list = () => {
    listed.value = { state: 'loading' };
    const there = ({ sessions }: { sessions: KeptSession[] }) => {
      listed.value = { state: 'there', sessions };
    };
    app.ask({ type: 'sessions', agent: agent.id, folder }, there, failed);
  };
  const adopt = (session: string) => {
    if (adopting.peek()) return;
    adopting.value = session;
    app.ask({ type: 'adopt', agent: agent.id, folder, session }, ({ conversation }) => app.begun(conversation), failed);
  };
  return (
    <section class="kept" aria-label={t.kept_sessions(agent.name)}>
      {now.state === 'closed' && (
        <button type="button" class="quiet" onClick={list}>
          {t.list_sessions(agent.name)}
        </button>
      )}
      {now.state === 'loading' && (
        <p class="faint" role="status">
          {t.listing_sessions(agent.name)}
        </p>
      )}
      {now.state === 'failed' && (
        <p class="bad" role="alert">
          {now.why}{' '}
          <button type="button" class="small" onClick={list}>
            {t.retry}
          </button>
        </p>
      )}
      {now.state === 'there' && now.sessions.length === 0 && (
        <p class="faint" role="status">
          {t.no_sessions(agent.name)}
        </p>
      )}
      {now.state === 'there' && now.sessions.length > 0 && (
        <>
          <h3>{t.kept_sessions(agent.name)}</h3>
          <ul>{now.sessions.map((one) => sessionRow(one, one.id === adopting.value, app.now.peek(), adopt))}</ul>
        </>
      )}
    </section>
  );
}

function sessionRow(
  { id, title, updated_at: updated }: KeptSession,
  busy: boolean,
  now: number,
  adopt: (id: string) => void,
) {
  return (
    <li key={id}>
      <button type="button" class="conv" aria-busy={busy} title={t.adopt_hint} onClick={() => adopt(id)}>
        <span class="dot" />
        <span class="title">{title || id}</span>
        <span class="when">{ago(updated, now)}</span>
      </button>
    </li>
  );
}
