// SPDX-License-Identifier: Apache-2.0
// What the palette offers. Pure: the state in, choices out.

import type { App } from '../../app';
import { has } from '../../capabilities';
import { shortFolder } from '../../format';
import { t } from '../../strings';
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
  const agent = agents.find((one) => one.id === here?.agent);
  const act = (id: string, name: string, work: () => void): Choice => ({
    id,
    kind: t.palette_do,
    name,
    more: '',
    act: work,
  });
  const recent = Object.values(conversations).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  return [
    ...recent.map((one): Choice => ({
      id: one.id,
      kind: t.palette_conversation,
      name: one.title || t.untitled,
      more: shortFolder(one.folder, home),
      act: () => app.navigation.select(one.id),
    })),
    act('new', t.new_conversation, () => app.navigation.select('')),
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
    ...(here && here.state !== 'idle' ? [act('stop', t.stop, () => app.stop())] : []),
    ...(here
      ? [act('archive', here.archived ? t.unarchive : t.archive, () => app.set({ archived: !here.archived }))]
      : []),
    ...(here && agent ? agent.modes.filter((mode) => mode !== here.mode) : []).map((mode) =>
      act(`mode-${mode}`, t.set_mode(t.modes[mode]), () => app.set({ mode })),
    ),
    act('settings', t.settings, () => {
      onDesk.value = 'settings';
    }),
    act('keys', t.keys, () => {
      onDesk.value = 'keys';
    }),
  ];
}

/** Those in which each word occurs, names before the rest. */
export function fitting(choices: readonly Choice[], words: string): Choice[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const has = (text: string) => wanted.every((word) => text.toLowerCase().includes(word));
  const named = choices.filter((one) => has(one.name));
  return [...named, ...choices.filter((one) => !named.includes(one) && has(`${one.kind} ${one.name} ${one.more}`))];
}
