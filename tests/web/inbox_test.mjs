// SPDX-License-Identifier: Apache-2.0
// The inbox: everything that waits, of all conversations, as a list; by keyboard, on a phone, after a cut.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, shot, waits, withPage } from './page.mjs';

after(closeBrowser);
const inbox = (page, n = '') => page.getByRole('button', { name: `Waiting for you ${n}`.trim() });
const PHONE = { context: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } };

/** Three requests in two conversations. */
async function threeWait(page) {
  await say(page, 'two things');
  await waits(page).nth(1).waitFor();
  await page.getByRole('button', { name: /^New conversation/ }).click();
  await say(page, 'edit it');
  await waits(page).waitFor();
}

test('all waiting requests are in a single list, with their conversation', () =>
  withPage(async (page) => {
    await threeWait(page);
    await inbox(page, 3).click();
    await waits(page).nth(2).waitFor();
    await shot(page, 'inbox');
    const from = await page.locator('.asks .from').allInnerTexts();
    assert.deepEqual(
      from.map((text) => text.replace(/\s*\n\s*/g, ' | ')),
      [
        'two things | Rehearsal · ~/code/engine',
        'two things | Rehearsal · ~/code/engine',
        'edit it | Rehearsal · ~/code/engine',
      ],
    );
    await page.locator('.asks .from').last().getByRole('button').click();
    await eventually(() => waits(page).evaluate((e) => e === document.activeElement), 'its conversation, at the card');
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'edit it');
  }));

test('the list is handled by keyboard', () =>
  withPage(async (page, host) => {
    await threeWait(page);
    await inbox(page, 3).focus();
    await page.keyboard.press('Enter');
    for (const key of ['y', 'n', 'y']) {
      const before = await page.locator('[data-ask]').count();
      await eventually(
        () => page.evaluate(() => document.activeElement?.matches('[data-ask]:not(.arming)')),
        'a card has the focus',
      );
      await page.keyboard.press(key);
      await eventually(async () => (await page.locator('[data-ask]').count()) === before - 1, 'it is settled');
    }
    await page.getByText('Nothing waits for you.').waitFor();
    assert.deepEqual(
      host.received.filter((m) => m.type === 'answer').map((m) => m.option),
      ['once', 'no', 'once'],
    );
    await eventually(async () => (await page.title()) === 'parlance', 'nothing is counted any more');
  }));

test('a key pressed twice answers a single card, and not the next focused card', () =>
  withPage(async (page, host) => {
    await threeWait(page);
    await inbox(page, 3).click();
    await waits(page).nth(2).waitFor();
    await waits(page).first().focus();
    await page.keyboard.press('y');
    await eventually(
      () => page.evaluate(() => document.activeElement?.matches('[data-ask]')),
      'the next card has the keyboard',
    );
    await page.keyboard.press('y');
    await eventually(
      () => page.evaluate(() => document.activeElement?.matches('[data-ask]:not(.arming)')),
      'it takes answers by and by',
    );
    assert.equal(host.count('answer'), 1);
  }));

test('requests settled elsewhere leave the list, and new requests join', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    await inbox(page, 1).click();
    host.settle([...host.asks.keys()][0], { state: 'answered', chosen: 'once', by: 'terminal' });
    await page.getByText('Nothing waits for you.').waitFor();
    const other = host.addConversation({ title: 'Elsewhere', folder: '/srv/app' });
    void host
      .ask(other, {
        kind: 'permission',
        tool: 'bash',
        title: 'make install',
        detail: 'make install PREFIX=/opt',
        options: [{ id: 'once', label: 'Allow once', kind: 'allow_once', dangerous: false }],
      })
      .catch(() => {});
    await waits(page).getByText('make install PREFIX=/opt').waitFor();
    await page.locator('.asks .from').getByText('Rehearsal · /srv/app').waitFor();
  }));

test('a cut and a reload keep the list', () =>
  withPage(async (page, host) => {
    await threeWait(page);
    await inbox(page, 3).click();
    host.cut();
    await eventually(async () => (await waits(page).count()) === 3, 'all three are still there');
    await page.reload();
    await inbox(page, 3).click();
    await eventually(async () => (await waits(page).count()) === 3, 'and after a reload');
  }));

test('on a phone the list fits, and approvals are far from refusals', () =>
  withPage(async (page) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    await page.getByRole('button', { name: /^Show conversations/ }).click();
    await inbox(page, 1).click();
    const card = waits(page);
    await card.waitFor();
    await shot(page, 'inbox-phone');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing hangs over');
    const allow = await card.getByRole('button', { name: /^Allow once/ }).boundingBox();
    const reject = await card.getByRole('button', { name: 'Reject', exact: true }).boundingBox();
    assert.ok(allow.height >= 44 && reject.height >= 44, `as high as a thumb: ${allow.height}, ${reject.height}`);
    const apart = Math.max(
      reject.y - (allow.y + allow.height),
      allow.y - (reject.y + reject.height),
      reject.x - (allow.x + allow.width),
      allow.x - (reject.x + reject.width),
    );
    assert.ok(apart >= 8, `${apart} px apart`);
  }, PHONE));

test('an address leads to a request, and a missing request is reported', () =>
  withPage(async (page, host) => {
    await threeWait(page);
    const [first] = [...host.asks.keys()];
    await page.evaluate((id) => {
      location.hash = `#ask=${id}`;
    }, first);
    await eventually(
      () => page.evaluate((id) => document.activeElement?.getAttribute('data-ask') === id, first),
      'the request has the focus',
    );
    await page.reload(); // the address still leads there
    await eventually(
      () => page.evaluate((id) => document.activeElement?.getAttribute('data-ask') === id, first),
      'also after a reload',
    );
    await page.evaluate(() => {
      location.hash = '#conversation=gone';
    });
    await page.getByText('The target of this address no longer exists.').waitFor();
  }));

test('the system notifies a person who looks elsewhere and wants notifications', () =>
  withPage(async (page) => {
    await page.addInitScript(() => {
      window.told = [];
      window.Notification = class {
        static permission = 'default';
        static async requestPermission() {
          return (this.permission = 'granted');
        }
        constructor(title, { body }) {
          window.told.push(`${title}: ${body}`);
        }
        close() {}
      };
      document.hasFocus = () => false;
    });
    await page.reload();
    await composer(page).waitFor();
    await say(page, 'edit it');
    await waits(page).waitFor();
    assert.deepEqual(await page.evaluate(() => window.told), [], 'nobody wanted that');
    await inbox(page, 1).click();
    await page.getByLabel('Notify me about requests while I look elsewhere').check();
    await page.locator('.conv', { hasText: 'edit it' }).click();
    await waits(page).getByRole('button', { name: 'Reject', exact: true }).click();
    await say(page, 'edit again');
    await eventually(
      async () =>
        (await page.evaluate(() => window.told.join())) ===
        'Waiting for you: Approval needed: tests/reconnect_test.cpp',
      'told once',
    );
  }));
