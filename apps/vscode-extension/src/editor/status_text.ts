// What the status bar says.

import type { GatewayState } from '../gateway/gateway';

export interface Shown { text: string; tooltip: string; waits: number }

export function shown(state: GatewayState, waits: number, running: number, status: string): Shown {
  if (state.state === 'failed') return { text: '$(error) parlance', tooltip: `It keeps ending, and is not started again by itself ("parlance: Restart" does): ${state.why}`, waits: 0 };
  if (state.state === 'starting' || state.state === 'waiting') return { text: '$(loading~spin) parlance', tooltip: state.state === 'waiting' ? `Started again: ${state.why}` : 'Starting', waits: 0 };
  if (waits > 0) return { text: `$(bell-dot) parlance: ${waits} ${waits === 1 ? 'waits' : 'wait'} for you`, tooltip: 'Show what waits', waits };
  if (running > 0 || status) return { text: `$(sync~spin) parlance${status ? `: ${status}` : ''}`, tooltip: 'An agent is at work', waits: 0 };
  return { text: '$(comment-discussion) parlance', tooltip: state.state === 'stopped' ? 'Not started: it starts when it is needed' : 'Ready', waits: 0 };
}
