// SPDX-License-Identifier: Apache-2.0
// Events of one conversation -> items for the page. Pure: no clock, no DOM, no network.
//
// `apply` never changes its input: unchanged items keep their identity, so a view can skip them by ===. One call handles a whole batch and
// copies each changed item once, regardless of the batch's number of text pieces.

import type { Act, Ask, AskSettledEvent, AttachmentInfo, ContextUse, Cost, Diff, Event, Location, Mode, PlanEntry, PromptContext, SlashCommand, StopReason, ToolContent, ToolStartEvent, ToolUpdateEvent, TurnEndEvent, UsageEvent } from './protocol';
import { unknown_variant } from './unknown';

export type ToolState = 'pending' | 'running' | 'done' | 'failed' | 'rejected' | 'cancelled';

interface ItemBase { key: string }
export type UserItem = ItemBase & { kind: 'user'; text: string; time: string; by: string; attachments: readonly AttachmentInfo[]; context: readonly PromptContext[] };
export type TextItem = ItemBase & { kind: 'text'; text: string; settled: boolean };
export type ThinkingItem = ItemBase & { kind: 'thinking'; text: string; started: string; settled: boolean; duration_ms: number };
export type ToolItem = ItemBase & {
  kind: 'tool'; call: string; tool: string; title: string; input: unknown; output: string; state: ToolState; heard?: string;  // time of its last event
  content: readonly ToolContent[]; locations: readonly Location[]; parent?: string | undefined;
  ask?: string | undefined; // the latest request of this call
};
export type AskItem = ItemBase & { kind: 'ask'; ask: string };   // a request without a tool card of its own
export type ErrorItem = ItemBase & { kind: 'error'; code: string; message: string; detail: string; retryable: boolean };
export type EndingItem = ItemBase & { kind: 'ending'; stop_reason: StopReason; duration_ms: number };
export type ModeItem = ItemBase & { kind: 'mode'; mode: Mode; by: string };
export type OptionItem = ItemBase & { kind: 'option'; id: string; name: string; value: string; by: string };
export type ClearedItem = ItemBase & { kind: 'cleared' };
export type NoticeItem = ItemBase & { kind: 'notice'; level: 'info' | 'warning' | 'error'; text: string; detail: string; act: Act | undefined };
export type Item = UserItem | TextItem | ThinkingItem | ToolItem | AskItem | ErrorItem | EndingItem | ModeItem | OptionItem | ClearedItem | NoticeItem;

export interface Turn {
  id: string;
  started: string;
  running: boolean;
  duration_ms: number;      // once ended
  waited_ms: number;        // of the turn, waiting for a person
  waits_since: string;      // for a person, now; else empty
  stop_reason?: StopReason; // … and the reason
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cost: Cost | undefined;   // undefined: not reported by the agent
}

export interface Transcript {
  first_seq: number;        // of the loaded events; 1 means that no older events exist
  last_seq: number;
  items: readonly Item[];
  cleared: number;          // number of items before the last `cleared`
  asks: Readonly<Record<string, Ask>>;
  plan: readonly PlanEntry[];
  turn: Turn | undefined;
  context: ContextUse | undefined;                  // how full the model's window is
  commands: readonly SlashCommand[] | undefined;    // undefined: not told here
  last_prompt: { text: string; attachments: readonly AttachmentInfo[] } | undefined;
  log: readonly Event[];    // the events behind this transcript, neighbouring pieces joined: older events are prepended
}

export const empty: Transcript = {
  first_seq: 1, last_seq: 0, items: [], cleared: 0, asks: {}, plan: [], turn: undefined, context: undefined, commands: undefined, last_prompt: undefined, log: [],
};

/** A transcript whose first event will be `first_seq`; older events are not requested yet. */
export function starting_at(first_seq: number): Transcript {
  return { ...empty, first_seq, last_seq: first_seq - 1 };
}

export interface Applied { transcript: Transcript; gap: boolean }

