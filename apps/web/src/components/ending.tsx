// How a turn ended when it did not simply end, errors, and changes of the mode.

import { took } from '../format';
import { t } from '../strings';
import type { EndingItem, ErrorItem, Item, ModeItem } from '../transcript';
import { useApp, useSelect } from './context';
import { Icon } from './icons';

const NOT_SHOWN = 'not_shown';         // an attachment that the model cannot see: the turn went on without it
const PLAN_TOOL = 'update_plan';      // our host's: its effect is the plan beside the transcript, which says all that a card could

/** A turn that simply ended says nothing more, an error has its own card, and a plan its own place. */
export function has_view(item: Item): boolean {
  if (item.kind === 'tool' && item.tool === PLAN_TOOL) return item.state === 'failed' || item.state === 'rejected';
  return item.kind !== 'ending' || (item.stop_reason !== 'end_turn' && item.stop_reason !== 'error');
}

export function EndingView({ item }: { item: EndingItem }) {
  if (item.stop_reason === 'end_turn' || item.stop_reason === 'error') return null;
  return <p class="ending">{t.ending_after(t.endings[item.stop_reason], took(item.duration_ms))}</p>;
}

/** The error that ended the conversation so far, if nothing has come after it. */
function last_error(items: readonly Item[]): string {
  for (let i = items.length - 1; i >= 0; --i) {
    const item = items[i]!;
    if (item.kind !== 'ending' && item.kind !== 'mode') return item.kind === 'error' ? item.key : '';
  }
  return '';
}

export function ErrorCard({ item }: { item: ErrorItem }) {
  const app = useApp();
  // Whoever has mended what was wrong may try again, also where the host would not by itself; once something newer was said, no more. What
  // can be resumed is resumed: two ways to go on are one too many.
  const latest = useSelect(() => app.conversation.value?.state === 'idle' && last_error(app.transcript.value?.items ?? []) === item.key
    && !app.waiting.value.some((ask) => ask.conversation === app.current.value), [item.key]);
  return (
    <div class="card error" role="alert">
      <div class="top"><Icon name="cross" size={16} /><span class="name">{t.error}</span><span class="sum plain">{item.message}</span></div>
      {item.detail && <details class="more"><summary>{t.details}</summary><pre class="detail">{item.code ? `${item.code}\n` : ''}{item.detail}</pre></details>}
      {latest && item.code !== NOT_SHOWN && <div class="bar"><button type="button" onClick={() => app.retry()}>{t.retry}</button></div>}
    </div>
  );
}

export function ModeNote({ item }: { item: ModeItem }) {
  return <p class="ending">{t.mode_changed(t.modes[item.mode])}</p>;
}
