// SPDX-License-Identifier: Apache-2.0
// The state of the page: a fold over the host's messages. Pure: `fold` returns the next state and the necessary requests.
//
// The host owns the truth. A gap, a reconnect or a crash of the page costs a snapshot and the events after the last known event, never a
// message.

import type {
  AgentInfo,
  Ask,
  AttachmentLimits,
  Conversation,
  Delta,
  Event,
  Op,
  Rule,
  ServiceInfo,
  Snapshot,
  Team,
} from './protocol';
import { apply, prepend } from './transcript';
import { empty, settledAsk, startingAt, type Transcript } from './transcript_items';
import { unknownVariant } from './unknown';

/** The state of the page's connection, reported by the transport. */
export type Link =
  | { state: 'idle' } // idle: an unused page in an editor
  | { state: 'connecting' }
  | { state: 'online' }
  | { state: 'lost'; why: string; retryAt: number } // milliseconds since the epoch; 0: trying now
  | { state: 'refused'; why: 'missing' | 'wrong' }; // the token

export interface Opened {
  transcript: Transcript;
  live: boolean; // false during an `open` request: messages meanwhile are part of its answer
}

export interface State {
  link: Link;
  synced: boolean; // a snapshot has come on this connection and no delta is missing since
  seq: number;
  version: string;
  capabilities: readonly string[];
  home: string;
  defaultFolder: string;
  attachmentLimits: AttachmentLimits;
  team: Team | undefined; // undefined: the host has a single user
  agents: readonly AgentInfo[];
  services: readonly ServiceInfo[];
  rules: readonly Rule[];
  conversations: Readonly<Record<string, Conversation>>;
  older: string | undefined; // where the list of conversations goes on at the host; undefined: the page has all
  asks: Readonly<Record<string, Ask>>; // all requests of the host: open requests, and the outcome of closed requests
  opened: Readonly<Record<string, Opened>>;
}

export const nothing: State = {
  link: { state: 'connecting' },
  synced: false,
  seq: 0,
  version: '',
  capabilities: [],
  home: '',
  defaultFolder: '',
  attachmentLimits: { files: 0, bytes: 0, picture_bytes: 0, media_types: [] },
  team: undefined,
  agents: [],
  services: [],
  rules: [],
  conversations: {},
  older: undefined,
  asks: {},
  opened: {},
};

export type Action =
  | { type: 'host'; message: Snapshot | Delta }
  | { type: 'link'; link: Link }
  | { type: 'opening'; conversation: string }
  | { type: 'opened'; conversation: string; events: Event[] }
  | { type: 'older'; conversation: string; events: Event[] }
  | { type: 'closed'; conversation: string };

export type Effect = { need: 'snapshot' } | { need: 'events'; conversation: string };

export interface Folded {
  state: State;
  effects: Effect[];
}

export function fold(state: State, action: Action): Folded {
  switch (action.type) {
    case 'host':
      return action.message.type === 'snapshot' ? snapshot(state, action.message) : delta(state, action.message);
    case 'link': {
      const online = action.link.state === 'online';
      return {
        state: { ...state, link: action.link, synced: online && state.synced && state.link.state === 'online' },
        effects: [],
      };
    }
    case 'opening': {
      const transcript = state.opened[action.conversation]?.transcript ?? empty;
      return { state: withOpened(state, action.conversation, { transcript, live: false }), effects: [] };
    }
    case 'opened':
      return opened(state, action.conversation, action.events);
    case 'older': {
      const known = state.opened[action.conversation];
      if (!known) return { state, effects: [] };
      return {
        state: withOpened(state, action.conversation, {
          ...known,
          transcript: prepend(known.transcript, action.events),
        }),
        effects: [],
      };
    }
    case 'closed': {
      const { [action.conversation]: _, ...rest } = state.opened;
      return { state: { ...state, opened: rest }, effects: [] };
    }
  }
}

function snapshot(state: State, m: Snapshot): Folded {
  const conversations = byId(m.conversations);
  const kept: Record<string, Opened> = {};
  const effects: Effect[] = [];
  for (const [id, opened] of Object.entries(state.opened)) {
    const conversation = conversations[id];
    if (!conversation) continue;
    // A host with fewer events than the page is another host: start empty.
    const transcript = conversation.last_seq < opened.transcript.lastSeq ? empty : opened.transcript;
    kept[id] = { transcript, live: false };
    effects.push({ need: 'events', conversation: id });
  }
  return {
    state: {
      ...state,
      synced: true,
      seq: m.seq,
      version: m.version,
      capabilities: m.capabilities,
      home: m.home,
      defaultFolder: m.default_folder,
      attachmentLimits: m.attachment_limits,
      team: m.team,
      agents: m.agents,
      services: m.services,
      rules: m.rules,
      conversations,
      older: m.older,
      asks: byId(m.asks),
      opened: kept,
    },
    effects,
  };
}

