// SPDX-License-Identifier: Apache-2.0
// The possible states of the page for a person, each reached on its own host: for tests that visit all states.

import { composer, waits } from './page.mjs';
import { textsOf } from './texts.mjs';
import {
  DIFF,
  FETCH,
  LONG,
  PHONE,
  RUN,
  asks,
  begun,
  card,
  chosen,
  chosenOrFirst,
  firstStart,
  found,
  furnish,
  open,
  options,
  press,
  remembered,
  says,
  showList,
  showsDatabase,
  teamwork,
  toTheLeft,
  used,
  waiting,
} from './state_hosts.mjs';

export const states = [
  {
    name: 'first_start',
    reach: async (page) => {
      await composer(page).waitFor();
      await page.getByText((await textsOf(page)).new_title).waitFor();
    },
  },
  {
    name: 'first_agents',
    prepare: firstStart,
    reach: async (page) => {
      await composer(page).waitFor();
      const { views } = await textsOf(page);
      await page.getByRole('region', { name: views.agents_here }).getByText(views.no_sign_in).waitFor();
      await page.getByRole('region', { name: views.connect_model }).getByText('qwen3').waitFor();
    },
  },
  {
    name: 'first_folders',
    prepare: (host) => {
      furnish(host);
      firstStart(host);
    },
    reach: async (page) => {
      await composer(page).waitFor(); // before, the page has no language yet
      const { views } = await textsOf(page);
      await page.keyboard.press('Alt+n');
      await page.getByRole('button', { name: views.begin_more }).click();
      await page.locator('.folders input').focus();
      await page.getByRole('list', { name: views.recent_folders }).waitFor();
    },
  },
  {
    name: 'streaming',
    prepare: (host) => {
      host.update(begun(host), { state: 'running' });
    },
    reach: async (page, host) => {
      await open(page);
      await page.getByText('I would wait for the').waitFor();
      host.emit(chosen(host), {
        kind: 'text',
        text: 'Now the test waits for what it means:\n\n```cpp\nauto back = peer.next(Event::ready);\nloop.run_',
      });
      await page.getByText('loop.run_').waitFor();
    },
  },
  {
    name: 'thinking',
    prepare: (host) => {
      host.update(begun(host), { state: 'running' });
    },
    reach: async (page, host) => {
      await open(page);
      await page.getByText('I would wait for the').waitFor();
      host.emit(
        chosen(host),
        { kind: 'thinking_start' },
        {
          kind: 'thinking_content',
          text: 'The back-off has jitter, so a longer wait only makes the race rarer. The peer tells when it is ready, and that is what the test means.',
        },
      );
      await page.getByText('The back-off has jitter').waitFor();
    },
  },
  {
    name: 'answer',
    prepare: furnish,
    reach: says('answer', async (page) => {
      await page.locator('.hljs-keyword').first().waitFor();
      await page.getByText('run it 200 times').waitFor();
    }),
  },
  { name: 'approval', prepare: (host) => asks(host, DIFF, []), reach: waiting(1) },
  { name: 'three_asks', prepare: (host) => asks(host, DIFF, [RUN, FETCH]), reach: waiting(3) },
  {
    name: 'long_command',
    reach: async (page) => {
      await open(page);
      await card(page);
    },
    prepare: (host) => {
      host
        .ask(begun(host), {
          kind: 'permission',
          tool: 'run_command',
          title: LONG.split('\n')[0],
          detail: LONG,
          editable: 'command',
          why: 'Claude Code wants to run a command in ~/code/engine.',
          options: options('Always docker here'),
        })
        .catch(() => {});
    },
  },
  { name: 'question', prepare: furnish, reach: says('question', card) },
  { name: 'plan', prepare: furnish, reach: says('plan', card) },
  {
    name: 'inbox_phone',
    context: PHONE,
    prepare: (host) => asks(host, DIFF, [RUN]),
    reach: async (page) => {
      await showList(page);
      await page.locator('.inbox').click();
      const veil = page.getByRole('button', { name: (await textsOf(page)).hide_conversations });
      if (await veil.isVisible()) await page.keyboard.press('Escape');
      await waits(page).nth(1).waitFor();
    },
  },
  {
    name: 'offline',
    prepare: (host) => asks(host, DIFF, []),
    reach: async (page, host) => {
      await waiting(1)(page);
      host.available = false;
      host.cut();
      await page.locator('.banner.lost').waitFor();
    },
  },
  {
    name: 'after_a_crash',
    prepare: (host) => asks(host, DIFF, []),
    reach: async (page, host) => {
      await waiting(1)(page);
      // The gateway's message after its return: the request stays, and the turn with its calls has ended.
      for (const ask of host.asks.values()) host.settle(ask.id, { state: 'orphaned', by: 'restart' });
      host.emit(
        chosen(host),
        { kind: 'tool_end', call: 'e', state: 'cancelled' },
        {
          kind: 'error',
          code: 'interrupted',
          message: 'parlance ended while this turn was running',
          detail: '',
          retryable: true,
        },
        { kind: 'turn_end', turn: 't', stop_reason: 'error', duration_ms: 41_000 },
      );
      host.update(chosen(host), { state: 'idle' });
      await page.getByRole('button', { name: (await textsOf(page)).resume_and_ask_again }).waitFor();
    },
  },
  { name: 'error', prepare: furnish, reach: says('error', (page) => page.locator('.card.error').waitFor()) },
  {
    name: 'memory',
    prepare: (host) => {
      furnish(host);
      host.capabilities = ['memory'];
      host.memories = remembered;
    },
    reach: async (page) => {
      await showList(page);
      await press(page, 'memory');
      await page.locator('[data-memory]').first().waitFor();
    },
  },
  {
    name: 'usage',
    prepare: (host) => {
      furnish(host);
      host.capabilities = ['usage'];
      host.spent = used(chosenOrFirst(host));
      host.limits = { day_tokens: 500_000 };
    },
    reach: async (page) => {
      await showList(page);
      await press(page, 'usage');
      const t = await textsOf(page);
      await page.getByRole('region', { name: t.views.by_day }).getByText(t.yesterday, { exact: false }).waitFor();
    },
  },
  {
    name: 'sqlite',
    prepare: (host) => {
      furnish(host);
      host.capabilities = ['databases'];
    },
    reach: async (page, host) => {
      await showsDatabase(page, host);
      await page.getByText('left at the door', { exact: false }).first().click();
      await toTheLeft(page);
    },
  },
  {
    name: 'sqlite_edit',
    prepare: (host) => {
      furnish(host);
      host.capabilities = ['databases'];
    },
    reach: async (page, host) => {
      await showsDatabase(page, host);
      await press(page, 'edits', { views: true });
      await page.getByText('left at the door', { exact: false }).first().dblclick();
      const { views } = await textsOf(page);
      await page.getByRole('textbox', { name: views.new_value }).fill('left with the neighbour');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: views.waiting_edits }).waitFor();
      await toTheLeft(page);
    },
  },
  {
    name: 'sqlite_280',
    context: { viewport: { width: 280, height: 600 } },
    prepare: (host) => {
      furnish(host);
      host.capabilities = ['databases'];
    },
    reach: showsDatabase,
  },
  {
    name: 'databases',
    prepare: (host) => {
      furnish(host);
      host.capabilities = ['databases'];
      host.databases = [
        { path: '/srv/shop/orders.db', bytes: 48_234_496, named: true },
        { path: '/home/ann/code/engine/build/cache.sqlite', bytes: 12_288, named: false },
      ];
    },
    reach: async (page) => {
      await showList(page);
      await press(page, 'databases');
      await page.getByRole('region', { name: (await textsOf(page)).views.configured }).waitFor();
    },
  },
  {
    name: 'doctor',
    prepare: (host) => {
      furnish(host);
      host.capabilities = ['doctor'];
      host.findings = { version: '0.1.0', bad: 1, findings: found };
    },
    reach: async (page) => {
      await showList(page);
      await press(page, 'settings');
      await press(page, 'doctor_open');
      await page.getByText((await textsOf(page)).views.to_fix(1)).waitFor();
    },
  },
  {
    name: 'died',
    prepare: (host) => {
      host.emit(
        begun(host),
        {
          kind: 'error',
          code: 'disconnected',
          message: 'claude was killed by signal 9 (SIGKILL)',
          detail: '',
          retryable: true,
        },
        { kind: 'turn_end', turn: 't', stop_reason: 'error', duration_ms: 4_000 },
      );
    },
    reach: async (page) => {
      await open(page);
      await page.locator('.banner.died').waitFor();
    },
  },
  {
    name: 'team',
    prepare: teamwork,
    reach: async (page) => {
      await open(page);
      await page.getByLabel((await textsOf(page)).access_label).waitFor();
    },
  },
  {
    name: 'limit',
    reach: async (page) => {
      await open(page);
      await card(page);
    },
    prepare: (host) => {
      host
        .ask(begun(host), {
          kind: 'limit',
          title: 'As much was used as is allowed',
          why: 'The limit of 500,000 tokens a day is reached: 512,345 tokens were used. The agent has not been given the message yet. It goes on by itself once the limit is raised, or a new day begins',
          options: [
            { id: 'once', label: 'Go on once', kind: 'allow_once', dangerous: false },
            { id: 'stop', label: 'Do not go on', kind: 'reject_once', dangerous: false },
          ],
        })
        .catch(() => {});
    },
  },
  {
    name: 'settings',
    prepare: furnish,
    reach: async (page) => {
      await showList(page);
      await press(page, 'settings');
      await page.getByLabel((await textsOf(page)).views.theme).waitFor();
    },
  },
  {
    name: 'palette',
    prepare: furnish,
    reach: async (page) => {
      await composer(page).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: /Explain/ }).waitFor();
    },
  },
  {
    name: 'keys',
    prepare: furnish,
    reach: async (page) => {
      await composer(page).waitFor();
      await page.keyboard.press('Control+/');
      await page
        .getByRole('dialog')
        .getByText((await textsOf(page)).views.key_list.stop)
        .waitFor();
    },
  },
  {
    name: 'find',
    prepare: begun,
    reach: async (page) => {
      await open(page);
      await page.getByText('I would wait for the').waitFor();
      await page.keyboard.press('Control+f');
      const t = await textsOf(page);
      await page.getByRole('searchbox', { name: t.find_here }).fill('race');
      await page.getByText(t.n_of_m(2, 2)).waitFor();
    },
  },
  {
    name: 'zoom_200',
    context: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
    prepare: (host) => asks(host, DIFF, []),
    reach: waiting(1),
  },
  {
    name: 'narrow_280',
    context: { viewport: { width: 280, height: 600 } },
    prepare: (host) => asks(host, DIFF, []),
    reach: waiting(1),
  },
];
