// SPDX-License-Identifier: Apache-2.0
// A request to a person: a permission, questions, a plan. The card shows the exact subject; its buttons stay in view.
//
// An answer counts once: a second press, a double click or a repeated key does nothing. Keys work only on the focused card, and keys with
// another meaning elsewhere (Enter, Esc) never decide.

import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { App } from '../../app';
import { shortPaths } from '../../format';
import { Part } from '../../part';
import type { Ask, AskOption } from '../../protocol';
import { t } from '../../strings';
import { visibleLine, visibleProse } from '../../visible';
import { Coded } from '../coded';
import { useAgo, useApp, useSelect } from '../context';
import { DiffBox, DiffCounts } from '../diff/diff_box';
import { Markdown } from '../message';
import { toolName } from '../runs/tool_name';
import { Visible } from '../visible';
import { WhenHere } from '../when_here';
import { carefulOption, labelOf, optionForKey, refuses } from './choices';
import { once, Toolbar } from './toolbar';
import { verdict } from './verdict';

const asking = new Part(() => import('./question_form'));
const DIFF_ROWS = 150;
const ARMING_MS = 500;                // longer than a double click, shorter than reading

export function AskCard({ ask }: { ask: Ask }) {
  return ask.state === 'open' || ask.state === 'orphaned' ? <OpenAsk key={ask.id} ask={ask} /> : <SettledAsk ask={ask} />;
}

function nameOf(ask: Ask): string {
  return ask.kind === 'permission' && ask.tool ? toolName(ask.tool) : t.ask_title[ask.kind];
}

/** A block shows the whole unchanged command, without a repetition above. */
function inBlock(ask: Ask): boolean {
  return ask.kind === 'permission' && ask.detail !== undefined && ask.detail.startsWith(ask.title);
}

function SettledAsk({ ask }: { ask: Ask }) {
  return (
    <div class={`card settled ${ask.state}`} role="group" aria-label={`${nameOf(ask)}: ${visibleLine(ask.title)}`}>
      <div class="top"><span class="name">{nameOf(ask)}</span><span class="sum plain"><Visible text={ask.title} as={visibleLine} /></span></div>
      {ask.plan && <details class="more"><summary>{t.details}</summary><div class="body"><Markdown text={visibleProse(ask.plan)} settled /></div></details>}
      <p class="verdict">{verdict(ask)}</p>
    </div>
  );
}

function OpenAsk({ ask }: { ask: Ask }) {
  const app = useApp();
  const card = useRef<HTMLElement>(null);
  const id = useId();
  const place = useSelect(() => {
    const mine = app.waiting.value.filter((one) => one.conversation === ask.conversation);
    return mine.length > 1 ? t.n_of_m(mine.findIndex((one) => one.id === ask.id) + 1, mine.length) : '';
  }, [ask]);
  const fault = useSelect(() => app.answers.faults.value[ask.id] ?? '', [ask.id]);
  const onItsWay = useSelect(() => app.answers.onTheWay.value.has(ask.id), [ask.id]);
  const armed = useArmed(card);
  const online = app.online.value;
  const sending = onItsWay || !armed || !online;
  const draft = useSignal<string | undefined>(undefined);  // the person's version of the proposal
  useReveal(app, ask, card);
  useHandOver(card);

  return (
    <section class={`card wait ${ask.kind}${armed ? '' : ' arming'}`} role="group" aria-labelledby={`${id}n`} aria-describedby={`${id}w`} aria-busy={onItsWay} data-ask={ask.id} tabIndex={-1} ref={card}
      onClickCapture={(e) => { if ((!armed || !online) && (e.target as Element).closest('.bar button')) { e.preventDefault(); e.stopPropagation(); } }}
      onKeyDown={(e) => { if (armed && online) decideByKey(app, ask, e, card.current!, draft.peek()); }}>
      <div class="top">
        <span id={`${id}n`} class="what"><span class="name">{nameOf(ask)}</span> <span class={inBlock(ask) ? 'spoken' : `sum${ask.kind === 'permission' ? '' : ' plain'}`} title={visibleLine(ask.title)}><Visible text={ask.title} as={visibleLine} /></span></span>
        {ask.diff && <DiffCounts diff={ask.diff} />}
        {place && <span class="badge wait">{place}</span>}
      </div>
      {ask.state === 'orphaned' ? (
        <>
          <Detail ask={ask} />
          {ask.questions?.map((one, i) => <p key={i} class="why"><Visible text={one.question} as={visibleProse} /></p>)}
          {ask.why && <Why ask={ask} id={`${id}y`} />}
          <p class="why" id={`${id}w`}>{t.settled.orphaned}.</p>
          <div class="bar" role="toolbar" aria-label={t.decide}>
            <button type="button" class="primary" aria-disabled={sending} onClick={(e) => { if (once(e)) app.answers.askAgain(ask); }}>{t.resume_and_ask_again}</button>
          </div>
        </>
      ) : ask.kind === 'question' ? (
        <><Why ask={ask} id={`${id}w`} /><WhenHere part={asking} draw={({ QuestionForm }) => <QuestionForm ask={ask} sending={sending} sent={onItsWay} />} /></>
      ) : (
        <><Detail ask={ask} /><Edit ask={ask} draft={draft} sent={onItsWay} /><Why ask={ask} id={`${id}w`} /><Choices ask={ask} draft={draft} sending={sending} sent={onItsWay} /></>
      )}
      {ask.kind === 'limit' && <button type="button" class="quiet small" onClick={() => app.navigation.show('usage')}>{t.change_limit}</button>}
      {onItsWay && <p class="note" role="status">{t.answering}</p>}
      {!online && <p class="note" role="status">{t.answer_offline}</p>}
      {fault && online && <p class="note bad" role="alert">{fault}</p>}
    </section>
  );
}

