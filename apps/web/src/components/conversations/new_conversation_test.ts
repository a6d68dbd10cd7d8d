// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import type { AgentInfo } from '../../protocol';
import { nothing } from '../../store';
import { chosen, setup, toBegin } from './new_conversation';

const agent = (id: string, more: Partial<AgentInfo> = {}): AgentInfo => ({
  id,
  name: id,
  state: 'ready',
  detail: '',
  modes: ['default'],
  models: [],
  scripted: false,
  ...more,
});
const state = {
  ...nothing,
  defaultFolder: '/here',
  agents: [agent('parlance'), agent('box/claude', { place: 'box', folders: ['/far/shop', '/far/site'] })],
};
const choose = (more: Partial<typeof chosen.value>) => {
  chosen.value = { agent: '', folder: undefined, more: '', mode: '', model: '', ...more };
};

beforeEach(() => {
  choose({});
  setup.value = { agents: [], folders: [] };
});

test('an agent on this machine works in the default or the chosen folder', () => {
  expect(toBegin(state)?.folder).toBe('/here');
  choose({ folder: '/there' });
  expect(toBegin(state)?.folder).toBe('/there');
});

test('an agent on a runner works in an offered folder, and below', () => {
  choose({ agent: 'box/claude' });
  expect(toBegin(state)?.folder).toBe('/far/shop');
  choose({ agent: 'box/claude', folder: '/far/site/below' });
  expect(toBegin(state)?.folder).toBe('/far/site/below');
  choose({ agent: 'box/claude', folder: '/far/shopping' });
  expect(toBegin(state)?.folder).toBe('/far/shop');
});

test('the default is the first ready agent of the gateway, and an agent without a sign-in comes last', () => {
  const agents = [
    agent('claude', { state: 'down' }),
    agent('gemini'),
    agent('qwen'),
    agent('parlance', { scripted: true }),
  ];
  const advice = (...ids: string[]) =>
    (setup.value = { folders: [], agents: ids.map((id) => ({ id, name: id, installed: true, command: id })) });
  expect(toBegin({ ...state, agents })?.agent).toBe('gemini');
  advice('gemini');
  expect(toBegin({ ...state, agents })?.agent).toBe('qwen');
  advice('gemini', 'qwen');
  expect(toBegin({ ...state, agents })?.agent).toBe('parlance');
  expect(toBegin({ ...state, agents: agents.slice(0, 3) })?.agent).toBe('gemini');
  choose({ agent: 'qwen' });
  expect(toBegin({ ...state, agents })?.agent).toBe('qwen');
});

test('an agent with a conversation needs no advice about its sign-in, and neither does a missing one here', () => {
  const agents = [agent('gemini'), agent('parlance', { scripted: true })];
  setup.value = { folders: [], agents: [{ id: 'gemini', name: 'Gemini', installed: true, command: 'gemini' }] };
  const used = { c: { agent: 'gemini' } } as unknown as typeof state.conversations;
  expect(toBegin({ ...state, agents })?.agent).toBe('parlance');
  expect(toBegin({ ...state, agents, conversations: used })?.agent).toBe('gemini');
  setup.value = { folders: [], agents: [{ id: 'gemini', name: 'Gemini', installed: false, command: 'npm' }] };
  expect(toBegin({ ...state, agents })?.agent).toBe('gemini');
});
