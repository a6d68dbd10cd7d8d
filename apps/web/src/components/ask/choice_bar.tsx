// SPDX-License-Identifier: Apache-2.0
// The buttons of a request, its keys, and the note of a refusal.

import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { App } from '../../app';
import type { Ask, AskOption } from '../../protocol';
import { t } from '../../strings';
import { Coded } from '../coded';
import { useApp } from '../context';
import { carefulOption, labelOf, optionForKey, refuses, standingOf, carefulFirst } from './choices';
import { withEdit } from './edit';
import { once, Toolbar } from './toolbar';

interface ChoicesProps {
  ask: Ask;
  draft: Signal<string | undefined>;
  sending: boolean;
  sent: boolean;
}

/**
 * The most careful approval comes first, and refusals are separated from approvals. Several standing permissions, and further ways to refuse
 * a permission, open below the row.
 */
export function Choices({ ask, draft, sending, sent }: ChoicesProps) {
  const app = useApp();
  const noting = useSignal<AskOption | undefined>(undefined);
  const opened = useSignal<'' | 'always' | 'reject'>('');
  const openNote = (option: AskOption) => (e: MouseEvent) => {
    if (once(e)) noting.value = noting.value ? undefined : option;
  };
  const choose = (option: AskOption) => (e: MouseEvent) => {
    if (once(e)) app.answers.give(ask, withEdit(ask, option, draft.peek()));
  };
  const main = carefulOption(ask);
  const standing = standingOf(ask);
  const several = standing.length > 1;
  const allows = carefulFirst(ask).filter((option) => !(several && standing.includes(option)));
  const others = ask.options.filter(refuses);
  const reject = ask.options.find((option) => option.kind === 'reject_once');
  const further = ask.kind === 'permission' && reject && others.every((option) => option.kind !== 'feedback');
  const button = buttonsOf(ask, sending);
  const opener = openerOf(opened, sending);
  return (
    <>
      {noteOf(app, ask, noting, sending, sent)}
      <Toolbar>
        {allows.map((option) =>
          button(option, choose(option), option === main ? 'primary' : option.dangerous ? 'danger' : ''),
        )}
        {several && opener('always', t.always)}
        <span class="apart">
          {others.map((option) =>
            option.kind === 'feedback'
              ? button(option, openNote(option), undefined, noting.value !== undefined)
              : (!further || option === reject) && button(option, choose(option)),
          )}
          {further && opener('reject', '', t.reject_more)}
        </span>
        {opened.value && (
          <Opened key={opened.value}>
            {opened.value === 'always' &&
              standing.map((option) => button(option, choose(option), `small${option.dangerous ? ' danger' : ''}`))}
            {opened.value === 'reject' && (
              <Refusals
                ask={ask}
                reject={reject!}
                sending={sending}
                noting={noting.value !== undefined}
                note={openNote(reject!)}
                choose={choose}
              />
            )}
          </Opened>
        )}
      </Toolbar>
    </>
  );
}

/** Draws a button that opens and closes the row of further buttons. */
const openerOf =
  (opened: Signal<'' | 'always' | 'reject'>, sending: boolean) =>
  (which: 'always' | 'reject', label: string, name?: string) => (
    <button
      type="button"
      class={which}
      aria-label={name}
      aria-expanded={opened.value === which}
      aria-disabled={sending}
      onClick={() => (opened.value = opened.peek() === which ? '' : which)}
    >
      {label} <span aria-hidden="true">▾</span> {which === 'always' && <kbd aria-hidden="true">a</kbd>}
    </button>
  );

interface RefusalsProps {
  ask: Ask;
  reject: AskOption;
  sending: boolean;
  noting: boolean;
  note: (e: MouseEvent) => void;
  choose: (option: AskOption) => (e: MouseEvent) => void;
}

/** Further ways to refuse a permission: with a note, and with a stop of the turn. */
function Refusals({ ask, reject, sending, noting, note, choose }: RefusalsProps) {
  const app = useApp();
  const stop = (e: MouseEvent) => {
    if (!once(e)) return;
    choose(reject)(e);
    app.tell({ type: 'stop', conversation: ask.conversation });
  };
  return (
    <>
      <button type="button" class="small" aria-expanded={noting} aria-disabled={sending} onClick={note}>
        {t.reject_with_note}
      </button>
      <button type="button" class="small" aria-disabled={sending} onClick={stop}>
        {t.reject_and_stop}
      </button>
      {ask.options
        .filter((option) => option.kind === 'reject_always')
        .map((option) => buttonsOf(ask, sending)(option, choose(option), 'small'))}
    </>
  );
}

/** A row of further buttons; the first one receives the focus. */
function Opened({ children }: { children: ComponentChildren }) {
  const row = useRef<HTMLSpanElement>(null);
  useEffect(() => row.current!.querySelector('button')?.focus(), []);
  return (
    <span class="standing" ref={row}>
      {children}
    </span>
  );
}

/** Draws the button of an option. */
const buttonsOf =
  (ask: Ask, sending: boolean) =>
  (option: AskOption, onClick: (e: MouseEvent) => void, look?: string, expanded?: boolean) => (
    <button
      key={option.id}
      type="button"
      class={look}
      aria-disabled={sending}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <Coded text={labelOf(ask, option)} /> <Key ask={ask} option={option} />
    </button>
  );

function Key({ ask, option }: { ask: Ask; option: AskOption }) {
  const key = ['y', 'a', 'n'].find((letter) => optionForKey(ask, letter) === option);
  return key ? <kbd aria-hidden="true">{key}</kbd> : null;
}

const noteOf = (app: App, ask: Ask, noting: Signal<AskOption | undefined>, sending: boolean, sent: boolean) =>
  noting.value && (
    <Note
      option={noting.value}
      sending={sending}
      sent={sent}
      onClose={() => (noting.value = undefined)}
      onSend={(text) => app.answers.give(ask, { option: noting.peek()!.id, text })}
    />
  );

interface NoteProps {
  option: AskOption;
  sending: boolean;
  sent: boolean;
  onSend: (text: string) => void;
  onClose: () => void;
}

function Note({ option, sending, sent, onSend, onClose }: NoteProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current!.focus(), []);
  const label = option.kind === 'feedback' ? t.feedback : t.note;
  const send = () => {
    const text = area.current!.value.trim();
    if (sending) return;
    if (text) onSend(text);
    else area.current!.focus();
  };
  return (
    <form
      class="note-form"
      onSubmit={(e) => {
        e.preventDefault();
        send();
      }}
    >
      <textarea
        ref={area}
        rows={2}
        aria-label={label}
        placeholder={label}
        readOnly={sent}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.preventDefault();
            onClose();
          }
          if (e.key === 'Enter' && !e.shiftKey && !e.isComposing && e.keyCode !== 229) {
            e.preventDefault();
            send();
          }
        }}
      />
      <button type="submit" aria-disabled={sending}>
        {option.kind === 'feedback' ? t.send_feedback : t.send_note}
      </button>
    </form>
  );
}

export function decideByKey(
  app: App,
  ask: Ask,
  event: KeyboardEvent,
  card: HTMLElement,
  draft: string | undefined,
): void {
  if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || ask.state !== 'open')
    return;
  const at = event.target as Element;
  if (at.matches('input, textarea, select')) return;
  if (!card.contains(at)) return;
  const option = optionForKey(ask, event.key);
  const opener = event.key === 'a' && card.querySelector<HTMLElement>('button.always');
  if (opener) {
    opener.focus(); // closing removes the focused button
    opener.click();
  }
  if (!option) return;
  event.preventDefault();
  app.answers.give(ask, withEdit(ask, option, draft));
}
