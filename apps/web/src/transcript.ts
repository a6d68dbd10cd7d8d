// SPDX-License-Identifier: Apache-2.0
// Events of one conversation -> items for the page. Pure: no clock, no DOM, no network.
//
// `apply` never changes its input: unchanged items keep their identity, so a view can skip them by ===. One call handles a whole batch and
// copies each changed item once, regardless of the batch's number of text pieces.

import type {
  Act,
  Ask,
  AskSettledEvent,
  Cost,
  Event,
  TextEvent,
  ThinkingContentEvent,
  ThinkingEndEvent,
  ThinkingStartEvent,
  ToolEndEvent,
  ToolStartEvent,
  ToolUpdateEvent,
  TurnEndEvent,
  TurnStartEvent,
  UsageEvent,
  UserMessageEvent,
} from './protocol';
import { settledAsk, startingAt, type Item, type ToolItem, type Transcript } from './transcript_items';
import { unknownVariant } from './unknown';

export interface Applied {
  transcript: Transcript;
  gap: boolean;
}

/** Skips known events. Stops at a gap: the missing events must be requested. */
export function apply(transcript: Transcript, events: readonly Event[]): Applied {
  const batch = new Batch(transcript);
  let gap = false;
  for (const event of events) {
    if (event.seq <= batch.t.lastSeq) continue;
    if (event.seq !== batch.t.lastSeq + 1) {
      gap = true;
      break;
    }
    batch.add(event);
    batch.t.lastSeq = event.seq;
  }
  return { transcript: batch.changed ? batch.t : transcript, gap };
}

/** Prepends older events. Folds all events again: rare, and the only way to join a word or call across the border. */
export function prepend(transcript: Transcript, older: readonly Event[]): Transcript {
  const first = older[0];
  if (!first) return { ...transcript, firstSeq: 1 };
  const batch = new Batch(startingAt(first.seq));
  for (const event of [...older.filter((e) => e.seq < transcript.firstSeq), ...transcript.log]) batch.add(event);
  batch.t.lastSeq = transcript.lastSeq;
  return batch.t;
}

class Batch {
  readonly t: { -readonly [K in keyof Transcript]: Transcript[K] };
  changed = false;
  readonly #items: Item[];
  readonly #log: Event[];
  readonly #owned = new Set<object>(); // copied in this batch, so free to be written

  constructor(from: Transcript) {
    this.#items = from.items.slice();
    this.#log = from.log.slice();
    this.t = { ...from, items: this.#items, log: this.#log };
  }

  add(event: Event): void {
    this.changed = true;
    this.#remember(event);
    const key = `${event.kind}-${event.seq}`;
    switch (event.kind) {
      case 'turn_start':
        return this.#turnStart(event);
      case 'user_message':
        return this.#userMessage(event, key);
      case 'text':
        return this.#text(event, key);
      case 'thinking_start':
      case 'thinking_content':
      case 'thinking_end':
        return this.#thinking(event, key);
      case 'tool_start':
        return this.#toolStart(event, key);
      case 'tool_update':
        return this.#toolUpdate(event, key);
      case 'tool_output':
        this.#heard(event, key).output += event.text;
        return;
      case 'tool_end':
        return this.#toolEnd(event, key);
      case 'tool_confirmation':
      case 'user_question':
      case 'plan_approval':
        this.#asked(event.ask, key);
        return this.#waits(event.time);
      case 'ask_settled':
        this.#settled(event);
        return this.#waits(event.time);
      case 'plan':
        this.t.plan = event.entries;
        return;
      case 'usage':
        return this.#used(event);
      case 'commands':
        this.t.commands = event.commands;
        return;
      case 'cleared':
        return this.#clear(key);
      case 'turn_end':
        return this.#turnEnd(event, key);
      case 'error':
      case 'mode':
      case 'notice':
      case 'option':
        if (event.kind !== 'notice' || !isKnown(event.act)) this.#push(note(event, key));
        return;
      default:
        unknownVariant('event', event);
    }
  }

  #turnStart(event: TurnStartEvent): void {
    if (this.t.plan.every((entry) => entry.status === 'completed')) this.t.plan = []; // the plan was complete and read
    this.t.turn = {
      id: event.turn,
      started: event.time,
      running: true,
      durationMs: 0,
      waitedMs: 0,
      waitsSince: '',
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cost: undefined,
    };
  }