function delta(state: State, m: Delta): Folded {
  if (!state.synced) return { state, effects: [] }; // a snapshot is on its way and holds this already
  if (m.seq !== state.seq + 1) return { state: { ...state, synced: false }, effects: [{ need: 'snapshot' }] };
  let next: State = { ...state, seq: m.seq };
  const effects: Effect[] = [];
  for (const op of m.ops) next = applied(next, op, effects);
  return { state: next, effects };
}

function applied(state: State, op: Op, effects: Effect[]): State {
  switch (op.op) {
    case 'conversation':
      return { ...state, conversations: { ...state.conversations, [op.conversation.id]: op.conversation } };
    case 'conversation_removed': {
      const { [op.id]: _c, ...conversations } = state.conversations;
      const { [op.id]: _o, ...opened } = state.opened;
      const asks = byId(Object.values(state.asks).filter((ask) => ask.conversation !== op.id));
      return { ...state, conversations, opened, asks };
    }
    case 'events': {
      const known = state.opened[op.conversation];
      if (!known || !known.live) return state;
      const { transcript, gap } = apply(known.transcript, op.events);
      if (gap) effects.push({ need: 'events', conversation: op.conversation });
      const next =
        transcript === known.transcript && !gap
          ? state
          : withOpened(state, op.conversation, { transcript, live: !gap });
      return settle(next, op.events);
    }
    case 'ask':
      return { ...state, asks: { ...state.asks, [op.ask.id]: op.ask } };
    case 'rule':
      return { ...state, rules: upsert(state.rules, op.rule, 'id') };
    case 'rule_removed':
      return { ...state, rules: state.rules.filter((rule) => rule.id !== op.id) };
    case 'agent':
      return { ...state, agents: upsert(state.agents, op.agent, 'id') };
    case 'service':
      return { ...state, services: upsert(state.services, op.service, 'name') };
    default:
      unknownVariant('operation', op);
      return state;
  }
}

function opened(state: State, id: string, events: Event[]): Folded {
  const known = state.opened[id];
  if (!known) return { state, effects: [] }; // closed meanwhile
  const first = events[0];
  const continues = !first || first.seq <= known.transcript.lastSeq + 1;
  const base = continues ? known.transcript : startingAt(first.seq);
  const { transcript, gap } = apply(base, events);
  const next = withOpened(state, id, { transcript, live: !gap });
  return { state: settle(next, events), effects: gap ? [{ need: 'events', conversation: id }] : [] };
}

/** Requests settled by the events: the same fact may arrive as an `ask` operation, in either order. */
function settle(state: State, events: readonly Event[]): State {
  let asks = state.asks;
  for (const event of events) {
    if (event.kind !== 'ask_settled') continue;
    const ask = asks[event.ask];
    if (ask?.state === 'open') asks = { ...asks, [ask.id]: settledAsk(ask, event) };
  }
  return asks === state.asks ? state : { ...state, asks };
}

/** All waiting requests, oldest first. An orphaned request waits too: for a repetition. */
export function waiting(state: State): Ask[] {
  return Object.values(state.asks)
    .filter((ask) => ask.state === 'open' || ask.state === 'orphaned')
    .sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));
}

export const agentOf = ({ agents }: Pick<State, 'agents'>, id: string | undefined): AgentInfo | undefined =>
  agents.find((agent) => agent.id === id);

function withOpened(state: State, id: string, opened: Opened): State {
  return { ...state, opened: { ...state.opened, [id]: opened } };
}

export function byId<T extends { id: string }>(list: readonly T[]): Record<string, T> {
  return Object.fromEntries(list.map((entry) => [entry.id, entry]));
}

function upsert<T, K extends keyof T>(list: readonly T[], item: T, key: K): T[] {
  const at = list.findIndex((known) => known[key] === item[key]);
  return at < 0 ? [...list, item] : list.map((known, i) => (i === at ? item : known));
}
