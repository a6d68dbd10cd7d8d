// SPDX-License-Identifier: Apache-2.0
// The first screen: agent and folder as chips, further settings behind "More". Before the first conversation, the screen also lists
// agents, models, and commands for missing programs and sign-ins.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { App, NewConversation } from '../../app';
import { has } from '../../capabilities';
import { shortFolder } from '../../format';
import { Part } from '../../part';
import type { AgentInfo, Mode } from '../../protocol';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { focusComposer, useApp } from '../context';
import { WhenHere } from '../when_here';
import { AgentList } from './agent_list';
import { KeptSessions } from './kept_sessions';
import { chosen, setup, toBegin } from './new_conversation';

const connect = new Part(() => import('../models/connect_model'));

/** Notes a choice: the form draws again, and `toBegin` applies the choice. */
const choose = (choice: Partial<typeof chosen.value>) => {
  chosen.value = { ...chosen.value, ...choice };
};

export function BeginForm() {
  const app = useApp();
  const agents = useComputed(() => app.state.value.agents).value;
  const begin = useComputed(() => toBegin(app.state.value)).value;
  const isFirst = useComputed(() => Object.keys(app.state.value.conversations).length === 0).value;
  const more = useSignal(chosen.peek().more !== '' || chosen.peek().mode !== '');
  const id = useId();
  const load = useSetup(app);
  const agent = agents.find((known) => known.id === begin?.agent);
  const lists = isFirst || more.value;
  return (
    <div class="begin">
      <h2>{t.new_title}</h2>
      <p class="muted">{agents.length === 0 ? t.no_agents : t.new_hint}</p>
      {begin && agent && (
        <div class="row">
          {agentChoice(agents, begin.agent)}
          <FolderChoice agent={agent} folder={agent.folders ? begin.folder : (chosen.value.folder ?? begin.folder)} />
          <button type="button" class="chip" aria-expanded={more.value} onClick={() => (more.value = !more.value)}>
            {words().begin_more}
          </button>
        </div>
      )}
      {more.value && begin && agent && (
        <div class="fields">
          {moreFolders(id)}
          {settingChoices(id, agent, begin)}
        </div>
      )}
      {app.notBegun.value && (
        <p class="bad" role="alert">
          {app.notBegun.value}
        </p>
      )}
      {agent && agent.state === 'down' && <p class="bad">{t.agent_down(agent.name, agent.detail)}</p>}
      {agent?.scripted && (
        <p class="faint">
          {t.scripted_hint} {t.scripted_try}
        </p>
      )}
      {lists && <AgentList chosen={begin?.agent} choose={(agentId) => choose({ agent: agentId })} reload={load} />}
      {(lists || agent?.id === 'parlance') &&
        has(app, 'models') &&
        (app.state.value.team?.role ?? 'admin') === 'admin' && (
          <WhenHere part={connect} draw={({ ConnectOffer }) => <ConnectOffer />} />
        )}
      {begin && agent && <KeptSessions agent={agent} folder={begin.folder} />}
      {begin && agent && <Examples texts={agent.scripted ? t.scripted_examples : t.examples} />}
    </div>
  );
}

/** Asks the gateway for its advice; the result asks again. */
function useSetup(app: App): () => void {
  const online = app.online.value;
  const load = () => {
    if (!has(app, 'setup')) return;
    app.ask(
      { type: 'setup' },
      (value) => {
        setup.value = value;
      },
      () => {}, // advice only: the form works without it
    );
  };
  useEffect(() => {
    if (online) load();
  }, [online]);
  return load;
}

const agentChoice = (agents: readonly AgentInfo[], agent: string) => (
  <select
    class="chip"
    aria-label={t.agent}
    value={agent}
    title={t.agent_hint}
    onChange={(e) => choose({ agent: e.currentTarget.value })}
  >
    {agents.map((known) => (
      <option key={known.id} value={known.id} disabled={known.state === 'down'}>
        {known.name}
        {known.state === 'ready' ? '' : ` (${t.service_states[known.state]})`}
      </option>
    ))}
  </select>
);

/** A field for the folder; while it has the focus, the recent folders follow. */
function FolderChoice({ agent, folder }: { agent: AgentInfo; folder: string }) {
  const app = useApp();
  const open = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  const offered = agent.folders ?? [...new Set([...(app.host.editor?.folders.value ?? []), ...setup.value.folders])];
  const others = offered.filter((known) => known !== folder);
  return (
    <span
      class="folders"
      onFocusIn={() => (open.value = true)}
      onFocusOut={(e) => {
        if (!e.currentTarget.contains(e.relatedTarget as Node | null)) open.value = false;
      }}
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !open.peek()) return;
        e.preventDefault();
        field.current!.focus();
        open.value = false;
      }}
    >
      <input
        ref={field}
        class="chip"
        type="text"
        aria-label={t.folder}
        spellcheck={false}
        autocomplete="off"
        value={folder}
        onInput={(e) => choose({ folder: e.currentTarget.value })}
      />
      {open.value && others.length > 0 && (
        <ul class="sheet" aria-label={words().recent_folders}>
          {others.map((known) => (
            <li key={known}>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  choose({ folder: known });
                  field.current!.focus();
                  open.value = false;
                }}
              >
                {shortFolder(known, app.state.value.home)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}

const moreFolders = (id: string) => (
  <>
    <label for={`${id}o`}>{t.more_folders}</label>
    <textarea
      id={`${id}o`}
      rows={chosen.value.more.split('\n').length}
      spellcheck={false}
      autocomplete="off"
      placeholder={t.more_folders_hint}
      value={chosen.value.more}
      onInput={(e) => choose({ more: e.currentTarget.value })}
    />
  </>
);

const settingChoices = (id: string, agent: AgentInfo, begin: NewConversation) => (
  <>
    <label for={`${id}m`}>{t.mode}</label>
    <select
      id={`${id}m`}
      value={begin.mode}
      title={t.mode_hint}
      onChange={(e) => choose({ mode: e.currentTarget.value as Mode })}
    >
      {agent.modes.map((mode) => (
        <option key={mode} value={mode}>
          {t.modes[mode]}
        </option>
      ))}
    </select>
    {agent.models.length > 0 && (
      <>
        <label for={`${id}d`}>{t.model}</label>
        <select
          id={`${id}d`}
          value={begin.model ?? ''}
          title={t.model_hint}
          onChange={(e) => choose({ model: e.currentTarget.value })}
        >
          <option value="">{t.model_default}</option>
          {agent.models.map((model) => (
            <option key={model} value={model}>
              {model}
            </option>
          ))}
        </select>
      </>
    )}
  </>
);

/** Examples of a first message: a press writes the text into the composer. */
function Examples({ texts }: { texts: readonly string[] }) {
  const app = useApp();
  const write = (text: string) => {
    app.drafts.set('', text);
    app.drafts.changed.value++;
    focusComposer();
  };
  return (
    <ul class="examples" aria-label={t.examples_label}>
      {texts.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => write(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