/** Skips known events. Stops at a gap: the missing events must be requested. */
export function apply(transcript: Transcript, events: readonly Event[]): Applied {
  const batch = new Batch(transcript);
  let gap = false;
  for (const event of events) {
    if (event.seq <= batch.t.last_seq) continue;
    if (event.seq !== batch.t.last_seq + 1) { gap = true; break; }
    batch.add(event);
    batch.t.last_seq = event.seq;
  }
  return { transcript: batch.changed ? batch.t : transcript, gap };
}

/** Prepends older events. Folds all events again: rare, and the only way to join a word or call across the border. */
export function prepend(transcript: Transcript, older: readonly Event[]): Transcript {
  const first = older[0];
  if (!first) return { ...transcript, first_seq: 1 };
  const batch = new Batch(starting_at(first.seq));
  for (const event of [...older.filter((e) => e.seq < transcript.first_seq), ...transcript.log]) batch.add(event);
  batch.t.last_seq = transcript.last_seq;
  return batch.t;
}

class Batch {
  readonly t: { -readonly [K in keyof Transcript]: Transcript[K] };
  changed = false;
  private readonly items: Item[];
  private readonly log: Event[];
  private readonly owned = new Set<object>();  // copied in this batch, so free to be written

  constructor(from: Transcript) {
    this.items = from.items.slice();
    this.log = from.log.slice();
    this.t = { ...from, items: this.items, log: this.log };
  }

  add(event: Event): void {
    this.changed = true;
    this.remember(event);
    const key = `${event.kind}-${event.seq}`;
    switch (event.kind) {
      case 'turn_start':
        if (this.t.plan.every((entry) => entry.status === 'completed')) this.t.plan = [];  // the plan was complete and read
        this.t.turn = { id: event.turn, started: event.time, running: true, duration_ms: 0, waited_ms: 0, waits_since: '', input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost: undefined };
        break;
      case 'user_message':
        this.t.last_prompt = { text: event.text, attachments: event.attachments ?? [] };
        this.push({ kind: 'user', key, text: event.text, time: event.time, by: event.by ?? '', attachments: event.attachments ?? [], context: event.context ?? [] });
        break;
      case 'text': {
        const last = this.last('text');
        if (last && !last.settled) this.own(last).text += event.text;
        else this.push({ kind: 'text', key, text: event.text, settled: false });
        break;
      }
      case 'thinking_start':
        this.push({ kind: 'thinking', key, text: '', started: event.time, settled: false, duration_ms: 0 });
        break;
      case 'thinking_content': {
        const last = this.last('thinking');
        if (last && !last.settled) this.own(last).text += event.text;
        else this.push({ kind: 'thinking', key, text: event.text, started: event.time, settled: false, duration_ms: 0 });
        break;
      }
      case 'thinking_end': {
        const last = this.last('thinking');
        if (last && !last.settled) Object.assign(this.own(last), { settled: true, duration_ms: event.duration_ms });
        break;
      }
      case 'tool_start': this.tool_start(event, key); break;
      case 'tool_update': this.tool_update(event, key); break;
      case 'tool_output': {
        this.heard(event, key).output += event.text;
        break;
      }
      case 'tool_end': {
        const tool = this.heard(event, key);
        tool.state = event.state;
        if (event.diff) tool.content = [{ type: 'diff', ...event.diff }];  // of version 0.1
        break;
      }
      case 'tool_confirmation': case 'user_question': case 'plan_approval': this.asked(event.ask, key); this.waits(event.time); break;
      case 'ask_settled': this.settled(event); this.waits(event.time); break;
      case 'plan': this.t.plan = event.entries; break;
      case 'usage': this.used(event); break;
      case 'option': this.push({ kind: 'option', key, id: event.id, name: event.name, value: event.value, by: event.by === 'person' || event.by === 'agent' ? '' : event.by }); break;
      case 'commands': this.t.commands = event.commands; break; case 'cleared': this.clear(key); break;
      case 'error':
        this.push({ kind: 'error', key, code: event.code, message: event.message, detail: event.detail, retryable: event.retryable });
        break;
      case 'turn_end': this.turn_end(event, key); break;
      case 'mode': case 'notice': if (event.kind === 'mode' || !is_known(event.act)) this.push(note(event, key)); break;
      default: unknown_variant('event', event);
    }
  }