/** The complete subject of the answer: scrolls inside, so that the buttons keep their place. */
function Detail({ ask }: { ask: Ask }) {
  if (!ask.diff && !ask.detail && !ask.plan) return null;
  return (
    <div class="body">
      {ask.plan !== undefined && <Markdown text={visibleProse(ask.plan)} settled />}
      {ask.detail && <pre class="detail" tabIndex={0} role="region" aria-label={t.whole_detail}><Visible text={ask.detail} /></pre>}
      {ask.diff && <DiffBox diff={ask.diff} limit={DIFF_ROWS} />}
    </div>
  );
}

/** The editable text of the proposal. */
function proposed(ask: Ask): string {
  return (ask.editable === 'diff' ? ask.diff?.after : ask.detail) ?? '';
}

/** An approval includes the person's changes; an unchanged text adds nothing. */
function withEdit(ask: Ask, option: AskOption, draft: string | undefined): { option: string; edited?: string } {
  const allows = option.kind === 'allow_once' || option.kind === 'allow_always';
  return { option: option.id, ...(allows && draft !== undefined && draft !== proposed(ask) && { edited: draft }) };
}

function Edit({ ask, draft, sent }: { ask: Ask; draft: Signal<string | undefined>; sent: boolean }) {
  const { host: { editor }, state } = useApp();
  const area = useRef<HTMLTextAreaElement>(null);
  const open = draft.value !== undefined;
  useEffect(() => { if (open) area.current?.focus({ preventScroll: true }); }, [open]);
  const inEditor = editor?.diffs.value && ask.diff && state.value.conversations[ask.conversation]?.place === undefined;  // of a runner's machine the editor has no file
  if (!ask.editable && !inEditor) return null;
  return (
    <div class="edit">
      {open && ask.editable && <textarea ref={area} class="code" rows={Math.min(18, Math.max(3, draft.value!.split('\n').length))} spellcheck={false} aria-label={t.edited_text[ask.editable]} readOnly={sent}
        value={draft.value} onInput={(e) => { draft.value = e.currentTarget.value; }} />}
      {ask.editable && <button type="button" class="quiet small" aria-expanded={open} aria-disabled={sent}
        onClick={(e) => { if (once(e) && !sent) draft.value = open ? undefined : proposed(ask); }}>{open ? t.edit_back : ask.editable === 'diff' ? t.edit_first : t.edit_first_command}</button>}
      {inEditor && <button type="button" class="quiet small" aria-disabled={sent} onClick={(e) => { if (once(e)) editor.diff(ask.id); }}>{t.open_in_editor}</button>}
    </div>
  );
}

function Why({ ask, id }: { ask: Ask; id: string }) {
  const app = useApp();
  const asked = useAgo(ask.created_at);
  const when = asked && (asked === t.now ? t.asked_now : t.asked_ago(asked));
  const why = useSelect(() => shortPaths((ask.reason && t.reason(ask.reason, app.state.value.conversations[ask.conversation]?.folder ?? '')) || ask.why, app.state.value.home), [ask]);
  const via = useSelect(() => app.state.value.conversations[ask.conversation]?.via, [ask.conversation]);
  return <p class="why" id={id}>{why && <Visible text={`${why.replace(/[.。\s]+$/, '')}${why.endsWith('。') ? '。' : '. '}`} as={visibleLine} />}<span class="faint">{[when, via && t.via(via)].filter(Boolean).join(', ')}</span></p>;
}

