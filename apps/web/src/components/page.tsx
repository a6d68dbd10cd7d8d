// SPDX-License-Identifier: Apache-2.0
// The frame: sidebar, conversation, details. Keys that work everywhere are here and nowhere else; each has a modifier or is Esc (WCAG 2.1.4).

import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { App } from '../app';
import { Part } from '../part';
import { t } from '../strings';
import { Banners } from './banner';
import { Composer } from './composer';
import { AppContext } from './context';
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

const memory = new Part(() => import('./memory_view'));
const usage = new Part(() => import('./usage/usage_view'));
const sqlite = new Part(() => import('./sqlite/databases_view'));
const doctor = new Part(() => import('./doctor/doctor_view'));
const token = new Part(() => import('./token_page'));

export function Page({ app }: { app: App }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => key(app, event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [app]);
  const waiting = useComputed(() => app.waiting.value.length).value;
  useEffect(() => { document.title = (waiting > 0 ? `(${waiting}) ` : '') + t.app; }, [waiting]);

  const refused = useComputed(() => (app.state.value.link.state === 'refused' ? app.state.value.link.why : '')).value;
  return (
    <AppContext.Provider value={app}>
      {refused ? <WhenHere part={token} draw={({ TokenPage }) => <TokenPage why={refused} />} /> : <Frame app={app} />}
      <Desk />
      <Hint />
      <div class="spoken" role="status" aria-live="polite">{app.spoken}</div>
      <div class="spoken" role="alert" aria-live="assertive">{app.spokenNow}</div>
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
    <div class={`frame${shown ? ' sidebar-shown' : ''}${details ? ' details-shown' : ''}${view === 'conversation' ? '' : ' no-details'}`}>
      <Sidebar />
      {shown && <button type="button" class="veil" aria-label={t.hide_conversations} onClick={() => { app.navigation.sidebarShown.value = false; }} />}
      {details && <button type="button" class="veil" aria-label={t.hide_details} onClick={() => { app.navigation.detailsShown.value = false; }} />}
      {view === 'memory' && <main><header><MenuButton /><h1>{t.memory}</h1></header><Banners /><WhenHere part={memory} draw={({ MemoryView }) => <MemoryView />} /></main>}
      {view === 'usage' && <main><header><MenuButton /><h1>{t.usage}</h1></header><Banners /><WhenHere part={usage} draw={({ UsageView }) => <UsageView />} /></main>}
      {view === 'sqlite' && <main><header><MenuButton /><h1>{t.databases}</h1></header><Banners /><WhenHere part={sqlite} draw={({ DatabasesView }) => <DatabasesView />} /></main>}
      {view === 'doctor' && <main><header><MenuButton /><h1>{t.doctor}</h1></header><Banners /><WhenHere part={doctor} draw={({ DoctorView }) => <DoctorView />} /></main>}
      {view === 'inbox' && <main><InboxHeader /><Banners /><InboxView /></main>}
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

function key(app: App, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const at = event.target instanceof Element ? event.target : document.body;
  if (at.closest('dialog') || onDesk.peek()) return;
  const writing = at.closest('input, textarea, select, [contenteditable]') !== null;
  if ((event.ctrlKey || event.metaKey) && event.key === 'f' && app.navigation.current.peek() && app.navigation.view.peek() === 'conversation' && !at.closest('.find-bar')) {
    event.preventDefault();           // from its own field the key is the browser's again
    finding.value = true;
    document.querySelector<HTMLInputElement>('.find-bar input')?.select();
    return;
  }
  if (deskKey(event)) return;
  if (isBegin(event, writing)) {
    event.preventDefault();
    app.navigation.select('');
    document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    if (app.navigation.sidebarShown.peek()) app.navigation.sidebarShown.value = false;
    else if (app.navigation.detailsShown.peek()) app.navigation.detailsShown.value = false;
    else if (app.navigation.view.peek() === 'conversation' && !at.closest('[data-ask]')) app.stop();  // Esc beside a decision must not take it
    return;
  }
}

/** Alt N. Where Alt makes a letter (`ñ` on a Mac), a field keeps it. */
function isBegin(event: KeyboardEvent, writing: boolean): boolean {
  return event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.repeat && (event.key === 'n' || (!writing && event.code === 'KeyN'));
}