  private tool_start(event: ToolStartEvent, key: string): void {
    const told = { heard: event.time, tool: event.tool, title: event.title, input: event.input, parent: event.parent, locations: event.locations ?? [] };
    const known = this.tool(event.call);
    if (known && (known.state === 'running' || known.state === 'pending')) { Object.assign(known, told); return; }  // asked again
    const ask = Object.values(this.t.asks).filter((a) => a.call === event.call && this.has_ask_item(a.id)).at(-1);
    if (ask) this.drop_ask_item(ask.id);
    this.push({ kind: 'tool', key, call: event.call, ...told, output: '', content: [], state: ask?.state === 'open' ? 'pending' : 'running', ask: ask?.id });
  }

  private heard(event: { call: string; time: string }, key: string): ToolItem {
    const tool = this.tool(event.call) ?? this.stranger(event.call, key);
    tool.heard = event.time;
    return tool;
  }

  private tool_update(event: ToolUpdateEvent, key: string): void {
    const tool = this.heard(event, key);
    if (event.title !== undefined) tool.title = event.title;
    if (event.input !== undefined) tool.input = event.input;
    if (event.locations) tool.locations = event.locations;
    if (event.content) tool.content = event.content;
    if (event.status && (tool.state === 'pending' || tool.state === 'running')) tool.state = event.status;
  }

  private used(event: UsageEvent): void {
    const turn = this.t.turn;
    if (event.context) this.t.context = event.context;
    if (!turn) return;
    this.t.turn = {
      ...turn,
      input_tokens: turn.input_tokens + event.input_tokens,
      output_tokens: turn.output_tokens + event.output_tokens,
      cache_read_tokens: turn.cache_read_tokens + (event.cache_read_tokens ?? 0),
      cost: added(turn.cost, event.cost),
    };
  }

  /** Earlier items remain, for a reader who wants to see them. */
  private clear(key: string): void {
    this.settle_last();
    this.t.cleared = this.items.length;
    this.t.plan = [];
    this.t.turn = undefined;
    this.t.context = undefined;
    this.t.last_prompt = undefined;
    this.push({ kind: 'cleared', key });
  }

  private asked(ask: Ask, key: string): void {
    this.t.asks = { ...this.t.asks, [ask.id]: ask };
    const tool = ask.call === undefined ? undefined : this.tool(ask.call);
    if (tool && (tool.state === 'running' || tool.state === 'pending')) {
      tool.ask = ask.id;
      tool.state = 'pending';
    } else {
      this.push({ kind: 'ask', key, ask: ask.id });
    }
  }

  private settled(event: AskSettledEvent): void {
    const ask = this.t.asks[event.ask];
    if (!ask) return;  // asked before the first loaded event
    this.t.asks = { ...this.t.asks, [ask.id]: settled_ask(ask, event) };
    const tool = ask.call === undefined ? undefined : this.tool(ask.call);
    if (tool?.state === 'pending' && event.state === 'answered') { tool.state = 'running'; tool.heard = event.time; }
  }

  /** Time with a waiting request is not the turn's work. */
  private waits(time: string): void {
    const turn = this.t.turn;
    if (!turn?.running) return;
    const open = Object.values(this.t.asks).some((ask) => ask.state === 'open');
    if (open && !turn.waits_since) this.t.turn = { ...turn, waits_since: time };
    if (!open && turn.waits_since) this.t.turn = { ...turn, waits_since: '', waited_ms: turn.waited_ms + Date.parse(time) - Date.parse(turn.waits_since) };
  }

  private turn_end(event: TurnEndEvent, key: string): void {
    this.settle_last();
    // A call without an end (the agent died, the turn was stopped) no longer runs.
    for (const item of this.items) {
      if (item.kind === 'tool' && (item.state === 'running' || item.state === 'pending')) this.own(item).state = 'cancelled';
    }
    if (this.t.turn) this.t.turn = { ...this.t.turn, running: false, duration_ms: event.duration_ms, stop_reason: event.stop_reason };
    this.push({ kind: 'ending', key, stop_reason: event.stop_reason, duration_ms: event.duration_ms });
  }

