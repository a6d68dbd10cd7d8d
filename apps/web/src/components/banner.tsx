// SPDX-License-Identifier: Apache-2.0
// Current problems, in one line each: the connection, a service, the agent of this conversation, the last request.

import { useComputed, useSignal } from '@preact/signals';
import { Part } from '../part';
import type { AgentInfo, ServiceInfo } from '../protocol';
import type { Link } from '../store';
import { t } from '../strings';
import { useApp } from './context';
import { whyItDied } from './ending';
import { WhenHere } from './when_here';

const undo = new Part(() => import('./desk/undo'));

export function Banners() {
  const app = useApp();
  const link = useComputed(() => app.state.value.link).value;
  const services = useComputed(() => app.state.value.services).value;
  const agents = useComputed(() => app.state.value.agents).value;
  const ailing = services.filter((service) => service.state !== 'ready'); // an agent without such a service needs no second line
  const synced = app.online.value;
  const agent = synced ? agents.find((known) => known.id === app.conversation.value?.agent) : undefined;
  return (
    <div class="banners" role="status">
      {link.state === 'lost' ? (
        <Lost link={link} />
      ) : link.state === 'idle' ? (
        <div class="banner">{t.idle}</div>
      ) : !synced ? (
        <div class="banner">{t.connecting}</div>
      ) : null}
      {synced && ailing.map((service) => <Service key={service.name} service={service} />)}
      {agent?.state === 'ready' && <Died agent={agent} />}
      {agent && agent.state !== 'ready' && ailing.length === 0 && <Agent agent={agent} />}
      {app.undoable.value && <WhenHere part={undo} draw={({ Undo }) => <Undo />} meanwhile={<></>} />}
      {app.notice.value && (
        <div class="banner bad">
          <span>{app.notice.value}</span>
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              app.notice.value = '';
            }}
          >
            {t.dismiss}
          </button>
        </div>
      )}
    </div>
  );
}

function Lost({ link }: { link: Extract<Link, { state: 'lost' }> }) {
  const app = useApp();
  const seconds = Math.ceil((link.retryAt - app.now.value) / 1000);
  const known = (t.why_closed as Record<string, string>)[link.why];
  return (
    <div class="banner lost">
      <span>
        {known ?? t.lost(link.why)} {link.retryAt === 0 || seconds <= 0 ? t.trying : t.trying_in(seconds)}
      </span>
      <button type="button" class="small" onClick={() => app.host.connect()}>
        {t.try_now}
      </button>
    </div>
  );
}

function Service({ service }: { service: ServiceInfo }) {
  return (
    <div class={`banner${service.state === 'down' ? ' bad' : ''}`}>
      {t.service(service.name, t.service_states[service.state], service.detail)}
    </div>
  );
}

/** The agent of this conversation ended during its work and has not answered since. */
function Died({ agent }: { agent: AgentInfo }) {
  const app = useApp();
  const starting = useSignal(''); // id of the conversation
  const id = app.navigation.current.value;
  const why = useComputed(() => {
    if (
      app.navigation.view.value !== 'conversation' ||
      app.conversation.value?.state !== 'idle' ||
      app.waitingHere.value.length > 0
    )
      return '';
    return whyItDied(app.transcript.value?.items ?? []);
  }).value;
  if (!why) return null;
  if (starting.value === id) return <div class="banner">{t.restarting_agent(agent.name)}</div>;
  const restart = () => {
    starting.value = id;
    app.ask(
      { type: 'restart', conversation: id },
      () => {
        starting.value = '';
      },
      (error) => {
        starting.value = '';
        app.notice.value = error.message;
      },
    );
  };
  return (
    <div class="banner bad died">
      <span>{t.agent_died(agent.name, why)}</span>
      <button type="button" class="small" onClick={restart}>
        {t.restart_agent}
      </button>
    </div>
  );
}

function Agent({ agent }: { agent: AgentInfo }) {
  return (
    <div class={`banner${agent.state === 'down' ? ' bad' : ''}`}>
      {agent.state === 'down' ? t.agent_down(agent.name, agent.detail) : t.agent_starting(agent.name)}
    </div>
  );
}
