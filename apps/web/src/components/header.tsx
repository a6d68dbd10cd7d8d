// SPDX-License-Identifier: Apache-2.0
// The header of the current conversation: title, agent, folder; stop; rename and delete.

import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { App, Question } from '../app';
import { shortFolder } from '../format';
import { Part } from '../part';
import type { Conversation } from '../protocol';
import { agentOf } from '../store';
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
  const known = useComputed(() => agentOf(app.state.value, app.conversation.value?.agent)).value;
  const agent = known?.name ?? conversation?.agent ?? '';
  const home = useComputed(() => app.state.value.home).value;
  return (
    <header>
      <MenuButton />
      <h1>{conversation ? conversation.title || t.untitled : t.new_conversation}</h1>
      {conversation && (
        <>
          <span class="chip">
            <span class="spoken">{t.agent}: </span>
            {agent}
          </span>
          {known?.scripted && (
            <span class="scripted faint" tabIndex={0} title={t.scripted_hint}>
              {t.scripted}
            </span>
          )}
          {conversation.via && (
            <span class="via faint" tabIndex={0} title={t.via_hint}>
              {t.via(conversation.via)}
            </span>
          )}
          <span
            class="chip folder"
            tabIndex={0}
            title={[conversation.folder, ...(conversation.folders ?? [])].join('\n')}
          >
            {shortFolder(conversation.folder, home)}
            {conversation.folders?.length ? ` +${conversation.folders.length}` : ''}
          </span>
          {app.state.value.team && (
            <WhenHere part={whose} draw={({ Whose }) => <Whose conversation={conversation} />} meanwhile={<></>} />
          )}
          <span class="grow" />
          <Menu conversation={conversation} />
        </>
      )}
    </header>
  );
}

/** Shows the sidebar on narrow screens, with the number of waiting requests. */
export function MenuButton() {
  const app = useApp();
  const others = useComputed(() => app.waiting.value.length).value;
  return (
    <button
      type="button"
      class="quiet menu-button"
      aria-label={others > 0 ? `${t.show_conversations}. ${t.jump_to_waiting(others)}` : t.show_conversations}
      onClick={() => {
        app.navigation.sidebarShown.value = true;
      }}
    >
      <Icon name="menu" />
      {others > 0 && <span class="badge wait">{others}</span>}
    </button>
  );
}

function Menu({ conversation }: { conversation: Conversation }) {
  const app = useApp();
  const dialog = app.asking;
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    details.current!.open = false;
  };
  return (
    <>
      <details
        class="menu"
        ref={details}
        onKeyDown={(e) => {
          if (e.key !== 'Escape' || !details.current!.open) return;
          close();
          e.preventDefault();
          details.current!.querySelector('summary')!.focus();
        }}
        onFocusOut={(e) => {
          if (!details.current!.contains(e.relatedTarget as Node | null)) close();
        }}
      >
        <summary class="quiet" aria-label={t.conversation_menu}>
          <Icon name="more" />
        </summary>
        <div class="sheet">
          {commandsOn(app, conversation).map(({ id, name, act, look }) => (
            <button
              key={id}
              type="button"
              class={`quiet${look}`}
              onClick={() => {
                close(); // first, so that the command may move the focus
                act();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      </details>
      {dialog.value && (
        <Dialog
          {...asks(dialog.value, conversation)}
          onClose={() => {
            dialog.value = '';
          }}
          onConfirm={(text) => {
            if (dialog.value === 'delete') app.remove(conversation.id);
            else if (dialog.value === 'clear') app.tell({ type: 'clear', conversation: conversation.id });
            else if (text.trim()) app.set({ title: text.trim() });
          }}
        />
      )}
    </>
  );
}

/** A command on the conversation in view, for the menu and the palette. */
export interface Command {
  id: string;
  name: string;
  key: string;
  look: string;
  act: () => void;
}

export function commandsOn(app: App, conversation: Conversation): Command[] {
  const command = (id: string, name: string, act: () => void, key = '', look = ''): Command => ({
    id,
    name,
    key,
    look,
    act,
  });
  const question = (id: Question, name: string, look = '') =>
    command(id, name, () => (app.asking.value = id), '', look);
  return [
    command('details', t.details_column, () => (app.navigation.detailsShown.value = true), '', ' narrow-only'),
    command('find', t.find_here, () => (finding.value = true), 'Ctrl F'),
    question('rename', t.rename),
    command('archive', conversation.archived ? t.unarchive : t.archive, () =>
      app.archive(conversation, !conversation.archived),
    ),
    command('markdown', t.export_markdown, () => saveConversation(app, conversation, 'md')),
    command('json', t.export_json, () => saveConversation(app, conversation, 'json')),
    ...(app.host.editor
      ? []
      : [
          command('link', t.copy_link, () => {
            void navigator.clipboard.writeText(app.navigation.here());
            app.spoken.value = t.copied;
          }),
        ]),
    question('clear', t.clear_conversation),
    question('delete', t.delete_conversation, ' danger'),
  ];
}

const asks = (question: Question, { title }: Conversation) =>
  question === 'rename'
    ? { title: t.rename, initial: title, confirm: t.save, dangerous: false }
    : {
        title: (question === 'clear' ? t.clear_question : t.delete_question)(title),
        initial: undefined,
        confirm: question === 'clear' ? t.clear_conversation : t.delete_conversation,
        dangerous: question === 'delete',
      };

export function saveConversation(app: App, conversation: Conversation, ending: 'md' | 'json'): void {
  const whole = async () => {
    const { allEvents, asJson, asMarkdown, fileName, filesOf } = await import('../exported');
    const events = await allEvents(app.ask, conversation);
    const files = await filesOf(events, (id) => app.host.attachment(id));
    const text = (ending === 'md' ? asMarkdown : asJson)(conversation, events, files);
    saveBlob(
      new Blob([text], { type: ending === 'md' ? 'text/markdown' : 'application/json' }),
      fileName(conversation, ending),
    );
  };
  whole().catch((error: Error) => {
    app.notice.value = t.request_failed(error.message);
  });
}

interface DialogProps {
  title: string;
  initial: string | undefined;
  confirm: string;
  dangerous: boolean;
  onConfirm: (text: string) => void;
  onClose: () => void;
}

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
        {p.initial !== undefined && (
          <input ref={input} type="text" value={p.initial} aria-label={p.title} maxLength={200} />
        )}
        <div class="bar plain">
          <span class="grow" />
          <button type="button" onClick={() => dialog.current!.close()}>
            {t.cancel}
          </button>
          <button type="submit" class={p.dangerous ? 'danger' : 'primary'}>
            {p.confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}
