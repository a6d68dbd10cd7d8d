// SPDX-License-Identifier: Apache-2.0
// The form that begins a conversation. The first message is written in the composer below it.

import { signal, useComputed } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { NewConversation } from '../../app';
import type { Mode } from '../../protocol';
import type { State } from '../../store';
import { t } from '../../strings';
import { useApp } from '../context';
import { KeptSessions } from './kept_sessions';

/** What was chosen so far; empty fields follow the host's defaults. Outlives leaving the form. */
export const chosen = signal<{ agent: string; folder: string | undefined; more: string; mode: Mode | ''; model: string }>({ agent: '', folder: undefined, more: '', mode: '', model: '' });

export function toBegin(state: State): NewConversation | undefined {
  const agent = state.agents.find((one) => one.id === chosen.value.agent) ?? state.agents.find((one) => one.state === 'ready') ?? state.agents[0];
  if (!agent) return undefined;
  const mode = chosen.value.mode && agent.modes.includes(chosen.value.mode) ? chosen.value.mode : agent.modes[0] ?? 'default';
  const folders = chosen.value.more.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const own = agent.folders?.[0] ?? state.defaultFolder;  // of an agent on a runner's machine: where it may work
  const wanted = (chosen.value.folder ?? own).trim() || own;
  const folder = agent.folders && !agent.folders.some((one) => wanted === one || wanted.startsWith(`${one}/`)) ? own : wanted;
  return { agent: agent.id, folder, ...folders.length > 0 && { folders }, mode, ...agent.models.includes(chosen.value.model) && { model: chosen.value.model } };
}

export function NewConversationForm() {
  const app = useApp();
  const agents = useComputed(() => app.state.value.agents).value;
  const begin = useComputed(() => toBegin(app.state.value)).value;
  const folders = useComputed(() => [...new Set([...app.host.editor?.folders.value ?? [], ...Object.values(app.state.value.conversations).map((one) => one.folder)])].slice(0, 20)).value;
  const id = useId();
  const agent = agents.find((one) => one.id === begin?.agent);
  const offered = agent?.folders ?? folders;
  return (
    <div class="scroll">
      <div class="begin">
        <h2>{t.new_title}</h2>
        <p class="muted">{agents.length === 0 ? t.no_agents : t.new_hint}</p>
        {begin && agent && <div class="fields">
          <label for={`${id}a`}>{t.agent}</label>
          <select id={`${id}a`} value={begin.agent} title={t.agent_hint} onChange={(e) => { chosen.value = { ...chosen.value, agent: e.currentTarget.value }; }}>
            {agents.map((one) => <option key={one.id} value={one.id} disabled={one.state === 'down'}>{one.name}{one.state === 'ready' ? '' : ` (${t.service_states[one.state]})`}</option>)}
          </select>
          <label for={`${id}f`}>{t.folder}</label>
          <input id={`${id}f`} type="text" list={`${id}l`} spellcheck={false} autocomplete="off" value={agent.folders ? begin.folder : chosen.value.folder ?? begin.folder} onInput={(e) => { chosen.value = { ...chosen.value, folder: e.currentTarget.value }; }} />
          <datalist id={`${id}l`}>{offered.map((folder) => <option key={folder} value={folder} />)}</datalist>
          <label for={`${id}o`}>{t.more_folders}</label>
          <textarea id={`${id}o`} rows={chosen.value.more.split('\n').length} spellcheck={false} autocomplete="off" placeholder={t.more_folders_hint} value={chosen.value.more} onInput={(e) => { chosen.value = { ...chosen.value, more: e.currentTarget.value }; }} />
          <label for={`${id}m`}>{t.mode}</label>
          <select id={`${id}m`} value={begin.mode} title={t.mode_hint} onChange={(e) => { chosen.value = { ...chosen.value, mode: e.currentTarget.value as Mode }; }}>
            {agent.modes.map((mode) => <option key={mode} value={mode}>{t.modes[mode]}</option>)}
          </select>
          {agent.models.length > 0 && <>
            <label for={`${id}d`}>{t.model}</label>
            <select id={`${id}d`} value={begin.model ?? ''} title={t.model_hint} onChange={(e) => { chosen.value = { ...chosen.value, model: e.currentTarget.value }; }}>
              <option value="">{t.model_default}</option>
              {agent.models.map((model) => <option key={model} value={model}>{model}</option>)}
            </select>
          </>}
        </div>}
        {app.notBegun.value && <p class="bad" role="alert">{app.notBegun.value}</p>}
        {agent?.scripted && <p class="faint">{t.scripted_hint} {t.scripted_try}</p>}
        {begin && agent && <Examples texts={agent.scripted ? t.scripted_examples : t.examples} />}
        {begin && agent && <KeptSessions agent={agent} folder={begin.folder} />}
        {agent && agent.state === 'down' && <p class="bad">{t.agent_down(agent.name, agent.detail)}</p>}
      </div>
    </div>
  );
}

/** What could be said first: a press writes it down, so that it can still be changed. */
function Examples({ texts }: { texts: readonly string[] }) {
  const app = useApp();
  const write = (text: string) => {
    app.drafts.set('', text);
    app.drafts.changed.value++;
    document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus();
  };
  return <ul class="examples" aria-label={t.examples_label}>{texts.map((text) => <li key={text}><button type="button" onClick={() => write(text)}>{text}</button></li>)}</ul>;
}
