// SPDX-License-Identifier: Apache-2.0
// A request to a person: a permission, questions, a plan. The card shows the exact subject; its buttons stay in view.
//
// An answer counts once: a second press, a double click or a repeated key does nothing. Keys work only on the focused card, and keys with
// another meaning elsewhere (Enter, Esc) never decide.

import { useSignal, type Signal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { App } from '../../app';
import { shortPaths } from '../../format';
import { Part } from '../../part';
import type { Ask } from '../../protocol';
import { t } from '../../strings';
import { visibleLine, visibleProse } from '../../visible';
import { useAgo, useApp, useSelect } from '../context';
import { DiffBox, DiffCounts } from '../diff/diff_box';
import { Markdown } from '../message';
import { toolName } from '../runs/tool_name';
import { Visible } from '../visible';
import { WhenHere } from '../when_here';
import { Choices, decideByKey } from './choice_bar';
import { titleOf } from './choices';
import { Edit } from './edit';
import { useArmed, useHandOver, useReveal } from './focus';
import { once } from './toolbar';
import { verdict } from './verdict';

const asking = new Part(() => import('./question_form'));
const DIFF_ROWS = 150;

export function AskCard({ ask }: { ask: Ask }) {
  return ask.state === 'open' || ask.state === 'orphaned' ? (
    <OpenAsk key={ask.id} ask={ask} />
  ) : (
    <SettledAsk ask={ask} />
  );
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
    <div class={`card settled ${ask.state}`} role="group" aria-label={`${nameOf(ask)}: ${titleOf(ask)}`}>
      <div class="top">
        <span class="name">{nameOf(ask)}</span>
        <span class="sum plain">
          <Visible text={titleOf(ask)} />
        </span>
      </div>
      {ask.plan && (
        <details class="more">
          <summary>{t.details}</summary>
          <div class="body">
            <Markdown text={visibleProse(ask.plan)} settled />
          </div>
        </details>
      )}
      <p class="verdict">{verdict(ask)}</p>
    </div>
  );
}

function OpenAsk({ ask }: { ask: Ask }) {
  const app = useApp();
  const card = useRef<HTMLElement>(null);
  const id = useId();
  const place = useSelect(() => placeOf(app, ask), [ask]);
  const fault = useSelect(() => app.answers.faults.value[ask.id] ?? '', [ask.id]);
  const onItsWay = useSelect(() => app.answers.onTheWay.value.has(ask.id), [ask.id]);
  const armed = useArmed(card);
  const online = app.online.value;
  const sending = onItsWay || !armed || !online;
  const draft = useSignal<string | undefined>(undefined); // the person's version of the proposal
  useReveal(app, ask, card);
  useHandOver(card);

  return (
    <section
      class={`card wait ${ask.kind}${armed ? '' : ' arming'}`}
      role="group"
      aria-labelledby={`${id}n`}
      aria-describedby={`${id}w`}
      aria-busy={onItsWay}
      data-ask={ask.id}
      tabIndex={-1}
      ref={card}
      onClickCapture={(e) => {
        if ((!armed || !online) && (e.target as Element).closest('.bar button')) {
          e.preventDefault();
          e.stopPropagation();
        }
      }}
      onKeyDown={(e) => {
        if (armed && online) decideByKey(app, ask, e, card.current!, draft.peek());
      }}
    >
      {topOf(ask, id, place)}
      {bodyOf(app, ask, id, draft, sending, onItsWay)}
      {ask.kind === 'limit' && (
        <button type="button" class="quiet small" onClick={() => app.navigation.show('usage')}>
          {t.change_limit}
        </button>
      )}
      {onItsWay && note(t.answering)}
      {!online && note(t.answer_offline)}
      {fault && online && note(fault, true)}
    </section>
  );
}

const note = (text: string, bad?: boolean) => (
  <p class={bad ? 'note bad' : 'note'} role={bad ? 'alert' : 'status'}>
    {text}
  </p>
);

