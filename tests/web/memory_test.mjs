// SPDX-License-Identifier: Apache-2.0
// The memory view with the program itself: what is remembered in a conversation is found, explained and forgotten on the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contrastFaults } from './contrast.mjs';
import { closeBrowser, eventually, NOTHING, say, shot, waits, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

let parlance;
before(async () => {
  parlance = await Parlance.start();
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
});

const onPage = (work, options) => withPageAt(parlance.url, work, { forgive: NOTHING, ...options });
const entries = (page) => page.locator('[data-memory]');
const search = (page) => page.getByRole('searchbox', { name: 'Search the memory' });

async function begin(page, text) {
  await page
    .getByRole('button', { name: /New conversation/ })
    .first()
    .click();
  await page.getByText('What should we work on?').waitFor();
  await say(page, text);
  await page.locator('.me').first().waitFor();
}
async function ended(page, n = 1) {
  await eventually(
    async () =>
      (await page.locator('.item.user:not(.outgoing)').count()) === n &&
      (await page.locator('.stop, .outgoing').count()) === 0,
    `turn ${n} ends`,
  );
}
async function showMemory(page) {
  await page.getByRole('button', { name: 'Memory', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
}
/** Over HTTP, as programs do. */
async function call(method, path, body) {
  const answer = await fetch(parlance.origin + path, {
    method,
    headers: { authorization: `Bearer ${parlance.token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  assert.equal(answer.status, 200, `${method} ${path}`);
  return answer.json();
}

test('an empty memory explains itself', () =>
  onPage(async (page) => {
    await showMemory(page);
    await page.getByText('No memories yet.').waitFor();
    await page.getByText('remember that I prefer tabs').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Memory', exact: true }).getAttribute('aria-current'), 'page');
    assert.deepEqual(await page.evaluate(contrastFaults), []);
    await shot(page, 'memory-empty');
  }));

test('a statement in one conversation is recalled in another, and the page names the source', () =>
  onPage(async (page) => {
    await begin(page, 'remember that I prefer tabs over spaces');
    await ended(page);
    assert.equal(await waits(page).count(), 0, 'who says remember is not asked again');
    await begin(page, 'do I prefer tabs or spaces?');
    await page.getByText('Remembered:').waitFor();
    await page.locator('.answer li', { hasText: 'I prefer tabs over spaces' }).waitFor();
    await ended(page);

    await showMemory(page);
    const entry = entries(page).filter({ hasText: 'I prefer tabs over spaces' });
    await entry.getByText('preference', { exact: true }).waitFor();
    await entry.getByText('importance 50 %').waitFor();
    await entry.getByRole('button', { name: /^Said in “remember that I prefer tabs/ }).click();
    await page.getByRole('heading', { level: 1, name: /^remember that I prefer tabs/ }).waitFor();
    const said = page.locator('.sought');
    await said.getByText('remember that I prefer tabs over spaces').waitFor();
    assert.ok(await said.evaluate((element) => element === document.activeElement), 'it is where the reader is now');
  }));

test('search shows the quality of a match; categories narrow the list', () =>
  onPage(async (page) => {
    await call('POST', '/memory/store', {
      text: 'The staging database runs on port 5433',
      category: 'fact',
      importance: 0.9,
    });
    await call('POST', '/memory/store', { text: '我们决定用制表符缩进', category: 'decision' });
    await showMemory(page);
    await eventually(async () => (await entries(page).count()) === 3, 'all are listed');
    assert.match(await entries(page).first().innerText(), /我们决定用制表符缩进/, 'the newest first');
    await search(page).fill('staging database port');
    await eventually(async () => (await entries(page).count()) === 1, 'one fits');
    const found = entries(page).first();
    assert.match(await found.innerText(), /The staging database runs on port 5433/);
    assert.match(await found.locator('.score').innerText(), /^\d+ % match$/);
    await found.getByText('importance 90 %').waitFor();
    await found.getByText('Stored by hand').waitFor();
    await page.getByRole('status').getByText('1 memory found').waitFor({ state: 'attached' });

    await page.getByRole('radio', { name: 'Decisions' }).check();
    await page.getByText('No memories match “staging database port”.').waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await eventually(async () => (await entries(page).count()) === 3, 'all again');
    assert.equal(await search(page).inputValue(), '');
    // By keyboard alone: from the search field to the categories, and with the arrows through them.
    await search(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await eventually(
      async () => (await entries(page).count()) === 1 && /制表符/.test(await entries(page).first().innerText()),
      'the decision',
    );
  }));

test('forgetting needs a confirmation, and then the memory is gone everywhere', () =>
  onPage(async (page) => {
    await showMemory(page);
    const entry = entries(page).filter({ hasText: '5433' });
    await entry.getByRole('button', { name: /^Forget: The staging/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('Forget “The staging database runs on port 5433”? A forgotten memory cannot be restored.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await entry.count(), 1);
    await entry.getByRole('button', { name: /^Forget: / }).click();
    await dialog.getByRole('button', { name: 'Forget' }).click();
    await eventually(async () => (await entry.count()) === 0, 'it is gone');
    await page.getByRole('status').getByText('Forgotten.').waitFor({ state: 'attached' });
    const left = await call('GET', '/memory/list');
    assert.deepEqual(
      left.items.map((one) => one.text),
      ['我们决定用制表符缩进', 'I prefer tabs over spaces'],
    );
    assert.equal(left.items[1].source, 'agent');
    assert.ok(left.items[1].conversation && left.items[1].event > 0, 'and HTTP says where the other is from');
  }));

test('a request of the agent to forget shows the memory, and asks', () =>
  onPage(async (page) => {
    await begin(page, 'forget tabs over spaces');
    const card = waits(page).first();
    await card.getByText('I prefer tabs over spaces').first().waitFor();
    await shot(page, 'memory-forget-card');
    await card
      .getByRole('button', { name: /^Reject/ })
      .last()
      .click();
    await ended(page);
    assert.equal((await call('GET', '/memory/list')).count, 2);
  }));

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
for (const [name, settings] of Object.entries(LOOKS)) {
  test(`the view is readable, ${name}`, () =>
    onPage(
      async (page) => {
        if (name === 'light') {
          await call('POST', '/memory/store', {
            text: 'The release notes are written by Ann, in the first week of each month; she wants the list of merged changes two days before.',
            category: 'entity',
            importance: 0.6,
          });
          await call('POST', '/memory/store', {
            text: 'a-very-long-word-that-nobody-broke-'.repeat(8),
            category: 'other',
            importance: 0.2,
          });
        }
        if (name === 'narrow') await page.getByRole('button', { name: /^Show conversations/ }).click();
        await showMemory(page);
        await eventually(async () => (await entries(page).count()) === 4, 'all are listed');
        await shot(page, `memory-${name}`);
        assert.deepEqual(await page.evaluate(contrastFaults), []);
        const wide = await page.evaluate(
          () =>
            document.documentElement.scrollWidth > innerWidth ||
            [...document.querySelectorAll('[data-memory]')].some((one) => one.scrollWidth > one.clientWidth + 1),
        );
        assert.equal(wide, false, 'nothing is wider than the screen');
        await search(page).fill('release notes ann');
        await page.locator('.score').first().waitFor();
        await shot(page, `memory-${name}-search`);
        assert.deepEqual(await page.evaluate(contrastFaults), []);
      },
      { settings },
    ));
}

test('an unavailable agent is reported, and tried again', () =>
  onPage(
    async (page) => {
      await showMemory(page);
      await entries(page).first().waitFor();
      await parlance.kill('agent');
      // Started again by then or not: what was typed is answered in the end.
      await search(page).fill('tabs spaces');
      await entries(page).filter({ hasText: 'I prefer tabs' }).locator('.score').waitFor();
    },
    { forgive: undefined },
  ));
