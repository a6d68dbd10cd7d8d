// SPDX-License-Identifier: Apache-2.0
// Finding conversations again: search, archive, export, addresses, sessions that an agent keeps by itself.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, shot, withPage } from './page.mjs';

after(closeBrowser);
const said = (text) => [
  { kind: 'turn_start', turn: 't' },
  { kind: 'user_message', turn: 't', text },
  { kind: 'text', text: `You said ${text}.` },
  { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
];
const filled = (host) => {
  host.addConversation({ title: 'Tabs or spaces', events: said('which indent') });
  host.addConversation({ title: 'Release notes', events: said('write about tabs') });
  host.addConversation({ title: 'Something else', events: said('hello') });
};
const menu = async (page, item) => {
  await page.locator('header .menu summary').click();
  await page.locator('.sheet').getByRole('button', { name: item }).click();
};
const row = (page, title) => page.locator('.sidebar .conv', { hasText: title });

test('a search finds titles and messages at once, and opens the match', () =>
  withPage(
    async (page, host) => {
      await row(page, 'Release notes').waitFor();
      await page.getByRole('searchbox', { name: 'Search titles and messages' }).fill('tabs');
      await page.getByRole('region', { name: 'Titles' }).getByText('Tabs or spaces').waitFor();
      const hit = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: /Release notes/ });
      await hit.getByText('You said write about tabs.').waitFor();
      await shot(page, 'search');
      assert.equal(await row(page, 'Something else').count(), 0);
      await hit.click();
      await page.locator('.sought').getByText('You said write about tabs.').waitFor();
      assert.equal(host.count('search'), 1, 'asked once, when typing rests');
      await page.getByRole('searchbox').fill('nowhere');
      await page.getByText('Nothing found.').waitFor();
      await page.getByRole('searchbox').press('Escape');
      await row(page, 'Something else').waitFor();
    },
    { prepare: filled },
  ));

test('a search opens the folded part with the match', () =>
  withPage(
    async (page) => {
      await page.getByRole('searchbox', { name: 'Search titles and messages' }).fill('deadlock');
      await page.getByRole('region', { name: 'Messages' }).getByText('Perhaps a deadlock.').click();
      await page.locator('.sought .thoughts').getByText('Perhaps a deadlock.').waitFor();
    },
    {
      prepare: (host) => {
        const [start, message, ...answer] = said('why');
        const thought = [
          { kind: 'thinking_start' },
          { kind: 'thinking_content', text: 'Perhaps a deadlock.' },
          { kind: 'thinking_end', duration_ms: 1 },
        ];
        host.addConversation({ title: 'Thoughts', events: [start, message, ...thought, ...answer] });
      },
    },
  ));

test('a search opens a long output or change, also inside a run of calls', () =>
  withPage(
    async (page) => {
      for (const [words, title] of [
        ['needle', /Command/],
        ['thimble', /Reading/],
        ['bobbin', /Change/],
      ]) {
        await page.getByRole('searchbox', { name: 'Search titles and messages' }).fill(words);
        await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: title }).click();
        await page.locator('.sought :is(.output, .diff)').getByText(`line 90 ${words}`).waitFor();
        await eventually(
          async () => (await page.locator('.sought').boundingBox()).y >= 0,
          'the result begins in view although it has grown',
        );
      }
    },
    {
      prepare: (host) => {
        const lines = (word) =>
          Array.from({ length: 100 }, (_, i) => `line ${i}${i === 90 ? ` ${word}` : ''}\n`).join('');
        const call = (id, tool, text) => [
          { kind: 'tool_start', call: id, tool, title: id, input: {} },
          { kind: 'tool_output', call: id, text },
          { kind: 'tool_end', call: id, state: 'done' },
        ];
        const turn = (title, ...events) =>
          host.addConversation({
            title,
            events: [
              { kind: 'turn_start', turn: 't' },
              { kind: 'user_message', turn: 't', text: 'look' },
              ...events,
              { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
            ],
          });
        turn('Command', ...call('a', 'run_command', lines('needle')));
        const change = { type: 'diff', path: '/home/ann/a.txt', before: '', after: lines('bobbin') };
        turn(
          'Change',
          { kind: 'tool_start', call: 'c', tool: 'edit_file', title: 'a.txt', input: {} },
          { kind: 'tool_update', call: 'c', content: [change] },
          { kind: 'tool_end', call: 'c', state: 'done' },
        );
        turn('Reading', ...call('a', 'read_file', 'short'), ...call('b', 'read_file', lines('thimble')));
      },
    },
  ));

