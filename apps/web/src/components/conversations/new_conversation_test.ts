// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import type { AgentInfo } from '../../protocol';
import { nothing } from '../../store';
import { chosen, to_begin } from './new_conversation';

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
  default_folder: '/here',
  agents: [agent('parlance'), agent('box/claude', { place: 'box', folders: ['/far/shop', '/far/site'] })],
};
const choose = (more: Partial<typeof chosen.value>) => {
  chosen.value = { agent: '', folder: undefined, more: '', mode: '', model: '', ...more };
};

beforeEach(() => choose({}));

test('an agent here works in the default folder, or where the person says', () => {
  expect(to_begin(state)?.folder).toBe('/here');
  choose({ folder: '/there' });
  expect(to_begin(state)?.folder).toBe('/there');
});

test('one on another machine works in what is offered there, and below', () => {
  choose({ agent: 'box/claude' });
  expect(to_begin(state)?.folder).toBe('/far/shop');
  choose({ agent: 'box/claude', folder: '/far/site/below' });
  expect(to_begin(state)?.folder).toBe('/far/site/below');
  choose({ agent: 'box/claude', folder: '/far/shopping' });
  expect(to_begin(state)?.folder).toBe('/far/shop');
});