/** The agent's options in its order; refusals are separated from approvals. */
function Choices({ ask, draft, sending, sent }: { ask: Ask; draft: Signal<string | undefined>; sending: boolean; sent: boolean }) {
  const app = useApp();
  const noting = useSignal<AskOption | undefined>(undefined);
  const openNote = (option: AskOption) => (e: MouseEvent) => { if (once(e)) noting.value = noting.value ? undefined : option; };
  const choose = (option: AskOption) => (e: MouseEvent) => { if (once(e)) app.answers.give(ask, withEdit(ask, option, draft.peek())); };
  // A single standing permission is in the same row; several have their own row to keep the order.
  const standing = ask.options.filter((option) => option.kind === 'allow_always');
  const below = standing.length > 1 ? standing : [];
  const allows = ask.options.filter((option) => !refuses(option) && !below.includes(option));
  const others = ask.options.filter(refuses);
  const reject = ask.options.find((option) => option.kind === 'reject_once');
  const hasFeedback = others.some((option) => option.kind === 'feedback');
  const main = carefulOption(ask);
  return (
    <>
      {noting.value && <Note option={noting.value} sending={sending} sent={sent} onClose={() => { noting.value = undefined; }} onSend={(text) => app.answers.give(ask, { option: noting.peek()!.id, text })} />}
      <Toolbar>
        {allows.map((option) => (
          <button key={option.id} type="button" class={option === main ? 'primary' : option.dangerous ? 'danger' : ''} aria-disabled={sending} onClick={choose(option)}><Coded text={labelOf(ask, option)} /> <Key ask={ask} option={option} /></button>
        ))}
        <span class="apart">
        {reject && !hasFeedback && ask.kind !== 'limit' && <button type="button" aria-expanded={noting.value !== undefined} aria-disabled={sending} onClick={openNote(reject)}>{t.reject_with_note}</button>}
        {others.map((option) => (
          <button key={option.id} type="button" aria-disabled={sending} aria-expanded={option.kind === 'feedback' ? noting.value !== undefined : undefined}
            onClick={option.kind === 'feedback' ? openNote(option) : choose(option)}><Coded text={labelOf(ask, option)} /> <Key ask={ask} option={option} /></button>
        ))}
        </span>
        {below.length > 0 && <span class="standing">
          {below.map((option) => (
            <button key={option.id} type="button" class={`small${option.dangerous ? ' danger' : ''}`} aria-disabled={sending} onClick={choose(option)}><Coded text={labelOf(ask, option)} /> <Key ask={ask} option={option} /></button>
          ))}
        </span>}
      </Toolbar>
    </>
  );
}

function Key({ ask, option }: { ask: Ask; option: AskOption }) {
  const key = ['y', 'a', 'n'].find((one) => optionForKey(ask, one) === option);
  return key ? <kbd aria-hidden="true">{key}</kbd> : null;
}

function Note({ option, sending, sent, onSend, onClose }: { option: AskOption; sending: boolean; sent: boolean; onSend: (text: string) => void; onClose: () => void }) {
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
    <form class="note-form" onSubmit={(e) => { e.preventDefault(); send(); }}>
      <textarea ref={area} rows={2} aria-label={label} placeholder={label} readOnly={sent} onKeyDown={(e) => {
        if (e.key === 'Escape') { e.preventDefault(); onClose(); }
        if (e.key === 'Enter' && !e.shiftKey && !e.isComposing && e.keyCode !== 229) { e.preventDefault(); send(); }
      }} />
      <button type="submit" aria-disabled={sending}>{option.kind === 'feedback' ? t.send_feedback : t.send_note}</button>
    </form>
  );
}

function decideByKey(app: App, ask: Ask, event: KeyboardEvent, card: HTMLElement, draft: string | undefined): void {
  if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || ask.state !== 'open') return;
  const at = event.target as Element;
  if (at.matches('input, textarea, select')) return;
  const option = optionForKey(ask, event.key);
  if (!option || !card.contains(at)) return;
  event.preventDefault();
  app.answers.give(ask, withEdit(ask, option, draft));
}

const HANDED_OVER = 'handed-over';

/** A click or key meant for the previous content of this place, or for the previously focused card, decides nothing. */
function useArmed(card: { current: HTMLElement | null }): boolean {
  const armed = useSignal(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      clearTimeout(timer);
      armed.value = false;
      timer = setTimeout(() => { armed.value = true; }, ARMING_MS);
    };
    const element = card.current!;
    element.addEventListener(HANDED_OVER, arm);
    arm();
    return () => { clearTimeout(timer); element.removeEventListener(HANDED_OVER, arm); };
  }, []);
  return armed.value;
}

/** The target of the jump to waiting requests. */
function useReveal(app: App, ask: Ask, card: { current: HTMLElement | null }): void {
  const wanted = app.navigation.reveal.value === ask.id;
  useEffect(() => {
    if (!wanted) return;
    app.navigation.reveal.value = '';
    card.current!.scrollIntoView({ block: 'center' });
    card.current!.focus({ preventScroll: true });
  }, [wanted]);
}

/** A settled card removes its buttons: the focus moves to the next card, or to the composer. */
function useHandOver(card: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const element = card.current!;
    return () => {
      if (!element.contains(document.activeElement)) return;
      setTimeout(() => {
        if (document.activeElement && document.activeElement !== document.body) return;
        const next = document.querySelector<HTMLElement>('[data-ask]') ?? document.querySelector<HTMLElement>('.composer textarea');
        next?.focus({ preventScroll: true });
        next?.dispatchEvent(new Event(HANDED_OVER));
      });
    };
  }, []);
}
