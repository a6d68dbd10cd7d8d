// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import type { AgentInfo } from '../../protocol';
import { nothing } from '../../store';
import { chosen, toBegin } from './new_conversation';

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

beforeEach(() => choose({}));

test('an agent here works in the default folder, or where the person says', () => {
  expect(toBegin(state)?.folder).toBe('/here');
  choose({ folder: '/there' });
  expect(toBegin(state)?.folder).toBe('/there');
});

test('one on another machine works in what is offered there, and below', () => {
  choose({ agent: 'box/claude' });
  expect(toBegin(state)?.folder).toBe('/far/shop');
  choose({ agent: 'box/claude', folder: '/far/site/below' });
  expect(toBegin(state)?.folder).toBe('/far/site/below');
  choose({ agent: 'box/claude', folder: '/far/shopping' });
  expect(toBegin(state)?.folder).toBe('/far/shop');
});
