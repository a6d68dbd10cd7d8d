// SPDX-License-Identifier: Apache-2.0
// Parts of the page that come when they are needed; language, colours, palette, keys.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, shot, waits, withPage } from './page.mjs';

after(closeBrowser);

/** Names of the scripts that the page has fetched so far, without what the build adds to them. */
const scripts = (page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((one) => one.name.endsWith('.js'))
      .map((one) => one.name.replace(/^.*\/assets\/(.+)-[\w-]{8}\.js$/, '$1'))
      .sort(),
  );
const failToLoad = (page, part) =>
  page.route(
    (url) => url.pathname.includes(`/assets/${part}-`),
    (route) => route.abort(),
  );

/** These by and by, and at no time another. */
async function fetches(page, names) {
  let there = [];
  await eventually(
    async () => (there = await scripts(page)).length >= names.length,
    `${names} are there, beside ${there}`,
  );
  assert.deepEqual(there, names);
}

test('unneeded parts are not fetched', () =>
  withPage(async (page) => {
    await composer(page).waitFor();
    await fetches(page, ['begin', 'index', 'stream_view']);
    await say(page, 'answer');
    await page.locator('.hljs-keyword').first().waitFor();
    await fetches(page, ['begin', 'index', 'languages', 'stream_view']);
    await say(page, 'edit');
    await waits(page).first().locator('.diff .add').first().waitFor();
    await fetches(page, ['begin', 'diff_view', 'index', 'languages', 'stream_view']);
  }));

test('an answer can be read while its drawing cannot be had', () =>
  withPage(async (page) => {
    await failToLoad(page, 'stream_view');
    await page.reload();
    await say(page, 'answer');
    await page.getByText('The test waits **50 ms**').waitFor();
  }));

test('a change without a loaded comparison is shown as the result, and compared later', () =>
  withPage(async (page) => {
    await failToLoad(page, 'diff_view');
    await say(page, 'edit');
    const card = waits(page).first();
    await card.getByText('The comparison could not be loaded.').waitFor();
    assert.match(await card.locator('pre.detail').innerText(), /auto back = peer\.next\(Event::ready\)/);
    await page.unrouteAll();
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.locator('.diff .add').first().waitFor();
    assert.equal(await card.getByText('could not be loaded').count(), 0);
  }));

test('the palette leads to a conversation and to a mode', () =>
  withPage(
    async (page, host) => {
      await composer(page).waitFor();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Go to or do' });
      await field.waitFor();
      await shot(page, 'palette');
      await page.getByRole('option', { name: 'New conversation Alt N' }).waitFor();
      await field.fill('orders customer');
      assert.equal(
        await page
          .getByRole('listbox')
          .getByRole('option', { selected: true })
          .innerText()
          .then((text) => text.split('\n')[0]),
        'Which orders have no customer?',
      );
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Which orders' }).waitFor();
      await page.keyboard.press('Control+k');
      await field.fill('plans first');
      await page.keyboard.press('Enter');
      await eventually(
        () => [...host.conversations.values()].some((one) => one.conversation.mode === 'plan'),
        'the mode is set',
      );
      await page.keyboard.press('Control+k');
      await field.fill('find conversation');
      await page.getByRole('option', { name: 'Find in this conversation Ctrl F' }).waitFor();
      await field.fill('json');
      await page.getByRole('option', { name: 'Export as JSON' }).waitFor();
      await field.fill('no such thing');
      await page.getByText('No matches.').waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
    },
    {
      prepare: (host) => {
        host.addConversation({ title: 'Which orders have no customer?' });
        host.addConversation({ title: 'Something else' });
      },
    },
  ));

test('each command of the menu, the sidebar and the composer is in the palette', () =>
  withPage(
    async (page) => {
      await page.locator('.conv', { hasText: 'Something else' }).click();
      await page.locator('.menu summary').click();
      const names = await page.locator('.menu .sheet button').allInnerTexts();
      await page.keyboard.press('Escape');
      const field = page.getByRole('combobox', { name: 'Go to or do' });
      for (const name of [
        ...names,
        'Plan, usage and permissions',
        'Attach files',
        'Search titles and messages',
        'Waiting for you',
        'From the next turn: think: on',
        'From the next turn: Model opus',
      ].filter(Boolean)) {
        await page.keyboard.press('Control+k');
        await field.fill(name);
        await page.getByRole('option', { name }).first().waitFor();
        await page.keyboard.press('Escape');
        await field.waitFor({ state: 'detached' });
      }
      await page.keyboard.press('Control+k');
      await field.fill('rename');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('A better name');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'A better name' }).waitFor();
    },
    {
      prepare: (host) => {
        host.addConversation({ title: 'Something else', agent: 'claude', model: 'sonnet' });
      },
    },
  ));

test('a key right after Esc opens the palette again', () =>
  withPage(async (page) => {
    const field = page.getByRole('combobox', { name: 'Go to or do' });
    await composer(page).waitFor();
    await page.keyboard.press('Control+k');
    for (let round = 0; round < 20; ++round) {
      await field.waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
    }
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    assert.equal(await page.getByRole('dialog').count(), 0);
  }));

test('the palette starts a search for agents, and a reminder is not shown as a message of the person', () =>
  withPage(async (page, host) => {
    await say(page, '<system-reminder>\nThe plan was approved.\n</system-reminder>');
    await page.getByText('Sent to the agent').waitFor();
    assert.equal(await page.locator('.log .me').count(), 0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to or do' }).waitFor();
    await page.keyboard.type('look for agents');
    await page.keyboard.press('Enter');
    await host.heard('look_for_agents');
  }));

test('Ctrl / lists the keys', () =>
  withPage(async (page) => {
    await composer(page).waitFor(); // before, the page has no keys
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Stop the turn').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
  }));

test('language and colours are chosen, and kept', () =>
  withPage(
    async (page) => {
      await composer(page).fill('half a thought');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Colours').selectOption('dark');
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await background(), 'rgb(25, 26, 28)');
      await page.getByLabel('Language').selectOption('zh');
      await page.getByRole('dialog', { name: '设置' }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('textbox', { name: '消息' }).inputValue(), 'half a thought');
      await shot(page, 'chinese');
      await page.reload();
      await page.getByText('要做些什么？').waitFor();
      assert.equal(await background(), 'rgb(25, 26, 28)');
    },
    { context: { colorScheme: 'light' } },
  ));

test('a browser with Chinese preferences gets Chinese', () =>
  withPage(
    async (page) => {
      await page.getByText('要做些什么？').waitFor();
    },
    { context: { locale: 'zh-CN' } },
  ));

test('an unavailable language is reported, and English is shown', () =>
  withPage(async (page) => {
    await failToLoad(page, 'zh');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Language').selectOption('zh');
    await page.getByText('This language could not be loaded.').waitFor();
  }));
