// SPDX-License-Identifier: Apache-2.0
// What a control does, when it takes effect and where a link leads: told without a mouse as well.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, withPage } from './page.mjs';

after(closeBrowser);
const hint = (page) => page.locator('.hint');
const LINK = 'https://example.org/jitter?and=more';
const prepare = (host) => {
  const agent = host.agents.find((one) => one.id === 'claude');
  agent.options = [
    {
      id: 'effort',
      name: 'Effort',
      description: 'How long it tries.',
      kind: 'select',
      value: 'low',
      values: [
        { value: 'low', name: 'low', description: 'Seconds.' },
        { value: 'high', name: 'high', description: 'Minutes.' },
      ],
    },
  ];
  host.addConversation({
    title: 'settings',
    agent: 'claude',
    events: [
      { kind: 'turn_start', turn: 't' },
      { kind: 'user_message', turn: 't', text: 'where?' },
      { kind: 'text', text: `Read [this page](${LINK}) first.` },
      { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
    ],
  });
};
const opened = (work, context = {}, strict = true) =>
  withPage(
    async (page, host) => {
      const menu = page.locator('.menu-button');
      if (await menu.isVisible()) await menu.click();
      await page.locator('.conv').click();
      await page.getByRole('link', { name: 'this page' }).waitFor();
      await work(page, host);
    },
    { prepare, context, strict },
  );
const whole = (page) =>
  hint(page).evaluate((one) => {
    const box = one.getBoundingClientRect();
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  });

for (const [width, height] of [
  [1360, 860],
  [280, 600],
  [640, 400],
]) {
  test(`by keyboard, a setting shows its effect and the time of its effect, at ${width} px`, () =>
    opened(
      async (page) => {
        await composer(page).focus();
        const told = {};
        for (let i = 0; i < 12 && !told.Effort; ++i) {
          await page.keyboard.press('Tab');
          const name = await page.evaluate(
            () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent,
          );
          if ((await hint(page).count()) === 0) continue;
          told[name] = await hint(page).innerText();
          assert.ok(await whole(page), `all of it is in the window: ${name}`);
          const [box, control] = [await hint(page).boundingBox(), await page.locator(':focus').boundingBox()];
          assert.ok(
            box.y + box.height <= control.y || box.y >= control.y + control.height,
            `it lies beside ${name}, not over it`,
          );
        }
        assert.match(told.Mode, /Applies from the next turn/);
        assert.match(told.Model, /Applies from the next turn/);
        assert.match(told.think, /Applies from the next turn/);
        assert.equal(told.Effort, 'How long it tries. Applies from the next turn at the latest.\nSeconds.');
        await composer(page).focus();
        assert.equal(await hint(page).count(), 0, 'and no longer than it is about');
      },
      { viewport: { width, height } },
    ));
}

test('by keyboard, a link shows its target before use; Escape hides the hint', () =>
  opened(async (page) => {
    const link = page.getByRole('link', { name: 'this page' });
    await composer(page).focus();
    for (let i = 0; i < 30 && !(await link.evaluate((one) => one === document.activeElement)); ++i)
      await page.keyboard.press('Shift+Tab');
    assert.equal(await hint(page).innerText(), LINK);
    await page.keyboard.press('Escape');
    assert.equal(await hint(page).count(), 0);
  }));

test('the first touch of a link shows the target, the second follows the link; a press elsewhere hides the hint', () =>
  opened(
    async (page) => {
      const link = page.getByRole('link', { name: 'this page' });
      await page.context().route(LINK, (route) => route.fulfill({ body: 'there' }));
      const followed = [];
      page.context().on('page', (one) => followed.push(one));
      await link.tap();
      assert.equal(await hint(page).innerText(), LINK);
      await page.locator('.me').tap();
      assert.equal(await hint(page).count(), 0);
      await link.tap();
      await hint(page).waitFor();
      assert.equal(followed.length, 0, 'told, not followed');
      await link.tap();
      await eventually(() => followed.length === 1, 'followed');
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    false,
  )); // what was followed leaves the page's origin

test('a mouse has its own hints', () =>
  opened(async (page) => {
    await page.getByRole('button', { name: 'think', exact: true }).click();
    assert.equal(await hint(page).count(), 0);
  }));

test('by keyboard, the whole path of the folder is shown', () =>
  opened(async (page) => {
    await page.locator('header .folder').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    assert.equal(await hint(page).innerText(), '/home/ann/code/engine');
  }));
