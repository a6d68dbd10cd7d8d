// SPDX-License-Identifier: Apache-2.0
// A page of one of a team: whose a conversation is, who wrote and who answered, and who else may see it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, shot, withPage } from './page.mjs';
import { teamwork } from './state_hosts.mjs';

after(closeBrowser);
const access = (page) => page.getByLabel('Who else may see this conversation');
const row = (page, text) => page.locator('.conv', { hasText: text });

test('messages and answers of others carry their names, the own ones do not', () =>
  withPage(
    async (page) => {
      await row(page, 'Fix the flaky').click();
      const theirs = page.locator('.item.user', { hasText: 'what jitter does' });
      await theirs.getByText('jon', { exact: true }).waitFor();
      assert.equal(await page.locator('.item.user', { hasText: 'one time in fifty' }).getByText('jon').count(), 0);
      await page
        .getByText(/jon/)
        .filter({ hasText: /allowed|Allow/i })
        .first()
        .waitFor();
      await shot(page, 'team');
    },
    { prepare: teamwork },
  ));

test("one's own is opened for others, another's says whose it is and offers no such choice", () =>
  withPage(
    async (page, host) => {
      await row(page, 'Fix the flaky').click();
      assert.equal(await access(page).inputValue(), 'team');
      await access(page).selectOption('private');
      assert.equal((await host.heard('set')).access, 'private');
      await row(page, 'jon · Move the site').click();
      await page.getByText('of jon').waitFor();
      assert.equal(await access(page).count(), 0);
      assert.equal(await page.getByPlaceholder('You can only read this conversation').isDisabled(), true);
    },
    { prepare: teamwork },
  ));

test('where one person works alone nothing of a team is shown', () =>
  withPage(
    async (page) => {
      await row(page, 'Fix the flaky').click();
      await page.locator('.item.user').first().waitFor();
      assert.equal(await access(page).count(), 0);
    },
    {
      prepare: (host) => {
        teamwork(host);
        host.team = undefined;
      },
    },
  ));
