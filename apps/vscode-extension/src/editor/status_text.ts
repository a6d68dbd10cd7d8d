// SPDX-License-Identifier: Apache-2.0
// What the status bar says.

import { visibleLine } from '../../../web/src/visible';
import type { GatewayState } from '../gateway/gateway';

export interface Shown {
  text: string;
  tooltip: string;
  waits: number;
}

/** What an agent on the bridge says that it does. */
export interface AgentStatus {
  state: 'idle' | 'thinking' | 'tool' | 'waiting';
  text: string;
}
export const idle: AgentStatus = { state: 'idle', text: '' };

const MOST_CHARACTERS = 40; // of the bar, which others share

export function agentStatus(params: { state?: unknown; text?: unknown }): AgentStatus {
  const state = (['thinking', 'tool', 'waiting'] as const).find((known) => known === params.state);
  return state ? { state, text: typeof params.text === 'string' ? visibleLine(params.text) : '' } : idle;
}
/** Of several at once: one that waits for the person, then one that is at work. */
export function mostUrgent(all: readonly AgentStatus[]): AgentStatus {
  return all.find((status) => status.state === 'waiting') ?? all.find((status) => status.state !== 'idle') ?? idle;
}

const inTheBar = (text: string): string => {
  const line = text.replace(/[\s$]+/g, ' ');
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
};

export function shown(state: GatewayState, waits: number, running: number, agent: AgentStatus): Shown {
  if (state.state === 'failed')
    return {
      text: '$(error) parlance',
      tooltip: `It keeps ending, and is not started again by itself ("parlance: Restart" does): ${state.why}`,
      waits: 0,
    };
  if (state.state === 'starting' || state.state === 'waiting')
    return {
      text: '$(loading~spin) parlance',
      tooltip: state.state === 'waiting' ? `Started again: ${state.why}` : 'Starting',
      waits: 0,
    };
  if (waits > 0)
    return {
      text: `$(bell-dot) parlance: ${waits} ${waits === 1 ? 'waits' : 'wait'} for you`,
      tooltip: 'Show what waits',
      waits,
    };
  if (agent.state === 'waiting')
    return { text: '$(bell-dot) parlance: the terminal agent waits for you', tooltip: agent.text, waits: 0 };
  if (running > 0 || agent.state !== 'idle')
    return {
      text: `$(sync~spin) parlance${agent.state === 'idle' ? '' : `: ${inTheBar(agent.text || agent.state)}`}`,
      tooltip: 'An agent is at work',
      waits: 0,
    };
  return {
    text: '$(comment-discussion) parlance',
    tooltip: state.state === 'stopped' ? 'Not started: it starts when it is needed' : 'Ready',
    waits: 0,
  };
}
