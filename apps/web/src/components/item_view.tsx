// SPDX-License-Identifier: Apache-2.0
// An item of a transcript. Redrawn only after a change of the item, regardless of other streams.

import { Component, type VNode } from 'preact';
import type { Ask } from '../protocol';
import type { Item } from '../transcript_items';
import { AskCard } from './ask/ask_card';
import { useApp, useSelect } from './context';
import { EndingView, ErrorCard, hasView, ModeNote, NoticeView, OptionNote } from './ending';
import { TextView, UserMessage } from './message';
import { Thinking } from './thinking';
import { ToolCard } from './tool_card';

interface Props {
  item: Item;
  closes: boolean;
  told: Told;
}

/** How far a screen reader has been told of a transcript. */
export interface Told {
  seq: number;
}

export function seqOf(item: Item): number {
  return Number(item.key.slice(item.key.lastIndexOf('-') + 1));
}

/** Whether the item was announced before; marks the item as announced. */
export function isTold(item: Item, told: Told): boolean {
  const seq = seqOf(item);
  const before = seq <= told.seq;
  told.seq = Math.max(told.seq, seq);
  return before;
}

export class ItemView extends Component<Props> {
  readonly #quiet = isTold(this.props.item, this.props.told);

  override shouldComponentUpdate(next: Props): boolean {
    return next.item !== this.props.item || next.closes !== this.props.closes;
  }

  override render(): VNode | null {
    const { item, closes } = this.props;
    if (!hasView(item)) return null;
    const open = (item.kind === 'text' || item.kind === 'thinking') && !item.settled;
    return (
      <div
        class={`item ${item.kind}${open ? ' open' : ''}${item.kind === 'tool' && item.parent ? ' nested' : ''}`}
        data-seq={seqOf(item)}
        aria-live={this.#quiet ? 'off' : undefined}
      >
        {body(item, closes)}
      </div>
    );
  }
}

function body(item: Item, closes: boolean): VNode | null {
  switch (item.kind) {
    case 'user':
      return <UserMessage item={item} />;
    case 'text':
      return <TextView item={item} closes={closes} />;
    case 'thinking':
      return <Thinking item={item} />;
    case 'tool':
      return <ToolOrAsk item={item} />;
    case 'ask':
      return <AskItem id={item.ask} />;
    case 'error':
      return <ErrorCard item={item} />;
    case 'ending':
      return <EndingView item={item} />;
    case 'mode':
      return <ModeNote item={item} />;
    case 'option':
      return <OptionNote item={item} />;
    case 'cleared':
      return null; // the transcript draws the note about hidden messages
    case 'notice':
      return <NoticeView item={item} />;
  }
}

/** The host's current request, or else the transcript's. */
function useAsk(id: string | undefined): Ask | undefined {
  const app = useApp();
  return useSelect(() => (id === undefined ? undefined : (app.asks.value[id] ?? app.transcript.value?.asks[id])), [id]);
}

/** One card for each call: during a request the card shows the request, afterwards the call. */
function ToolOrAsk({ item }: { item: Extract<Item, { kind: 'tool' }> }) {
  const ask = useAsk(item.ask);
  if (ask && (ask.state === 'open' || ask.state === 'orphaned')) return <AskCard ask={ask} />;
  return <ToolCard item={item} ask={ask} />;
}

function AskItem({ id }: { id: string }) {
  const ask = useAsk(id);
  return ask ? <AskCard ask={ask} /> : null;
}