const topOf = (ask: Ask, id: string, place: string) => (
  <div class="top">
    <span id={`${id}n`} class="what">
      <span class="name">{nameOf(ask)}</span>{' '}
      <span class={inBlock(ask) ? 'spoken' : `sum${ask.kind === 'permission' ? '' : ' plain'}`} title={titleOf(ask)}>
        <Visible text={titleOf(ask)} />
      </span>
    </span>
    {ask.diff && <DiffCounts diff={ask.diff} />}
    {place && <span class="badge wait">{place}</span>}
  </div>
);

/** The number of a card among the requests of its conversation; empty for a single request. */
function placeOf(app: App, ask: Ask): string {
  const mine = app.waiting.value.filter((waiting) => waiting.conversation === ask.conversation);
  return mine.length > 1 ? t.n_of_m(mine.findIndex((waiting) => waiting.id === ask.id) + 1, mine.length) : '';
}

function bodyOf(app: App, ask: Ask, id: string, draft: Signal<string | undefined>, sending: boolean, sent: boolean) {
  if (ask.state === 'orphaned') return orphaned(app, ask, id, sending);
  return ask.kind === 'question' ? (
    <>
      <Why ask={ask} id={`${id}w`} />
      <WhenHere part={asking} draw={({ QuestionForm }) => <QuestionForm ask={ask} sending={sending} sent={sent} />} />
    </>
  ) : (
    <>
      <Detail ask={ask} />
      <Edit ask={ask} draft={draft} sent={sent} />
      <Why ask={ask} id={`${id}w`} />
      <Choices ask={ask} draft={draft} sending={sending} sent={sent} />
    </>
  );
}

/** A request whose agent has ended: an answer resumes the agent. */
const orphaned = (app: App, ask: Ask, id: string, sending: boolean) => (
  <>
    <Detail ask={ask} />
    {ask.questions?.map((question, i) => (
      <p key={i} class="why">
        <Visible text={question.question} as={visibleProse} />
      </p>
    ))}
    {ask.why && <Why ask={ask} id={`${id}y`} />}
    <p class="why" id={`${id}w`}>
      {t.settled.orphaned}
    </p>
    <div class="bar" role="toolbar" aria-label={t.decide}>
      <button
        type="button"
        class="primary"
        aria-disabled={sending}
        onClick={(e) => {
          if (once(e)) app.answers.askAgain(ask);
        }}
      >
        {t.resume_and_ask_again}
      </button>
    </div>
  </>
);

/** The complete subject of the answer: scrolls inside, so that the buttons keep their place. */
function Detail({ ask }: { ask: Ask }) {
  if (!ask.diff && !ask.detail && !ask.plan) return null;
  return (
    <div class="body">
      {ask.plan !== undefined && <Markdown text={visibleProse(ask.plan)} settled />}
      {ask.detail && (
        <pre class="detail" tabIndex={0} role="region" aria-label={t.whole_detail}>
          <Visible text={ask.detail} />
        </pre>
      )}
      {ask.diff && <DiffBox diff={ask.diff} limit={DIFF_ROWS} />}
    </div>
  );
}

function Why({ ask, id }: { ask: Ask; id: string }) {
  const app = useApp();
  const asked = useAgo(ask.created_at);
  const when = asked && (asked === t.now ? t.asked_now : t.asked_ago(asked));
  const why = useSelect(
    () =>
      shortPaths(
        (ask.reason && t.reason(ask.reason, app.state.value.conversations[ask.conversation]?.folder ?? '')) || ask.why,
        app.state.value.home,
      ),
    [ask],
  );
  const via = useSelect(() => app.state.value.conversations[ask.conversation]?.via, [ask.conversation]);
  return (
    <p class="why" id={id}>
      {why && <Visible text={`${why.replace(/[.。\s]+$/, '')}${why.endsWith('。') ? '。' : '. '}`} as={visibleLine} />}
      <span class="faint">{[when, via && t.via(via)].filter(Boolean).join(', ')}</span>
    </p>
  );
}
