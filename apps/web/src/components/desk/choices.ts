// SPDX-License-Identifier: Apache-2.0
// The entries of the palette, with their keys: conversations, and every command of the current state.

import type { App } from '../../app';
import { has } from '../../capabilities';
import { shortFolder } from '../../format';
import type { AgentInfo, Conversation } from '../../protocol';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { optionsInForce } from '../../options';
import { commandsOn } from '../header';
import { onDesk } from './on_desk';

export interface Choice {
  id: string;
  kind: string;
  name: string;
  more: string;
  act: () => void;
}

export function choicesOf(app: App): Choice[] {
  const { conversations, home, agents, capabilities } = app.state.value;
  const here = app.conversation.value;
  const agent = agents.find((known) => known.id === here?.agent);
  const act = (id: string, name: string, work: () => void, key = ''): Choice => ({
    id,
    kind: words().palette_do,
    name,
    more: key,
    act: work,
  });
  const recent = Object.values(conversations).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  return [
    ...recent.map((conversation): Choice => ({
      id: conversation.id,
      kind: words().palette_conversation,
      name: conversation.title || t.untitled,
      more: shortFolder(conversation.folder, home),
      act: () => app.navigation.select(conversation.id),
    })),
    act('new', t.new_conversation, () => app.navigation.select(''), 'Alt N'),
    act('inbox', t.waiting_for_you, () => app.navigation.show('inbox')),
    ...(capabilities.includes('memory') ? [act('memory', t.memory, () => app.navigation.show('memory'))] : []),
    ...(capabilities.includes('usage') ? [act('usage', t.usage, () => app.navigation.show('usage'))] : []),
    ...(has(app, 'databases') ? [act('databases', t.databases, () => app.navigation.show('sqlite'))] : []),
    act('agents', t.look_for_agents, () =>
      app.ask(
        { type: 'look_for_agents' },
        () => {
          app.spoken.value = t.looked_for_agents;
        },
        (error) => {
          app.notice.value = error.message;
        },
      ),
    ),
    ...(has(app, 'doctor') ? [act('doctor', t.doctor, () => app.navigation.show('doctor'))] : []),
    ...(capabilities.includes('mcp') ? [act('mcp', t.mcp, () => app.navigation.show('mcp'))] : []),
    ...(here && here.state !== 'idle' ? [act('stop', t.stop, () => app.stop(), 'Esc')] : []),
    ...(app.undoable.value ? [act('undo', words().undo, app.undoable.value.undo)] : []),
    ...(here ? commandsOn(app, here).map((cmd) => act(cmd.id, cmd.name, () => inView(app, cmd.act), cmd.key)) : []),
    ...(here ? ofTurn(app, here, agent, act) : []),
    act('attach', t.attach, () => inView(app, () => document.querySelector<HTMLElement>('.attach')?.click())),
    act('search', t.search_conversations, () => {
      app.navigation.sidebarShown.value = true;
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.find')?.focus());
    }),
    act('settings', t.settings, () => {
      onDesk.value = 'settings';
    }),
    act(
      'keys',
      t.keys,
      () => {
        onDesk.value = 'keys';
      },
      'Ctrl /',
    ),
  ];
}

type Act = (id: string, name: string, work: () => void, key?: string) => Choice;

/** Settings of the next turn, and the held queue. */
function ofTurn(app: App, here: Conversation, agent: AgentInfo | undefined, act: Act): Choice[] {
  const next = (id: string, name: string, work: () => void) => act(id, words().set_mode(name), work);
  const { id: conversation } = here;
  return [
    ...(here.queued.length > 0 && here.state === 'idle'
      ? [act('go_on', `${t.go_on}: ${here.queued[0]!.text}`, () => app.tell({ type: 'go_on', conversation }))]
      : []),
    ...(agent?.modes ?? [])
      .filter((mode) => mode !== here.mode)
      .map((mode) => next(`mode-${mode}`, t.modes[mode], () => app.set({ mode }))),
    ...(agent?.models ?? [])
      .filter((model) => model !== here.model)
      .map((model) => next(`model-${model}`, `${t.model} ${model}`, () => app.set({ model }))),
    next('think', `${t.think}: ${words().on_off(!here.think)}`, () => app.set({ think: !here.think })),
    ...optionsInForce(agent?.options, here.options).flatMap(({ id: option, name, value, values, kind }) =>
      (kind === 'boolean'
        ? [{ value: String(value !== 'true'), name: words().on_off(value !== 'true') }]
        : values.filter((choice) => choice.value !== value)
      ).map((word) =>
        next(`option-${option}-${word.value}`, `${name}: ${word.name || word.value}`, () =>
          app.tell({ type: 'set_option', conversation, option, value: word.value }),
        ),
      ),
    ),
  ];
}

/** Shows the conversation first: the command belongs to its view. */
function inView(app: App, work: () => void): void {
  app.navigation.select(app.navigation.current.peek());
  requestAnimationFrame(work);
}

const RECENT = 8; // conversations in the whole list, so that the commands are in view

/** The choices with each word, matches of the name first. Without words: the commands and the recent conversations. */
export function fitting(choices: readonly Choice[], typed: string): Choice[] {
  const wanted = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) {
    let listed = 0;
    return choices.filter((choice) => choice.kind !== words().palette_conversation || ++listed <= RECENT);
  }
  const has = (text: string) => wanted.every((word) => text.toLowerCase().includes(word));
  const named = choices.filter((choice) => has(choice.name));
  return [
    ...named,
    ...choices.filter((choice) => !named.includes(choice) && has(`${choice.kind} ${choice.name} ${choice.more}`)),
  ];
}
