// SPDX-License-Identifier: Apache-2.0
// The frame: sidebar, conversation, details. This file alone handles the keys of the whole page; each has a modifier or is Esc (WCAG 2.1.4).

import { useComputed, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { App } from '../app';
import { Part } from '../part';
import type { View } from '../state/navigation';
import { t } from '../strings';
import { Banners } from './banner';
import { Composer } from './composer';
import { AppContext, focusComposer } from './context';
import { Desk, deskKey } from './desk/desk';
import { onDesk } from './desk/on_desk';
import { Details } from './details';
import { Header, MenuButton } from './header';
import { Hint } from './hint';
import { InboxHeader, InboxView } from './inbox_view';
import { NewConversationForm } from './conversations/new_conversation';
import { finding } from './transcript/finding';
import { Sidebar } from './conversations/sidebar';
import { TranscriptView } from './transcript/transcript_view';
import { WhenHere } from './when_here';

/** A view with a title. The first use fetches the script. */
function viewOf<T>(
  title: 'memory' | 'usage' | 'databases' | 'doctor' | 'mcp',
  part: Part<T>,
  draw: (part: T) => VNode,
): () => VNode {
  return () => (
    <main key={title}>
      <header>
        <MenuButton />
        <h1>{t[title]}</h1>
      </header>
      <Banners />
      <WhenHere part={part} draw={draw} />
    </main>
  );
}
const lazyViews: Partial<Record<View, () => VNode>> = {
  memory: viewOf('memory', new Part(() => import('./memory_view')), ({ MemoryView }) => <MemoryView />),
  usage: viewOf('usage', new Part(() => import('./usage/usage_view')), ({ UsageView }) => <UsageView />),
  sqlite: viewOf('databases', new Part(() => import('./sqlite/databases_view')), ({ DatabasesView }) => (
    <DatabasesView />
  )),
  doctor: viewOf('doctor', new Part(() => import('./doctor/doctor_view')), ({ DoctorView }) => <DoctorView />),
  mcp: viewOf('mcp', new Part(() => import('./mcp/mcp_view')), ({ McpView }) => <McpView />),
};
const token = new Part(() => import('./token_page'));

export function Page({ app }: { app: App }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => key(app, event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [app]);
  const waiting = useComputed(() => app.waiting.value.length).value;
  useEffect(() => {
    document.title = (waiting > 0 ? `(${waiting}) ` : '') + t.app;
  }, [waiting]);

  const refused = useComputed(() => (app.state.value.link.state === 'refused' ? app.state.value.link.why : '')).value;
  return (
    <AppContext.Provider value={app}>
      {refused ? <WhenHere part={token} draw={({ TokenPage }) => <TokenPage why={refused} />} /> : <Frame app={app} />}
      <Desk />
      <Hint />
      <div class="spoken" role="status" aria-live="polite">
        {app.spoken}
      </div>
      <div class="spoken" role="alert" aria-live="assertive">
        {app.spokenNow}
      </div>
    </AppContext.Provider>
  );
}

function Frame({ app }: { app: App }) {
  const id = app.navigation.current.value;
  const ready = useComputed(() => app.state.value.version !== '').value;
  const shown = app.navigation.sidebarShown.value;
  const view = app.navigation.view.value;
  const details = app.navigation.detailsShown.value && view === 'conversation';
  return (
    <div
      class={`frame${shown ? ' sidebar-shown' : ''}${details ? ' details-shown' : ''}${view === 'conversation' ? '' : ' no-details'}`}
    >
      <Sidebar />
      {shown && veil(t.hide_conversations, app.navigation.sidebarShown)}
      {details && veil(t.hide_details, app.navigation.detailsShown)}
      {lazyViews[view]?.()}
      {view === 'inbox' && (
        <main>
          <InboxHeader />
          <Banners />
          <InboxView />
        </main>
      )}
      {view === 'conversation' && (
        <main>
          <Header />
          <Banners />
          {id ? <TranscriptView key={id} /> : ready ? <NewConversationForm /> : <div class="scroll" />}
          <Composer />
        </main>
      )}
      {view === 'conversation' && <Details />}
    </div>
  );
}

const veil = (label: string, shown: Signal<boolean>) => (
  <button
    type="button"
    class="veil"
    aria-label={label}
    onClick={() => {
      shown.value = false;
    }}
  />
);

function key(app: App, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const at = event.target instanceof Element ? event.target : document.body;
  if (at.closest('dialog') || onDesk.peek()) return;
  const writing = at.closest('input, textarea, select, [contenteditable]') !== null;
  if (
    (event.ctrlKey || event.metaKey) &&
    event.key === 'f' &&
    app.navigation.current.peek() &&
    app.navigation.view.peek() === 'conversation' &&
    !at.closest('.find-bar')
  ) {
    event.preventDefault(); // inside the find bar, the key belongs to the browser
    finding.value = true;
    document.querySelector<HTMLInputElement>('.find-bar input')?.select();
    return;
  }
  if (deskKey(event)) return;
  if (isBegin(event, writing)) {
    event.preventDefault();
    app.navigation.select('');
    focusComposer();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    if (app.navigation.sidebarShown.peek()) app.navigation.sidebarShown.value = false;
    else if (app.navigation.detailsShown.peek()) app.navigation.detailsShown.value = false;
    else if (app.navigation.view.peek() === 'conversation' && !at.closest('[data-ask]')) app.stop(); // never beside a request
    return;
  }
}

/** Alt N. Where Alt makes a letter (`ñ` on a Mac), a field keeps it. */
function isBegin(event: KeyboardEvent, writing: boolean): boolean {
  return (
    event.altKey &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.shiftKey &&
    !event.repeat &&
    (event.key === 'n' || (!writing && event.code === 'KeyN'))
  );
}