  #userMessage({ text, time, by = '', attachments = [], context = [] }: UserMessageEvent, key: string): void {
    this.t.lastPrompt = { text, attachments };
    this.#push({ kind: 'user', key, text, time, by, attachments, context });
  }

  #text({ text, time }: TextEvent, key: string): void {
    const last = this.#last('text');
    if (last && !last.settled) this.#own(last).text += text;
    else this.#push({ kind: 'text', key, text, time, settled: false });
  }

  #thinking(event: ThinkingStartEvent | ThinkingContentEvent | ThinkingEndEvent, key: string): void {
    const last = this.#last('thinking');
    const open = last && !last.settled && event.kind !== 'thinking_start' ? this.#own(last) : undefined;
    if (event.kind === 'thinking_end') {
      if (open) Object.assign(open, { settled: true, durationMs: event.duration_ms });
      return;
    }
    const text = event.kind === 'thinking_start' ? '' : event.text;
    if (open) open.text += text;
    else this.#push({ kind: 'thinking', key, text, started: event.time, settled: false, durationMs: 0 });
  }

  #toolEnd(event: ToolEndEvent, key: string): void {
    this.#heard(event, key).state = event.state;
  }

  #toolStart(event: ToolStartEvent, key: string): void {
    const told = {
      heard: event.time,
      tool: event.tool,
      title: event.title,
      input: event.input,
      parent: event.parent,
      locations: event.locations ?? [],
    };
    const known = this.#tool(event.call);
    if (known && (known.state === 'running' || known.state === 'pending')) {
      Object.assign(known, told);
      return;
    } // asked again
    const ask = Object.values(this.t.asks)
      .filter((a) => a.call === event.call && this.#hasAskItem(a.id))
      .at(-1);
    if (ask) this.#dropAskItem(ask.id);
    this.#push({
      kind: 'tool',
      key,
      call: event.call,
      ...told,
      output: '',
      content: [],
      state: ask?.state === 'open' ? 'pending' : 'running',
      ask: ask?.id,
    });
  }

  #heard(event: { call: string; time: string }, key: string): ToolItem {
    const tool = this.#tool(event.call) ?? this.#stranger(event.call, key);
    tool.heard = event.time;
    return tool;
  }

  #toolUpdate(event: ToolUpdateEvent, key: string): void {
    const tool = this.#heard(event, key);
    if (event.title !== undefined) tool.title = event.title;
    if (event.input !== undefined) tool.input = event.input;
    if (event.locations) tool.locations = event.locations;
    if (event.content) tool.content = event.content;
    if (event.status && (tool.state === 'pending' || tool.state === 'running')) tool.state = event.status;
  }

  #used(event: UsageEvent): void {
    const turn = this.t.turn;
    if (event.context) this.t.context = event.context;
    if (!turn) return;
    this.t.turn = {
      ...turn,
      inputTokens: turn.inputTokens + event.input_tokens,
      outputTokens: turn.outputTokens + event.output_tokens,
      cacheReadTokens: turn.cacheReadTokens + (event.cache_read_tokens ?? 0),
      cost: added(turn.cost, event.cost),
    };
  }

  /** Earlier items remain, for a reader who wants to see them. */
  #clear(key: string): void {
    this.#settleLast();
    this.t.cleared = this.#items.length;
    this.t.plan = [];
    this.t.turn = undefined;
    this.t.context = undefined;
    this.t.lastPrompt = undefined;
    this.#push({ kind: 'cleared', key });
  }

  #asked(ask: Ask, key: string): void {
    this.t.asks = { ...this.t.asks, [ask.id]: ask };
    const tool = ask.call === undefined ? undefined : this.#tool(ask.call);
    if (tool && (tool.state === 'running' || tool.state === 'pending')) {
      tool.ask = ask.id;
      tool.state = 'pending';
    } else {
      this.#push({ kind: 'ask', key, ask: ask.id });
    }
  }

  #settled(event: AskSettledEvent): void {
    const ask = this.t.asks[event.ask];
    if (!ask) return; // asked before the first loaded event
    this.t.asks = { ...this.t.asks, [ask.id]: settledAsk(ask, event) };
    const tool = ask.call === undefined ? undefined : this.#tool(ask.call);
    if (tool?.state === 'pending' && event.state === 'answered') {
      tool.state = 'running';
      tool.heard = event.time;
    }
  }

  /** Time with a waiting request is not the turn's work. */
  #waits(time: string): void {
    const turn = this.t.turn;
    if (!turn?.running) return;
    const open = Object.values(this.t.asks).some((ask) => ask.state === 'open');
    if (open && !turn.waitsSince) this.t.turn = { ...turn, waitsSince: time };
    if (!open && turn.waitsSince)
      this.t.turn = {
        ...turn,
        waitsSince: '',
        waitedMs: turn.waitedMs + Date.parse(time) - Date.parse(turn.waitsSince),
      };
  }

  #turnEnd(event: TurnEndEvent, key: string): void {
    this.#settleLast();
    // A call without an end (the agent died, the turn was stopped) no longer runs.
    for (const item of this.#items) {
      if (item.kind === 'tool' && (item.state === 'running' || item.state === 'pending'))
        this.#own(item).state = 'cancelled';
    }
    if (this.t.turn)
      this.t.turn = { ...this.t.turn, running: false, durationMs: event.duration_ms, stopReason: event.stop_reason };
    this.#push({ kind: 'ending', key, stopReason: event.stop_reason, durationMs: event.duration_ms });
  }

  /** A call that began before the first loaded event. */
  #stranger(call: string, key: string): ToolItem {
    const item: ToolItem = {
      kind: 'tool',
      key,
      call,
      tool: '',
      title: '',
      input: undefined,
      output: '',
      content: [],
      locations: [],
      state: 'running',
    };
    this.#owned.add(item);
    this.#push(item);
    return item;
  }

  #push(item: Item): void {
    this.#settleLast();
    this.#owned.add(item);
    this.#items.push(item);
  }

  #settleLast(): void {
    const last = this.#items.at(-1);
    if ((last?.kind === 'text' || last?.kind === 'thinking') && !last.settled) this.#own(last).settled = true;
  }

  #hasAskItem(id: string): boolean {
    return this.#items.some((item) => item.kind === 'ask' && item.ask === id);
  }

  #dropAskItem(id: string): void {
    const at = this.#items.findIndex((item) => item.kind === 'ask' && item.ask === id);
    if (at < 0) return;
    this.#items.splice(at, 1);
    if (at < this.t.cleared) --this.t.cleared;
  }

  #last<K extends Item['kind']>(kind: K): Extract<Item, { kind: K }> | undefined {
    const item = this.#items.at(-1);
    return item?.kind === kind ? (item as Extract<Item, { kind: K }>) : undefined;
  }

  #tool(call: string): ToolItem | undefined {
    for (let i = this.#items.length - 1; i >= 0; --i) {
      const item = this.#items[i]!;
      if (item.kind === 'tool' && item.call === call) return this.#own(item);
    }
    return undefined;
  }

  #own<T extends Item>(item: T): T {
    if (this.#owned.has(item)) return item;
    const copy = { ...item };
    const at = this.#items.lastIndexOf(item);
    this.#items[at] = copy;
    this.#owned.add(copy);
    return copy;
  }

  /** The log keeps a single event for a stream's thousands of pieces, under the `seq` of the first, which also names its item. */
  #remember(event: Event): void {
    const last = this.#log.at(-1);
    if (last && joins(last, event)) {
      const joined = this.#owned.has(last) ? last : { ...last };
      this.#owned.add(joined);
      Object.assign(joined, { text: (last as { text: string }).text + (event as { text: string }).text });
      this.#log[this.#log.length - 1] = joined;
    } else {
      this.#log.push(event);
    }
  }
}

