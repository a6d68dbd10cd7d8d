// SPDX-License-Identifier: Apache-2.0
// Sessions in the agent's own storage for the chosen folder, for example from its terminal program. A session becomes a conversation with
// all its messages. Claude Code's sessions appear at once, because the gateway reads their files. Other agents have to start for a list, so
// a person asks for it.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ago } from '../../format';
import type { AgentInfo, KeptSession } from '../../protocol';
import { t } from '../../strings';
import { useApp } from '../context';

const READS_FILES = 'claude';
const TYPING_MS = 300; // a folder is typed letter by letter

type Listed =
  | { state: 'closed' | 'loading' }
  | { state: 'there'; sessions: readonly KeptSession[] }
  | { state: 'failed'; why: string };

/** The list of sessions, and its requests. */
function useSessions(agent: AgentInfo, folder: string) {
  const app = useApp();
  const listed = useSignal<Listed>({ state: 'closed' });
  const adopting = useSignal('');
  const quiet = useSignal(false); // listed without a question: says nothing without sessions
  const online = app.online.value;
  const place = `${agent.id}\n${folder}`;
  const latest = useRef(place); // an answer for another folder or agent comes too late
  latest.current = place;
  useEffect(() => {
    listed.value = { state: 'closed' };
    quiet.value = agent.id === READS_FILES && agent.keeps_sessions === true && online;
    if (!quiet.peek()) return;
    const pause = setTimeout(() => {
      app.ask({ type: 'sessions', agent: agent.id, folder }, there, () => {});
    }, TYPING_MS);
    return () => clearTimeout(pause);
  }, [agent.id, folder, online]);
  const there = ({ sessions }: { sessions: KeptSession[] }) => {
    if (latest.current !== place) return;
    if (!quiet.peek() || sessions.length > 0) listed.value = { state: 'there', sessions };
  };
  const failed = (error: Error) => {
    adopting.value = '';
    listed.value = { state: 'failed', why: error.message };
  };
  const list = () => {
    listed.value = { state: 'loading' };
    quiet.value = false;
    app.ask({ type: 'sessions', agent: agent.id, folder }, there, failed);
  };
  const adopt = (session: string) => {
    if (adopting.peek()) return;
    adopting.value = session;
    app.ask({ type: 'adopt', agent: agent.id, folder, session }, ({ conversation }) => app.begun(conversation), failed);
  };
  return { now: listed.value, adopting: adopting.value, list, adopt };
}

export function KeptSessions({ agent, folder }: { agent: AgentInfo; folder: string }) {
  const app = useApp();
  const { now, adopting, list, adopt } = useSessions(agent, folder);
  if (!agent.keeps_sessions) return null;
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
          <ul>{now.sessions.map((session) => sessionRow(session, session.id === adopting, app.now.peek(), adopt))}</ul>
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
