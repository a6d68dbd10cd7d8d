// SPDX-License-Identifier: Apache-2.0
// The field for messages. Never blocked: during a turn a message is queued, without a connection a message is kept.

import { useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { App } from '../app';
import { findFaults } from '../attachments';
import type { AgentInfo, AgentOption, Conversation, Mode } from '../protocol';
import { agentOf } from '../store';
import { t } from '../strings';
import { AttachButton, DraftFilesView, DropZone, filesIn } from './attached_files';
import { useApp, useSelect } from './context';
import { EditorContextChip } from './editor_context';
import { optionsInForce } from '../options';
import { PlanLine } from './details';
import { MentionChoice, useMentions } from './composer/mentions';
import { useSaidBefore } from './composer/use_said_before';
import { Icon } from './icons';
import { toBegin } from './conversations/new_conversation';
import { mayWrite } from './team/people';
import { SlashCommands, useSlashCommands } from './slash_commands';

export function Composer() {
  const app = useApp();
  const key = app.navigation.current.value;
  const conversation = app.conversation.value;
  const online = app.online.value;
  const area = useRef<HTMLTextAreaElement>(null);
  const { written, fit, write } = useText(area, key);
  const canBegin = useComputed(() => toBegin(app.state.value) !== undefined).value;
  const agent = useSelect(() => agentHere(app), []);
  const { files, faults, faulty } = useFiles(key, agent);
  const may = useComputed(() => mayWrite(app.state.value.team, app.conversation.value)).value;
  const busy = conversation !== undefined && conversation.state !== 'idle';

  useFocus(area, key);
  const saidBefore = useSaidBefore(key);
  const { slash, mentions, list } = useLists(area, written.value, write, agent);
  const canSend = online && may && !faulty && (key !== '' || canBegin);
  const send = (e: Event) => {
    e.preventDefault();
    const text = area.current!.value;
    if ((text.trim() === '' && files.length === 0) || !canSend) return;
    write('');
    app.send(text.trimEnd(), toBegin(app.state.peek()));
  };
  return (
    <footer>
      {conversation && <PlanLine />}
      {conversation && <Queued conversation={conversation} />}
      <form class="composer" onSubmit={send}>
        <DropZone />
        <DraftFilesView files={files} faults={faults} onRemove={(id) => remove(app, key, id, area.current!)} />
        <SlashCommands list={slash} />
        <MentionChoice list={mentions} />
        <textarea
          ref={area}
          rows={1}
          aria-label={t.message}
          aria-controls={list?.id}
          aria-activedescendant={list && `${list.id}-${list.at}`}
          disabled={!may}
          placeholder={!may ? t.only_read : key === '' ? t.first_message : busy ? t.queue_next : t.reply}
          onPaste={(e) => paste(app, e)}
          onInput={() => {
            app.drafts.set(key, area.current!.value);
            fit();
          }}
          onKeyDown={(e) => {
            if (slash.key(e) || mentions.key(e) || saidBefore(e, area.current!.value)) return;
            // 229: an input method is composing, and Enter belongs to the input method (Safari reports this only here)
            if (e.key !== 'Enter' || e.shiftKey || e.isComposing || e.keyCode === 229) return;
            send(e);
          }}
        />
        {below(conversation, online, busy, (written.value.trim() !== '' || files.length > 0) && canSend)}
      </form>
    </footer>
  );
}

/** The agent of the conversation, or of the conversation that the next message begins. */
const agentHere = ({ state, conversation }: App) =>
  agentOf(state.value, conversation.value?.agent ?? toBegin(state.value)?.agent);

/** The lists above the composer: slash commands, or files after "@". `list`: the visible list. */
function useLists(
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  write: (text: string) => void,
  agent: AgentInfo | undefined,
) {
  const app = useApp();
  const known = useComputed(() => app.transcript.value?.commands).value ?? agent?.commands ?? [];
  const slash = useSlashCommands(known, text, write);
  const mentions = useMentions(area, text, write);
  const list = slash.commands.length > 0 ? slash : mentions.paths.length > 0 ? mentions : undefined;
  return { slash, mentions, list };
}

function remove(app: App, key: string, file: number, area: HTMLTextAreaElement): void {
  app.drafts.files.remove(key, file);
  area.focus({ preventScroll: true });
}

const below = (conversation: Conversation | undefined, online: boolean, busy: boolean, ready: boolean) => (
  <div class="row">
    <AttachButton />
    <EditorContextChip />
    {!online && <span class="faint">{t.offline}</span>}
    <span class="grow" />
    {conversation && (
      <span class="settings">
        <Settings conversation={conversation} />
      </span>
    )}
    <SendButtons busy={busy} ready={ready} />
  </div>
);

/** The button that ends the running turn is next to the button that begins the next turn. */
function SendButtons({ busy, ready }: { busy: boolean; ready: boolean }) {
  const app = useApp();
  const online = app.online.value;
  return (
    <span class="send">
      {busy && (
        <button
          type="button"
          class="stop"
          aria-disabled={!online}
          onClick={() => {
            if (online) app.stop();
          }}
        >
          {t.stop} <kbd aria-hidden="true">Esc</kbd>
        </button>
      )}
      <button type="submit" class="primary" aria-disabled={!ready}>
        {busy ? t.queue : t.send}
      </button>
    </span>
  );
}

/** Fits the height of the field to its text. */
const GROWS = CSS.supports('field-sizing', 'content');

function useText(area: RefObject<HTMLTextAreaElement | null>, key: string) {
  const app = useApp();
  const written = useSignal('');
  const fit = () => {
    const el = area.current!;
    written.value = el.value;
    if (GROWS) return; // by its style; measuring would lay out a long transcript for each key
    el.style.height = 'auto';
    el.style.height = `${el.scrollHeight}px`;
  };
  const changed = app.drafts.changed.value;
  useLayoutEffect(() => {
    area.current!.value = app.drafts.texts[key] ?? '';
    fit();
  }, [key, changed]);
  return {
    written,
    fit,
    write: (text: string) => {
      area.current!.value = text;
      app.drafts.set(key, text);
      fit();
    },
  };
}

/** The files of a draft, and their problems with the draft's agent. */
function useFiles(key: string, agent: AgentInfo | undefined) {
  const app = useApp();
  const files = app.drafts.files.of(key);
  const limits = useComputed(() => app.state.value.attachmentLimits).value;
  const faults = useMemo(() => findFaults(files, limits, agent), [files, limits, agent]);
  return { files, faults, faulty: faults.all !== '' || faults.each.size > 0 };
}

/** An opened conversation gets the focus, unless the person is busy elsewhere on the page. */
function useFocus(area: RefObject<HTMLTextAreaElement | null>, key: string): void {
  const app = useApp();
  useEffect(() => {
    if (!matchMedia('(hover: hover)').matches) return; // on a phone, the keyboard would cover the conversation
    if (app.host.editor && !document.hasFocus()) return; // the person is in the editor: the page must not take the keyboard
    if (!app.navigation.reveal.peek() && !document.activeElement?.closest('[data-ask], .sought'))
      area.current!.focus({ preventScroll: true });
  }, [key]);
}

function paste(app: App, event: ClipboardEvent): void {
  const pasted = filesIn(event.clipboardData);
  if (pasted.length === 0) return;
  event.preventDefault();
  app.attach(pasted);
}

function Settings({ conversation }: { conversation: Conversation }) {
  const app = useApp();
  const agent = useSelect(() => agentOf(app.state.value, conversation.agent), [conversation.agent]);
  const modes = agent?.modes.includes(conversation.mode) ? agent.modes : [conversation.mode, ...(agent?.modes ?? [])];
  const models = agent?.models ?? [];
  return (
    <>
      <select
        class={`chip mode ${conversation.mode}`}
        aria-label={t.mode}
        title={t.mode_hint}
        value={conversation.mode}
        onChange={(e) => app.set({ mode: e.currentTarget.value as Mode })}
      >
        {modes.map((mode) => (
          <option key={mode} value={mode}>
            {t.modes[mode]}
          </option>
        ))}
      </select>
      {models.length > 0 && (
        <select
          class="chip"
          aria-label={t.model}
          title={t.model_hint}
          value={conversation.model}
          onChange={(e) => app.set({ model: e.currentTarget.value })}
        >
          {!models.includes(conversation.model) && (
            <option value={conversation.model}>{conversation.model || t.model_default}</option>
          )}
          {models.map((model) => (
            <option key={model} value={model}>
              {model}
            </option>
          ))}
        </select>
      )}
      <button
        type="button"
        class={`chip think-toggle${conversation.think ? ' on' : ''}`}
        aria-pressed={conversation.think}
        title={t.think_hint}
        onClick={() => app.set({ think: !conversation.think })}
      >
        {t.think}
      </button>
      {optionsInForce(agent?.options, conversation.options).map((option) => (
        <OptionView
          key={option.id}
          option={option}
          onChoose={(value) =>
            app.tell({ type: 'set_option', conversation: conversation.id, option: option.id, value })
          }
        />
      ))}
    </>
  );
}

function OptionView({ option, onChoose }: { option: AgentOption; onChoose: (value: string) => void }) {
  const now = option.values.find((choice) => choice.value === option.value)?.description ?? '';
  const title = `${option.description} ${t.option_hint}${now && `\n${now}`}`.trim();
  if (option.kind === 'boolean') {
    const on = option.value === 'true';
    return (
      <button
        type="button"
        class={`chip think-toggle${on ? ' on' : ''}`}
        aria-pressed={on}
        title={title}
        onClick={() => onChoose(String(!on))}
      >
        {option.name}
      </button>
    );
  }
  return (
    <select
      class="chip"
      aria-label={option.name}
      title={title}
      value={option.value}
      onChange={(e) => onChoose(e.currentTarget.value)}
    >
      {option.values.map((choice) => (
        <option
          key={choice.value}
          value={choice.value}
          title={choice.description}
        >{`${option.name}: ${choice.name || choice.value}`}</option>
      ))}
    </select>
  );
}

function Queued({ conversation }: { conversation: Conversation }) {
  const app = useApp();
  // A turn that ends well starts the next turn.
  const held = useSelect(() => {
    const reason = app.transcript.value?.turn?.stopReason;
    return conversation.state === 'idle' && (reason === 'cancelled' || reason === 'error');
  }, [conversation.state]);
  if (conversation.queued.length === 0) return null;
  return (
    <>
      {held && (
        <p class="held">
          <span>{t.held_back}</span>{' '}
          <button
            type="button"
            class="small"
            onClick={() => app.tell({ type: 'go_on', conversation: conversation.id })}
          >
            {t.go_on}
          </button>
        </p>
      )}
      <ul class="queued" aria-label={t.queued_prompts}>
        {conversation.queued.map((prompt) => (
          <li key={prompt.id}>
            <span class="label">{t.queued}</span>
            <span class="text">{prompt.text}</span>
            {prompt.attachments && (
              <span class="label">
                <Icon name="clip" size={14} /> {t.with_files(prompt.attachments.length)}
              </span>
            )}
            <button
              type="button"
              class="quiet small"
              onClick={() => app.tell({ type: 'withdraw', conversation: conversation.id, queued: prompt.id })}
            >
              {t.withdraw}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
