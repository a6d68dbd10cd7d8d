// SPDX-License-Identifier: Apache-2.0
// The choices for a new conversation. The form is a separate part (begin_form.tsx); the composer below it takes the first message.

import { signal } from '@preact/signals';
import type { NewConversation } from '../../app';
import { Part } from '../../part';
import type { AgentInfo, Mode, SetupValue } from '../../protocol';
import { agentOf, type State } from '../../store';
import { WhenHere } from '../when_here';

/** The choices so far; empty fields follow the host's defaults. The choices outlive the form. */
export const chosen = signal<{
  agent: string;
  folder: string | undefined;
  more: string;
  mode: Mode | '';
  model: string;
}>({ agent: '', folder: undefined, more: '', mode: '', model: '' });

/** The gateway's advice for the first screen; empty until its answer. */
export const setup = signal<SetupValue>({ agents: [], folders: [] });

/** True: no sign-in of the agent was found, and no conversation has used the agent. */
export function needsSignIn(state: State, agent: AgentInfo): boolean {
  return (
    setup.value.agents.some((known) => known.id === agent.id && known.installed) &&
    !Object.values(state.conversations).some((conversation) => conversation.agent === agent.id)
  );
}

/** The default: the first ready agent in the gateway's order, those without a sign-in last. */
function best(state: State): AgentInfo | undefined {
  const ready = state.agents.filter((agent) => agent.state === 'ready');
  return ready.find((agent) => !needsSignIn(state, agent)) ?? ready[0] ?? state.agents[0];
}

export function toBegin(state: State): NewConversation | undefined {
  const agent = agentOf(state, chosen.value.agent) ?? best(state);
  if (!agent) return undefined;
  const mode =
    chosen.value.mode && agent.modes.includes(chosen.value.mode) ? chosen.value.mode : (agent.modes[0] ?? 'default');
  const folders = chosen.value.more
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const own = agent.folders?.[0] ?? state.defaultFolder; // the allowed folder of an agent on a runner
  const wanted = (chosen.value.folder ?? own).trim() || own;
  const folder =
    agent.folders && !agent.folders.some((offered) => wanted === offered || wanted.startsWith(`${offered}/`))
      ? own
      : wanted;
  return {
    agent: agent.id,
    folder,
    ...(folders.length > 0 && { folders }),
    mode,
    ...(agent.models.includes(chosen.value.model) && { model: chosen.value.model }),
  };
}

const form = new Part(() => import('./begin_form'));

export const NewConversationForm = () => (
  <div class="scroll">
    <WhenHere part={form} draw={({ BeginForm }) => <BeginForm />} />
  </div>
);
