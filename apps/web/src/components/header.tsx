// SPDX-License-Identifier: Apache-2.0
// The header of the current conversation: title, agent, folder; stop; rename and delete.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { App } from '../app';
import { shortFolder } from '../format';
import { Part } from '../part';
import type { Conversation } from '../protocol';
import { t } from '../strings';
import { useApp } from './context';
import { Icon } from './icons';
import { saveBlob } from './sent_files';
import { finding } from './transcript/finding';
import { WhenHere } from './when_here';

const whose = new Part(() => import('./team/whose'));

export function Header() {
  const app = useApp();
  const conversation = app.conversation.value;
  const known = useComputed(() => app.state.value.agents.find((one) => one.id === app.conversation.value?.agent)).value;
  const agent = known?.name ?? conversation?.agent ?? '';
  const home = useComputed(() => app.state.value.home).value;
  return (
    <header>
      <MenuButton />
      <h1>{conversation ? conversation.title || t.untitled : t.new_conversation}</h1>
      {conversation && <>
        <span class="chip"><span class="spoken">{t.agent}: </span>{agent}</span>
        {known?.scripted && <span class="scripted faint" tabIndex={0} title={t.scripted_hint}>{t.scripted}</span>}
        {conversation.via && <span class="via faint" tabIndex={0} title={t.via_hint}>{t.via(conversation.via)}</span>}
        <span class="chip folder" tabIndex={0} title={[conversation.folder, ...conversation.folders ?? []].join('\n')}>{shortFolder(conversation.folder, home)}{conversation.folders?.length ? ` +${conversation.folders.length}` : ''}</span>
        {app.state.value.team && <WhenHere part={whose} draw={({ Whose }) => <Whose conversation={conversation} />} meanwhile={<></>} />}
        <span class="grow" />
        <Menu conversation={conversation} />
      </>}
    </header>
  );
}

/** Shows the sidebar on narrow screens, with the number of waiting requests. */
export function MenuButton() {
  const app = useApp();
  const others = useComputed(() => app.waiting.value.length).value;
  return (
    <button type="button" class="quiet menu-button" aria-label={others > 0 ? `${t.show_conversations}. ${t.jump_to_waiting(others)}` : t.show_conversations} onClick={() => { app.navigation.sidebarShown.value = true; }}>
      <Icon name="menu" />{others > 0 && <span class="badge wait">{others}</span>}
    </button>
  );
}

function Menu({ conversation }: { conversation: Conversation }) {
  const app = useApp();
  const dialog = useSignal<'' | 'rename' | 'clear' | 'delete'>('');
  const details = useRef<HTMLDetailsElement>(null);
  const choose = (what: 'rename' | 'clear' | 'delete') => () => {
    details.current!.open = false;
    dialog.value = what;
  };
  const act = (work: () => void) => () => { details.current!.open = false; work(); };
  return (
    <>
      <details class="menu" ref={details} onKeyDown={(e) => {
        if (e.key !== 'Escape' || !details.current!.open) return;
        details.current!.open = false;
        e.preventDefault();
        details.current!.querySelector('summary')!.focus();
      }} onFocusOut={(e) => { if (!details.current!.contains(e.relatedTarget as Node | null)) details.current!.open = false; }}>
        <summary class="quiet" aria-label={t.conversation_menu}><Icon name="more" /></summary>
        <div class="sheet">
          <button type="button" class="quiet narrow-only" onClick={() => { details.current!.open = false; app.navigation.detailsShown.value = true; }}>{t.details_column}</button>
          <button type="button" class="quiet" onClick={act(() => { finding.value = true; })}>{t.find_here}</button>
          <button type="button" class="quiet" onClick={choose('rename')}>{t.rename}</button>
          <button type="button" class="quiet" onClick={act(() => app.set({ archived: !conversation.archived }))}>{conversation.archived ? t.unarchive : t.archive}</button>
          <button type="button" class="quiet" onClick={act(() => saveConversation(app, conversation, 'md'))}>{t.export_markdown}</button>
          <button type="button" class="quiet" onClick={act(() => saveConversation(app, conversation, 'json'))}>{t.export_json}</button>
          {!app.host.editor && <button type="button" class="quiet" onClick={act(() => { void navigator.clipboard.writeText(app.navigation.here()); app.spoken.value = t.copied; })}>{t.copy_link}</button>}
          <button type="button" class="quiet" onClick={choose('clear')}>{t.clear_conversation}</button>
          <button type="button" class="quiet danger" onClick={choose('delete')}>{t.delete_conversation}</button>
        </div>
      </details>
      {dialog.value && (
        <Dialog title={dialog.value === 'rename' ? t.rename : dialog.value === 'clear' ? t.clear_question(conversation.title) : t.delete_question(conversation.title)} initial={dialog.value === 'rename' ? conversation.title : undefined}
          confirm={dialog.value === 'rename' ? t.save : dialog.value === 'clear' ? t.clear_conversation : t.delete_conversation} dangerous={dialog.value === 'delete'}
          onClose={() => { dialog.value = ''; }}
          onConfirm={(text) => { if (dialog.value === 'delete') app.remove(conversation.id); else if (dialog.value === 'clear') app.tell({ type: 'clear', conversation: conversation.id }); else if (text.trim()) app.set({ title: text.trim() }); }} />
      )}
    </>
  );
}

function saveConversation(app: App, conversation: Conversation, ending: 'md' | 'json'): void {
  const whole = async () => {
    const { allEvents, asJson, asMarkdown, fileName, filesOf } = await import('../exported');
    const events = await allEvents(app.ask, conversation);
    const files = await filesOf(events, (id) => app.host.attachment(id));
    const text = (ending === 'md' ? asMarkdown : asJson)(conversation, events, files);
    saveBlob(new Blob([text], { type: ending === 'md' ? 'text/markdown' : 'application/json' }), fileName(conversation, ending));
  };
  whole().catch((error: Error) => { app.notice.value = t.request_failed(error.message); });
}

interface DialogProps { title: string; initial: string | undefined; confirm: string; dangerous: boolean; onConfirm: (text: string) => void; onClose: () => void }

export function Dialog(p: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
    input.current?.select();
  }, []);
  return (
    <dialog ref={dialog} onClose={p.onClose} aria-label={p.title}>
      <form method="dialog" onSubmit={() => p.onConfirm(input.current?.value ?? '')}>
        <p>{p.title}</p>
        {p.initial !== undefined && <input ref={input} type="text" value={p.initial} aria-label={p.title} maxLength={200} />}
        <div class="bar plain"><span class="grow" />
          <button type="button" onClick={() => dialog.current!.close()}>{t.cancel}</button>
          <button type="submit" class={p.dangerous ? 'danger' : 'primary'}>{p.confirm}</button>
        </div>
      </form>
    </dialog>
  );
}
