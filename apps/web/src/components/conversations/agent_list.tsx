// SPDX-License-Identifier: Apache-2.0
// The agents of the gateway with their states, and commands for missing sign-ins and programs. A person copies a command into a terminal.

import { copyText } from '../../markdown/clipboard';
import type { AgentInfo, AgentSetup } from '../../protocol';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';
import { needsSignIn, setup } from './new_conversation';

interface Props {
  chosen: string | undefined;
  choose: (agent: string) => void;
  reload: () => void;
}

export function AgentList({ chosen, choose, reload }: Props) {
  const app = useApp();
  const w = words();
  const state = app.state.value;
  const missing = setup.value.agents.filter(
    (candidate) => !candidate.installed && !state.agents.some((agent) => agent.id === candidate.id),
  );
  const look = () =>
    app.ask(
      { type: 'look_for_agents' },
      () => {
        app.spoken.value = t.looked_for_agents;
        reload();
      },
      (error) => {
        app.notice.value = error.message;
      },
    );
  return (
    <section class="agent-list" aria-label={w.agents_here}>
      <h3>{w.agents_here}</h3>
      <ul>
        {state.agents.map((agent) => (
          <Row key={agent.id} agent={agent} isChosen={agent.id === chosen} choose={choose} />
        ))}
      </ul>
      {missing.length > 0 && (
        <details class="more">
          <summary>{w.not_installed(missing.length)}</summary>
          <ul>
            {missing.map((candidate) => (
              <li key={candidate.id}>
                <Command of={candidate} hint={candidate.name} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <button type="button" class="quiet small" onClick={look}>
        {t.look_for_agents}
      </button>
    </section>
  );
}

function Row({ agent, isChosen, choose }: { agent: AgentInfo; isChosen: boolean; choose: (id: string) => void }) {
  const w = words();
  const isDown = agent.state === 'down';
  const signIn = needsSignIn(useApp().state.value, agent) && setup.value.agents.find((other) => other.id === agent.id);
  return (
    <li>
      <button
        type="button"
        class="conv"
        aria-pressed={isChosen}
        aria-disabled={isDown}
        onClick={() => !isDown && choose(agent.id)}
      >
        <span class="title">{agent.name}</span>
        <span class="when">{signIn ? w.no_sign_in : agent.scripted ? t.scripted : t.service_states[agent.state]}</span>
      </button>
      {signIn && <Command of={signIn} hint={w.sign_in_with} />}
      {isDown && <p class="note">{agent.detail}</p>}
    </li>
  );
}

function Command({ of, hint }: { of: AgentSetup; hint: string }) {
  const app = useApp();
  const copy = () =>
    void copyText(of.command).then((ok) => {
      if (ok) app.spoken.value = t.copied;
    });
  return (
    <p class="command note">
      <span>{hint}</span>
      <code>{of.command}</code>
      <button type="button" class="small" aria-label={words().copy_command(of.name)} onClick={copy}>
        {t.copy}
      </button>
    </p>
  );
}