  /** A call that began before the first loaded event. */
  private stranger(call: string, key: string): ToolItem {
    const item: ToolItem = { kind: 'tool', key, call, tool: '', title: '', input: undefined, output: '', content: [], locations: [], state: 'running' };
    this.owned.add(item);
    this.push(item);
    return item;
  }

  private push(item: Item): void {
    this.settle_last();
    this.owned.add(item);
    this.items.push(item);
  }

  private settle_last(): void {
    const last = this.items.at(-1);
    if ((last?.kind === 'text' || last?.kind === 'thinking') && !last.settled) this.own(last).settled = true;
  }

  private has_ask_item(id: string): boolean {
    return this.items.some((item) => item.kind === 'ask' && item.ask === id);
  }

  private drop_ask_item(id: string): void {
    const at = this.items.findIndex((item) => item.kind === 'ask' && item.ask === id);
    if (at < 0) return;
    this.items.splice(at, 1);
    if (at < this.t.cleared) --this.t.cleared;
  }

  private last<K extends Item['kind']>(kind: K): Extract<Item, { kind: K }> | undefined {
    const item = this.items.at(-1);
    return item?.kind === kind ? (item as Extract<Item, { kind: K }>) : undefined;
  }

  private tool(call: string): ToolItem | undefined {
    for (let i = this.items.length - 1; i >= 0; --i) {
      const item = this.items[i]!;
      if (item.kind === 'tool' && item.call === call) return this.own(item);
    }
    return undefined;
  }

  private own<T extends Item>(item: T): T {
    if (this.owned.has(item)) return item;
    const copy = { ...item };
    const at = this.items.lastIndexOf(item);
    this.items[at] = copy;
    this.owned.add(copy);
    return copy;
  }

  /** The log keeps a single event for a stream's thousands of pieces, under the `seq` of the first, which also names its item. */
  private remember(event: Event): void {
    const last = this.log.at(-1);
    if (last && joins(last, event)) {
      const joined = this.owned.has(last) ? last : { ...last };
      this.owned.add(joined);
      Object.assign(joined, { text: (last as { text: string }).text + (event as { text: string }).text });
      this.log[this.log.length - 1] = joined;
    } else {
      this.log.push(event);
    }
  }
}

/** The request after its settlement. */
export function settled_ask(ask: Ask, { state, by, chosen, text, edited }: AskSettledEvent): Ask {
  return { ...ask, state, by, ...(chosen !== undefined && { chosen }), ...(text !== undefined && { text }), ...(edited !== undefined && { edited }) };
}

/** How long a turn has worked, or did. */
export function worked_ms(turn: Turn, now: number): number {
  if (!turn.running) return Math.max(0, turn.duration_ms - turn.waited_ms);
  return (turn.waits_since ? Date.parse(turn.waits_since) : now) - Date.parse(turn.started) - turn.waited_ms;
}

/** The changes of a call. */
export function diffs_of(item: ToolItem): Diff[] {
  return item.content.filter((one) => one.type === 'diff');
}

/** Costs in the same currency are added; of several currencies, the newest counts. */
function added(cost: Cost | undefined, more: Cost | undefined): Cost | undefined {
  if (!more || !cost) return more ?? cost;
  return more.currency === cost.currency ? { amount: cost.amount + more.amount, currency: cost.currency } : more;
}

/** Actions of the machine's only person, visible elsewhere: no line. */
const is_known = (act: Act | undefined): boolean => !!act && !act.by && !['model', 'think', 'access'].includes(act.what);

/** A line between the items, without contents. */
function note(event: Extract<Event, { kind: 'mode' | 'notice' }>, key: string): ModeItem | NoticeItem {
  return event.kind === 'mode' ? { kind: 'mode', key, mode: event.mode, by: event.by ?? '' } : { kind: 'notice', key, level: event.level, text: event.text, detail: event.detail, act: event.act };
}

function joins(a: Event, b: Event): boolean {
  if (a.kind === 'text' && b.kind === 'text') return true;
  if (a.kind === 'thinking_content' && b.kind === 'thinking_content') return true;
  return a.kind === 'tool_output' && b.kind === 'tool_output' && a.call === b.call;
}
