// SPDX-License-Identifier: Apache-2.0
// All waiting requests of all conversations, oldest first, for work by keyboard or thumb. An answered request disappears, and the focus
// moves to the next.

import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { shortFolder } from '../format';
import { Part } from '../part';
import type { Ask } from '../protocol';
import { agentOf } from '../store';
import { t } from '../strings';
import { AskCard } from './ask/ask_card';
import { useApp, useSelect } from './context';
import { MenuButton } from './header';
import { WhenHere } from './when_here';

const browsers = new Part(() => import('./push/browsers'));

export function InboxHeader() {
  const app = useApp();
  const waiting = useComputed(() => app.waiting.value.length).value;
  return (
    <header>
      <MenuButton />
      <h1>{t.waiting_for_you}</h1>
      {waiting > 0 && <span class="badge wait">{waiting}</span>}
    </header>
  );
}

export function InboxView() {
  const app = useApp();
  const list = useRef<HTMLOListElement>(null);
  const waiting = app.waiting.value;
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[data-ask]')?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="scroll">
      <div class="inbox-page">
        {waiting.length === 0 && (
          <p class="muted" role="status">
            {t.nothing_waits}
          </p>
        )}
        {waiting.length > 0 && <p class="muted with-keys">{t.inbox_hint}</p>}
        <ol ref={list} class="asks">
          {waiting.map((ask) => (
            <Entry key={ask.id} ask={ask} />
          ))}
        </ol>
        <NotifyMe />
        <TellBrowsers />
      </div>
    </div>
  );
}

function Entry({ ask }: { ask: Ask }) {
  const app = useApp();
  const conversation = useSelect(() => app.state.value.conversations[ask.conversation], [ask.conversation]);
  const agent = useSelect(
    () => agentOf(app.state.value, app.state.value.conversations[ask.conversation]?.agent)?.name,
    [ask.conversation],
  );
  const home = useComputed(() => app.state.value.home).value;
  return (
    <li>
      <p class="from">
        <button
          type="button"
          class="link"
          onClick={() => {
            app.navigation.select(ask.conversation);
            app.navigation.reveal.value = ask.id;
          }}
        >
          {conversation?.title || t.untitled}
        </button>
        <span class="faint">
          {[agent ?? conversation?.agent, conversation && shortFolder(conversation.folder, home)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      <AskCard ask={ask} />
    </li>
  );
}

function NotifyMe() {
  const { notices, host } = useApp();
  if (!notices.there || host.editor) return null;
  return (
    <label class="notify">
      <input
        type="checkbox"
        checked={notices.on.value}
        onChange={(e) => {
          void notices.choose(e.currentTarget.checked);
        }}
      />{' '}
      {t.notify_me}
      {notices.refused.value && <span class="faint"> {t.notify_refused}</span>}
    </label>
  );
}

function TellBrowsers() {
  const { state, host } = useApp();
  const there = useComputed(() => state.value.capabilities.includes('push')).value;
  return there && !host.editor ? (
    <WhenHere part={browsers} draw={({ Browsers }) => <Browsers />} meanwhile={<></>} />
  ) : null;
}