test('a conversation is put away and taken out again', () =>
  withPage(
    async (page, host) => {
      await row(page, 'Something else').click();
      await menu(page, 'Archive');
      await page.getByText('Archived · 1').waitFor();
      await eventually(async () => !(await row(page, 'Something else').isVisible()), 'it left the list');
      await page.reload();
      await page.getByText('Archived · 1').click();
      await row(page, 'Something else').click();
      await menu(page, 'Take out of the archive');
      await eventually(async () => (await page.getByText('Archived · 1').count()) === 0, 'nothing is put away');
      assert.deepEqual(
        host.received.filter((m) => m.type === 'set').map((m) => m.archived),
        [true, false],
      );
    },
    { prepare: filled },
  ));

test('an archived conversation comes back by the undo, and the offer ends', () =>
  withPage(
    async (page, host) => {
      await page.clock.install();
      await row(page, 'Something else').click();
      await menu(page, 'Archive');
      await page.getByText('Archived “Something else”.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await eventually(async () => (await page.getByText('Archived · 1').count()) === 0, 'it is back');
      await menu(page, 'Archive');
      await page.getByRole('button', { name: 'Undo' }).focus();
      await page.clock.runFor(20_000);
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      await composer(page).focus();
      await page.clock.runFor(20_000);
      await eventually(async () => (await page.getByRole('button', { name: 'Undo' }).count()) === 0, 'the offer ended');
      assert.deepEqual(
        host.received.filter((m) => m.type === 'set').map((m) => m.archived),
        [true, false, true],
      );
    },
    { prepare: filled },
  ));

test('a word in folded output is found, opened and marked', () =>
  withPage(
    async (page) => {
      await row(page, 'Folded').click();
      await page.locator('.card.tool').nth(1).waitFor();
      await page.keyboard.press('Control+f');
      await page.getByRole('search').getByRole('searchbox').fill('needle');
      const marked = () =>
        page.evaluate(() => {
          const range = [...(CSS.highlights.get('found-now') ?? [])][0];
          return range && range.getBoundingClientRect().height > 0 ? range.startContainer.textContent : '';
        });
      await page.getByRole('search').getByText('2 of 2').waitFor();
      await eventually(async () => (await marked()).includes('line 90 needle'), 'a line behind "Show all"');
      await page.keyboard.press('Enter');
      await page.getByRole('search').getByText('1 of 2').waitFor();
      await eventually(async () => (await marked()).includes('a needle in a file'), 'a card with quiet output');
    },
    {
      prepare: (host) => {
        const lines = Array.from({ length: 100 }, (_, i) => `line ${i}${i === 90 ? ' needle' : ''}\n`).join('');
        const call = (id, tool, text) => [
          { kind: 'tool_start', call: id, tool, title: id, input: {} },
          { kind: 'tool_output', call: id, text },
          { kind: 'tool_end', call: id, state: 'done' },
        ];
        host.addConversation({
          title: 'Folded',
          events: [
            { kind: 'turn_start', turn: 't' },
            { kind: 'user_message', turn: 't', text: 'look' },
            ...call('a', 'read_file', 'a needle in a file'),
            ...call('b', 'run_command', lines),
            { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
          ],
        });
      },
    },
  ));

test('a conversation is exported for reading and with every event', () =>
  withPage(
    async (page, host) => {
      await row(page, 'Release notes').click();
      const saved = async (item) => {
        const [download] = await Promise.all([page.waitForEvent('download'), menu(page, item)]);
        return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
      };
      const text = await saved('Export as Markdown');
      assert.equal(text.name, 'Release-notes.md');
      assert.match(text.text, /^# Release notes\n[\s\S]*## You\n\nwrite about tabs\n\nYou said write about tabs\.\n$/);
      const whole = await saved('Export as JSON');
      const [, held] = [...host.conversations.values()];
      assert.deepEqual(JSON.parse(whole.text).events, held.events);
    },
    { prepare: filled },
  ));

test('its address opens the conversation, in a tab with the host', () =>
  withPage(
    async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await row(page, 'Tabs or spaces').click();
      await menu(page, 'Copy link');
      const address = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(address, /#conversation=c-1$/);
      await row(page, 'Something else').click();
      await page.evaluate((to) => {
        location.href = to;
      }, address);
      await page.getByRole('heading', { level: 1, name: 'Tabs or spaces' }).waitFor();
    },
    { prepare: filled },
  ));

test('the first words stand ready to be pressed, and the model is chosen before', () =>
  withPage(async (page, host) => {
    await composer(page).waitFor();
    await eventually(
      () => composer(page).evaluate((e) => e === document.activeElement),
      'the cursor stands in the composer',
    );
    await page.getByLabel('Agent', { exact: true }).selectOption('claude');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByLabel('Model', { exact: true }).selectOption('sonnet');
    assert.equal(await page.getByRole('list', { name: 'Examples' }).getByRole('button').count(), 3);
    await page.getByRole('button', { name: 'Run the tests and fix the failures' }).click();
    assert.equal(await composer(page).inputValue(), 'Run the tests and fix the failures');
    assert.equal(host.count('prompt'), 0, 'nothing is sent yet');
    await composer(page).fill('hello');
    await composer(page).press('Enter');
    await page.getByText('This is scripted.').waitFor();
    assert.equal((await host.heard('new')).model, 'sonnet');
  }));

test('an arrow key restores earlier messages, and a message is changed and sent again', () =>
  withPage(async (page, host) => {
    await say(page, 'hello one');
    await page.getByText('This is scripted.').first().waitFor();
    await say(page, 'hello two');
    await eventually(async () => (await page.getByText('This is scripted.').count()) === 2, 'both are answered');
    await composer(page).press('ArrowUp');
    assert.equal(await composer(page).inputValue(), 'hello two');
    await composer(page).press('ArrowUp');
    assert.equal(await composer(page).inputValue(), 'hello one');
    await composer(page).press('ArrowDown');
    await composer(page).press('ArrowDown');
    assert.equal(await composer(page).inputValue(), '');
    const first = page.locator('.item', { hasText: 'hello one' }).first();
    await first.hover();
    await first.getByRole('button', { name: 'Edit' }).click();
    assert.equal(await composer(page).inputValue(), 'hello one');
    assert.ok(await composer(page).evaluate((e) => e === document.activeElement));
    await page.keyboard.type(' more');
    await page.keyboard.press('Enter');
    await eventually(() => host.count('prompt') === 3, 'it is a message of its own');
    assert.equal((await host.heard('prompt', 3)).text, 'hello one more');
  }));

test('a session kept by the agent continues here, with its messages', () =>
  withPage(async (page, host) => {
    host.sessions.list = [
      {
        id: 's-1',
        folder: '/home/ann/code/engine',
        title: 'Begun in a terminal',
        updated_at: new Date().toISOString(),
        events: said('earlier words'),
      },
      { id: 's-2', folder: '/elsewhere', title: 'Another folder', updated_at: '', events: [] },
    ];
    await composer(page).waitFor();
    await page.getByLabel('Agent', { exact: true }).selectOption('claude');
    const list = page.getByRole('region', { name: 'Sessions of Claude Code in this folder' });
    await shot(page, 'sessions');
    assert.equal(await list.getByText('Another folder').count(), 0);
    await list.getByRole('button', { name: /Begun in a terminal/ }).click();
    await page.getByText('You said earlier words.').waitFor();
    assert.deepEqual((({ agent, folder, session }) => ({ agent, folder, session }))(await host.heard('adopt')), {
      agent: 'claude',
      folder: '/home/ann/code/engine',
      session: 's-1',
    });
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    await page.getByRole('button', { name: /^New conversation/ }).click();
    await page.getByRole('button', { name: 'Continue an earlier session of Claude Code…' }).click();
    await page.getByText('Claude Code keeps no other session of this folder.').waitFor();
  }));

test('an agent without a list of sessions gives a reason, and is asked again', () =>
  withPage(async (page, host) => {
    host.sessions.fault = 'the agent cannot list its sessions';
    await page.getByLabel('Agent', { exact: true }).selectOption('claude');
    await page.getByRole('button', { name: /^Continue an earlier session/ }).click();
    await page.getByRole('alert').getByText('the agent cannot list its sessions').waitFor();
    host.sessions.fault = '';
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Claude Code keeps no other session of this folder.').waitFor();
    await page.getByLabel('Agent', { exact: true }).selectOption('parlance');
    assert.equal(await page.getByRole('button', { name: /^Continue an earlier session/ }).count(), 0, 'it keeps none');
  }));

test('a change less than a minute ago is shown as now, also across the turn of a minute', () =>
  withPage(
    async (page) => {
      await page.clock.setFixedTime(new Date('2026-03-04T12:00:10Z'));
      await page.reload();
      const when = page.locator('.conv .when');
      await when.waitFor();
      await eventually(async () => (await when.innerText()) === 'now', 'twenty seconds ago');
      await page.clock.setFixedTime(new Date('2026-03-04T12:00:51Z'));
      await eventually(async () => (await when.innerText()) === '1 m', 'sixty-one');
    },
    {
      prepare: (host) => {
        host.addConversation({ title: 'changed', updated_at: '2026-03-04T11:59:50Z' });
      },
    },
  ));
