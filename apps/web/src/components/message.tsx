// SPDX-License-Identifier: Apache-2.0
// Messages of a person, answers of the agent, and unsent messages.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { head } from '../ansi';
import { clock } from '../format';
import type { Outgoing } from '../state/outbox';
import { copyOn } from '../markdown/clipboard';
import type { StreamView } from '../markdown/stream_view';
import { Part } from '../part';
import type { PromptContext } from '../protocol';
import { t } from '../strings';
import type { Item, TextItem, UserItem } from '../transcript_items';
import { LocalFiles } from './attached_files';
import { focusComposer, useApp } from './context';
import { SentFiles } from './sent_files';
import { ownName } from './team/people';

/** A program's message to the agent in the person's place, for example after the approval of a plan. */
const REMINDER = /^<system-reminder>\n([^]*)\n<\/system-reminder>$/;

export function UserMessage({ item }: { item: UserItem }) {
  const reminder = REMINDER.exec(item.text);
  if (reminder)
    return (
      <details class="note">
        <summary>{t.told_agent}</summary>
        {reminder[1]}
      </details>
    );
  return (
    <>
      <Writer by={item.by} />
      <SentFiles files={item.attachments} />
      <LookedAt places={item.context} />
      {item.text && <Said text={item.text} />}
      <div class="below">
        <EditButton item={item} />
        <Time time={item.time} />
      </div>
    </>
  );
}

function Time({ time }: { time: string }) {
  const app = useApp();
  return (
    <time
      dateTime={time}
      onPointerEnter={(e) => {
        e.currentTarget.title = new Date(time).toLocaleString(t.locale);
      }}
    >
      {clock(time, app.now.peek())}
    </time>
  );
}

/** Shown for other people's messages. */
function Writer({ by }: { by: string }) {
  const app = useApp();
  return by && by !== ownName(app.state.value.team) ? (
    <div class="writer faint">{by}</div>
  ) : (
    <span class="spoken">{t.you}: </span>
  );
}

function EditButton({ item }: { item: UserItem }) {
  const app = useApp();
  const edit = () => {
    app.edit(item);
    focusComposer();
  };
  return (
    <button type="button" class="quiet small edit-again" title={t.edit_again_hint} onClick={edit}>
      {t.edit_again}
    </button>
  );
}

function LookedAt({ places }: { places: readonly PromptContext[] }) {
  if (places.length === 0) return null;
  return (
    <ul class="looked-at" aria-label={t.looked_at}>
      {places.map((place, i) => (
        <li key={i} class="chip" title={place.text ?? place.path}>
          {place.path.split('/').at(-1)}
          {place.range && ` ${t.lines(place.range.first, place.range.last)}`}
        </li>
      ))}
    </ul>
  );
}

const LONG_LINES = 30; // of a message: a pasted log is not read here
const LONG_CHARS = 6_000;
const SHOWN_LINES = 12;
const SHOWN_CHARS = 1_500;
const PIECE_CHARS = 4_000; // of an endless text: a browser lays out only visible pieces

function Said({ text }: { text: string }) {
  const all = useSignal(false);
  const { shown, lines } = useMemo(() => head(text, SHOWN_LINES), [text]);
  if (lines <= LONG_LINES && text.length <= LONG_CHARS) return <div class="me">{text}</div>;
  return (
    <div class="me">
      {all.value
        ? piecesOf(text).map((piece, i) => (
            <div key={i} class="piece">
              {piece}
            </div>
          ))
        : `${shown.slice(0, SHOWN_CHARS)}${shown.length > SHOWN_CHARS ? '' : '\n'}…`}
      <div>
        <button
          type="button"
          class="quiet small"
          aria-expanded={all.value}
          onClick={() => {
            all.value = !all.value;
          }}
        >
          {all.value ? t.show_less : lines > LONG_LINES ? t.show_all(lines) : t.show_whole}
        </button>
      </div>
    </div>
  );
}

/** Cut after a line, or else after a word. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + PIECE_CHARS;
    const cut =
      end >= text.length ? text.length : Math.max(text.lastIndexOf('\n', end), text.lastIndexOf(' ', end), at) + 1;
    const to = cut > at + 1 ? cut : end;
    pieces.push(text.slice(at, to));
    at = to;
  }
  return pieces;
}

/** The copy button and the time belong to the whole answer, at its end, and not to its parts. */
export function TextView({ item, closes }: { item: TextItem; closes: boolean }) {
  return (
    <div class="answer">
      <Markdown text={item.text} settled={item.settled} />
      {item.settled && closes && (
        <div class="below">
          <Time time={item.time} />
          <CopyButton item={item} />
        </div>
      )}
    </div>
  );
}

/** Draws markdown. */
export const drawing = new Part(() => import('../markdown/stream_view'));

/** Text that may still grow. The stream view owns the element; Preact never touches its contents. */
export function Markdown({ text, settled }: { text: string; settled: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<StreamView | undefined>(undefined);
  const wasSettled = useRef(false);
  useEffect(() => drawing.load(), []);
  const made = drawing.here.value;
  useLayoutEffect(() => {
    if (!made) {
      element.current!.textContent = text;
      return;
    } // plain until the drawing code has loaded
    if (!view.current) {
      element.current!.replaceChildren();
      view.current = new made.StreamView(element.current!);
    }
    if (wasSettled.current && settled) return;
    wasSettled.current = settled;
    view.current.update(text, settled);
  }, [text, settled, made]);
  useLayoutEffect(() => () => view.current?.dispose(), []);
  return <div class={made ? 'md' : 'md undrawn'} ref={element} />;
}

function CopyButton({ item }: { item: TextItem }) {
  const app = useApp();
  return (
    <button
      type="button"
      class="quiet small copy-message"
      onClick={(e) => copyOn(e.currentTarget, t.copy_message, answerBefore(app.transcript.peek()?.items ?? [], item))}
    >
      {t.copy_message}
    </button>
  );
}

/** All answers since a person's last message, up to an item. */
function answerBefore(items: readonly Item[], last: TextItem): string {
  const texts: string[] = [last.text];
  for (let at = items.findIndex((item) => item.key === last.key) - 1; at >= 0; --at) {
    const item = items[at]!;
    if (item.kind === 'user') break;
    if (item.kind === 'text') texts.unshift(item.text);
  }
  return texts.join('\n\n');
}

export function OutgoingView({ outgoing }: { outgoing: Outgoing }) {
  const app = useApp();
  return (
    <div class={`item user outgoing ${outgoing.state}`}>
      <LocalFiles files={outgoing.files} />
      {outgoing.text && <div class="me">{outgoing.text}</div>}
      {outgoing.state === 'sending' ? (
        <p class="note">{t.sending}</p>
      ) : (
        <p class="note" role="alert">
          {outgoing.why}{' '}
          {outgoing.state === 'unsent' && (
            <>
              <button
                type="button"
                class="small"
                aria-disabled={!app.online.value}
                onClick={() => {
                  if (app.online.peek()) app.sendAgain(outgoing);
                }}
              >
                {t.send_again}
              </button>{' '}
              <button
                type="button"
                class="quiet small"
                onClick={() => {
                  app.restore(outgoing.text, outgoing.files, outgoing.conversation);
                  app.outbox.discard(outgoing.id);
                }}
              >
                {t.back_to_draft}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  );
}
