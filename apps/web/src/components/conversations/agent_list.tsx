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
    (one) => !one.installed && !state.agents.some((agent) => agent.id === one.id),
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
        {state.agents.map((one) => (
          <Row key={one.id} one={one} isChosen={one.id === chosen} choose={choose} />
        ))}
      </ul>
      {missing.length > 0 && (
        <details class="more">
          <summary>{w.not_installed(missing.length)}</summary>
          <ul>
            {missing.map((one) => (
              <li key={one.id}>
                <Command of={one} hint={one.name} />
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

function Row({ one, isChosen, choose }: { one: AgentInfo; isChosen: boolean; choose: (agent: string) => void }) {
  const w = words();
  const isDown = one.state === 'down';
  const signIn = needsSignIn(useApp().state.value, one) && setup.value.agents.find((other) => other.id === one.id);
  return (
    <li>
      <button
        type="button"
        class="conv"
        aria-pressed={isChosen}
        aria-disabled={isDown}
        onClick={() => !isDown && choose(one.id)}
      >
        <span class="title">{one.name}</span>
        <span class="when">{signIn ? w.no_sign_in : one.scripted ? t.scripted : t.service_states[one.state]}</span>
      </button>
      {signIn && <Command of={signIn} hint={w.sign_in_with} />}
      {isDown && <p class="note">{one.detail}</p>}
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
