// SPDX-License-Identifier: Apache-2.0
// Items of a transcript, in the form that the page draws, and functions over items. Pure: no clock, no DOM, no network.

import type {
  Act,
  Ask,
  AskSettledEvent,
  AttachmentInfo,
  ContextUse,
  Cost,
  Diff,
  Event,
  Location,
  Mode,
  PlanEntry,
  PromptContext,
  SlashCommand,
  StopReason,
  ToolContent,
} from './protocol';

export type ToolState = 'pending' | 'running' | 'done' | 'failed' | 'rejected' | 'cancelled';

interface ItemBase {
  key: string;
}
export type UserItem = ItemBase & {
  kind: 'user';
  text: string;
  time: string;
  by: string;
  attachments: readonly AttachmentInfo[];
  context: readonly PromptContext[];
};
export type TextItem = ItemBase & { kind: 'text'; text: string; time: string; settled: boolean };
export type ThinkingItem = ItemBase & {
  kind: 'thinking';
  text: string;
  started: string;
  settled: boolean;
  durationMs: number;
};
export type ToolItem = ItemBase & {
  kind: 'tool';
  call: string;
  tool: string;
  title: string;
  input: unknown;
  output: string;
  state: ToolState;
  heard?: string; // time of the last event of this call
  content: readonly ToolContent[];
  locations: readonly Location[];
  parent?: string | undefined;
  ask?: string | undefined; // id of the latest request of this call
};
export type AskItem = ItemBase & { kind: 'ask'; ask: string }; // a request without a tool card
export type ErrorItem = ItemBase & { kind: 'error'; code: string; message: string; detail: string; retryable: boolean };
export type EndingItem = ItemBase & { kind: 'ending'; stopReason: StopReason; durationMs: number };
export type ModeItem = ItemBase & { kind: 'mode'; mode: Mode; by: string };
export type OptionItem = ItemBase & { kind: 'option'; id: string; name: string; value: string; by: string };
export type ClearedItem = ItemBase & { kind: 'cleared' };
export type NoticeItem = ItemBase & {
  kind: 'notice';
  level: 'info' | 'warning' | 'error';
  text: string;
  detail: string;
  act: Act | undefined;
};
export type Item =
  | UserItem
  | TextItem
  | ThinkingItem
  | ToolItem
  | AskItem
  | ErrorItem
  | EndingItem
  | ModeItem
  | OptionItem
  | ClearedItem
  | NoticeItem;

export interface Turn {
  id: string;
  started: string;
  running: boolean;
  durationMs: number; // 0 while the turn runs
  waitedMs: number; // time in which requests were open
  waitsSince: string; // since when a request is open; empty: none is open
  stopReason?: StopReason; // absent while the turn runs
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cost: Cost | undefined; // undefined: the agent reports no costs
}

export interface Transcript {
  firstSeq: number; // number of the first loaded event; 1: no older events exist
  lastSeq: number;
  items: readonly Item[];
  cleared: number; // number of items before the last `cleared`
  asks: Readonly<Record<string, Ask>>;
  plan: readonly PlanEntry[];
  turn: Turn | undefined;
  context: ContextUse | undefined; // use of the model's context window
  commands: readonly SlashCommand[] | undefined; // undefined: no event `commands`
  lastPrompt: { text: string; attachments: readonly AttachmentInfo[] } | undefined;
  log: readonly Event[]; // all loaded events, with adjacent pieces of text joined
}

export const empty: Transcript = {
  firstSeq: 1,
  lastSeq: 0,
  items: [],
  cleared: 0,
  asks: {},
  plan: [],
  turn: undefined,
  context: undefined,
  commands: undefined,
  lastPrompt: undefined,
  log: [],
};

/** A transcript without events, whose first event will have the number `firstSeq`. */
export function startingAt(firstSeq: number): Transcript {
  return { ...empty, firstSeq, lastSeq: firstSeq - 1 };
}

/** A request after its answer. */
export function settledAsk(ask: Ask, { state, by, chosen, text, edited }: AskSettledEvent): Ask {
  return {
    ...ask,
    state,
    by,
    ...(chosen !== undefined && { chosen }),
    ...(text !== undefined && { text }),
    ...(edited !== undefined && { edited }),
  };
}

/** Duration of a turn without open requests, in milliseconds. */
export function workedMs(turn: Turn, now: number): number {
  if (!turn.running) return Math.max(0, turn.durationMs - turn.waitedMs);
  return (turn.waitsSince ? Date.parse(turn.waitsSince) : now) - Date.parse(turn.started) - turn.waitedMs;
}

/** Changes of a call. */
export function diffsOf(item: ToolItem): Diff[] {
  return item.content.filter((content) => content.type === 'diff');
}
