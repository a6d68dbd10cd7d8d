// SPDX-License-Identifier: Apache-2.0
// Abnormal ends of turns, errors, changes of the mode, and notices of an agent.

import { took } from '../format';
import { optionsInForce, valueName } from '../options';
import { agentOf } from '../store';
import { t } from '../strings';
import { actLine, byWhom } from './team/acts';
import type { EndingItem, ErrorItem, Item, ModeItem, NoticeItem, OptionItem } from '../transcript_items';
import { useApp, useSelect } from './context';
import { Icon } from './icons';

// The turn continued: without an attachment that the model cannot read, or with another answer of a restarted agent.
const WENT_ON = ['not_shown', 'answers_anew'];
const PLAN_TOOL = 'update_plan'; // our host's tool: the plan beside the transcript shows its whole effect

/** A normal end needs no text, an error has its own card, and a plan its own place. */
export function hasView(item: Item): boolean {
  if (item.kind === 'tool' && item.tool === PLAN_TOOL) return item.state === 'failed' || item.state === 'rejected';
  return item.kind !== 'ending' || (item.stopReason !== 'end_turn' && item.stopReason !== 'error');
}

export function EndingView({ item }: { item: EndingItem }) {
  if (item.stopReason === 'end_turn' || item.stopReason === 'error') return null;
  return <p class="ending">{t.ending_after(t.endings[item.stopReason], took(item.durationMs))}</p>;
}

/** The last error of the conversation, if nothing followed. */
function lastError(items: readonly Item[]): string {
  for (let i = items.length - 1; i >= 0; --i) {
    const item = items[i]!;
    if (item.kind !== 'ending' && item.kind !== 'mode' && item.kind !== 'option' && item.kind !== 'notice')
      return item.kind === 'error' ? item.key : '';
  }
  return '';
}

/** The reason of the agent's end, if its last message reported the end. */
export function whyItDied(items: readonly Item[]): string {
  for (let i = items.length - 1; i >= 0; --i) {
    const item = items[i]!;
    if (
      item.kind !== 'ending' &&
      item.kind !== 'mode' &&
      item.kind !== 'option' &&
      !(item.kind === 'notice' && item.act && item.act.what !== 'restart')
    )
      return item.kind === 'error' && item.code === 'disconnected' ? item.message : '';
  }
  return '';
}

export function ErrorCard({ item }: { item: ErrorItem }) {
  const app = useApp();
  // After a fix, the person may try again, even if the host would not retry; a newer message removes the button. A resumable turn offers
  // only the resume button.
  const latest = useSelect(
    () =>
      app.conversation.value?.state === 'idle' &&
      lastError(app.transcript.value?.items ?? []) === item.key &&
      app.waitingHere.value.length === 0,
    [item.key],
  );
  // The repeatable request names the next step: next to this request, the interrupted turn is no alarm.
  const asksAgain = useSelect(
    () => item.code === 'interrupted' && app.waitingHere.value.some((ask) => ask.state === 'orphaned'),
    [item.code],
  );
  const translated = t.failure(item.code);
  if (asksAgain) return <p class="ending">{translated || `${item.message}.`}</p>;
  return (
    <div class="card error" role="alert">
      <div class="top">
        <Icon name="cross" size={16} />
        <span class="name">{t.error}</span>
        <span class="sum plain">{translated || item.message}</span>
      </div>
      {item.detail && (
        <details class="more">
          <summary>{t.details}</summary>
          <pre class="detail">
            {item.code ? `${item.code}\n` : ''}
            {item.detail}
          </pre>
        </details>
      )}
      {latest && !WENT_ON.includes(item.code) && (
        <div class="bar">
          <button type="button" onClick={() => app.retry()}>
            {t.retry}
          </button>
        </div>
      )}
    </div>
  );
}

export function OptionNote({ item }: { item: OptionItem }) {
  const app = useApp();
  const value = useSelect(() => {
    const agent = agentOf(app.state.value, app.conversation.value?.agent);
    return valueName(optionsInForce(agent?.options, app.conversation.value?.options), item.id, item.value);
  }, [item]);
  return <p class="ending">{byWhom(item.by, t.option_changed(item.name, value))}</p>;
}

export function ModeNote({ item }: { item: ModeItem }) {
  return <p class="ending">{byWhom(item.by, t.mode_changed(t.modes[item.mode]))}</p>;
}

export function NoticeView({ item }: { item: NoticeItem }) {
  return (
    <p
      class={`ending notice ${item.level}`}
      role={item.level === 'error' ? 'alert' : undefined}
      title={item.detail || undefined}
    >
      {item.act ? actLine(item.act, item.text) : item.text}
    </p>
  );
}
