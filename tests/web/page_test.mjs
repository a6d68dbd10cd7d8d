// SPDX-License-Identifier: Apache-2.0
// What every host must give a person: runs against the mock host, or against a real gateway when PARLANCE_URL names one.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  closeBrowser,
  composer,
  eventually,
  PROMPTS,
  realUrl,
  say,
  shot,
  waits,
  withPage,
  withPageAt,
} from './page.mjs';

const anywhere = (work) =>
  realUrl
    ? withPageAt(realUrl, async (page) => {
        await page
          .getByRole('button', { name: /New conversation/ })
          .first()
          .click();
        await work(page);
      })
    : withPage(work);

after(closeBrowser);

test('a prompt is answered, and a reload restores the answer', () =>
  anywhere(async (page) => {
    await say(page, PROMPTS.hello);
    await page.locator('.answer .md').first().waitFor();
    assert.equal(await page.locator('.me').first().innerText(), PROMPTS.hello);
    await eventually(async () => (await page.locator('.stop').count()) === 0, 'the turn ends');
    const said = await page.locator('.answer .md').first().innerText();
    assert.notEqual(said.trim(), '');
    await page.reload();
    await eventually(
      async () => (await page.locator('.answer .md').first().innerText()) === said,
      'the same answer after a reload',
    );
  }));

test('a phone can install the page: its manifest and icons are accepted', () =>
  anywhere(async (page) => {
    await composer(page).waitFor();
    const browser = await page.context().newCDPSession(page);
    const { url, errors, data } = await browser.send('Page.getAppManifest');
    assert.match(url, /\/assets\/.+\.webmanifest$/);
    assert.deepEqual(errors, []);
    const about = JSON.parse(data);
    assert.equal(new URL(about.start_url, url).pathname, '/');
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
    assert.deepEqual(
      installabilityErrors.map((one) => one.errorId).filter((id) => id !== 'in-incognito'),
      [],
    );
    const drawn = (address) =>
      page.evaluate(async (src) => {
        const picture = new Image();
        picture.src = src;
        await picture.decode();
        return `${picture.naturalWidth}x${picture.naturalHeight}`;
      }, address);
    for (const { src, sizes } of about.icons.filter((one) => one.sizes !== 'any'))
      assert.equal(await drawn(new URL(src, url).href), sizes);
    assert.equal(await drawn(await page.locator('link[rel=apple-touch-icon]').evaluate((e) => e.href)), '180x180');
  }));

test('the token leaves the address and survives a reload', () =>
  anywhere(async (page) => {
    assert.ok(!page.url().includes('token'), page.url());
    await page.reload();
    await composer(page).waitFor();
    await eventually(async () => (await page.getByText('Not connected').count()) === 0, 'connected');
  }));

test('thinking folds into a line with its duration', () =>
  anywhere(async (page, host) => {
    await say(page, PROMPTS.think);
    if (host) {
      await page.getByText(/^Thinking… \d+ s$/).waitFor();
      await page.locator('.thoughts').getByText('The two timers race.').waitFor();
      await shot(page, 'thinking');
      host.release('thought');
    }
    const line = page.getByText(/^Thought for \d+ s$/).first();
    await line.waitFor();
    assert.equal(
      await page
        .locator('.think')
        .first()
        .evaluate((e) => e.open),
      false,
    );
    await line.click();
    assert.equal(
      await page
        .locator('.think')
        .first()
        .evaluate((e) => e.open),
      true,
    );
  }));

test('an edit waits, shows its diff, and runs once allowed', () =>
  anywhere(async (page) => {
    await say(page, PROMPTS.edit);
    const card = waits(page).first();
    await card.locator('.diff .add').first().waitFor();
    await card.getByText(/^\+\d+$/).waitFor();
    assert.match(await page.title(), /^\(1\) /);
    await page.reload(); // it is still there, and still counts
    await card.locator('.diff .add').first().waitFor();
    await shot(page, 'approval');
    await card.getByRole('button', { name: /^Allow once/ }).click();
    await page.locator('.card.tool.done').first().waitFor();
    assert.equal(await waits(page).count(), 0);
    await eventually(async () => !(await page.title()).startsWith('('), 'nothing waits any more');
  }));

test('an edit rejected with a note says so', () =>
  anywhere(async (page) => {
    await say(page, PROMPTS.edit);
    const card = waits(page).first();
    await card.getByRole('button', { name: 'More ways to reject' }).click();
    await card.getByRole('button', { name: 'Reject with a note' }).click();
    await card.getByRole('textbox').fill('not this file');
    await card.getByRole('textbox').press('Enter');
    await page.locator('.card.tool.rejected').first().waitFor();
    await page.locator('.verdict').getByText('not this file').waitFor();
  }));

test('an open question prevents sending the form', () =>
  anywhere(async (page, host) => {
    await say(page, PROMPTS.question);
    const card = waits(page).first();
    const send = card.getByRole('button', { name: 'Send answers' });
    await send.waitFor();
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    await send.click({ force: true });
    if (host) assert.equal(host.count('answer'), 0);
    for (const group of await card.locator('fieldset').all())
      await group.locator('input[type=radio], input[type=checkbox]').first().check();
    await shot(page, 'question');
    await send.click();
    await eventually(async () => (await waits(page).count()) === 0, 'answered');
    if (host) assert.deepEqual((await host.heard('answer')).answers, [['SQLite'], ['Unit tests']]);
  }));

test('a plan is read, and sent back with words', () =>
  anywhere(async (page, host) => {
    await say(page, PROMPTS.plan);
    const card = waits(page).first();
    await card.locator('.md li').first().waitFor();
    await page.locator('aside .step').first().waitFor();
    await shot(page, 'plan');
    await card.getByRole('button', { name: 'Change the plan' }).click();
    await card.getByRole('textbox').fill('only 20 times');
    await card.getByRole('button', { name: 'Send feedback' }).click();
    await eventually(async () => (await waits(page).count()) === 0, 'settled');
    if (host)
      assert.deepEqual(
        [(await host.heard('answer')).option, (await host.heard('answer')).text],
        ['feedback', 'only 20 times'],
      );
  }));