/** Costs in the same currency are added; of several currencies, the newest counts. */
function added(cost: Cost | undefined, more: Cost | undefined): Cost | undefined {
  if (!more || !cost) return more ?? cost;
  return more.currency === cost.currency ? { amount: cost.amount + more.amount, currency: cost.currency } : more;
}

/** Actions of the machine's only person, visible elsewhere: no line. */
const isKnown = (act: Act | undefined): boolean => !!act && !act.by && !['model', 'think', 'access'].includes(act.what);

/** A line between the items, without contents. */
function note(event: Extract<Event, { kind: 'error' | 'mode' | 'notice' | 'option' }>, key: string): Item {
  switch (event.kind) {
    case 'error': {
      const { code, message, detail, retryable } = event;
      return { kind: 'error', key, code, message, detail, retryable };
    }
    case 'mode':
      return { kind: 'mode', key, mode: event.mode, by: event.by ?? '' };
    case 'notice':
      return { kind: 'notice', key, level: event.level, text: event.text, detail: event.detail, act: event.act };
    case 'option': {
      const by = event.by === 'person' || event.by === 'agent' ? '' : event.by;
      return { kind: 'option', key, id: event.id, name: event.name, value: event.value, by };
    }
  }
}

function joins(a: Event, b: Event): boolean {
  if (a.kind === 'text' && b.kind === 'text') return true;
  if (a.kind === 'thinking_content' && b.kind === 'thinking_content') return true;
  return a.kind === 'tool_output' && b.kind === 'tool_output' && a.call === b.call;
}
