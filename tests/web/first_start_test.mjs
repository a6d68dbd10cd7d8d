// SPDX-License-Identifier: Apache-2.0
// The first screen: agents, models, earlier sessions and folders on the gateway's machine.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, withPage } from './page.mjs';
import { firstStart, furnish } from './state_hosts.mjs';

after(closeBrowser);

test('the first screen lists agents, and gives commands for a sign-in and an installation', () =>
  withPage(
    async (page, host) => {
      const list = page.getByRole('region', { name: 'Agents' });
      await list.getByText('no sign-in found').waitFor();
      assert.equal(await page.getByLabel('Agent', { exact: true }).inputValue(), 'claude');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await list.getByRole('button', { name: 'Copy the command for Gemini CLI' }).click();
      await eventually(
        async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'gemini',
        'the command is copied',
      );
      await list.getByText('Not installed · 2').click();
      await list.getByText('npm install -g @qwen-code/qwen-code').waitFor();
      await page.getByRole('button', { name: 'Use Ollama' }).waitFor();
      await page.getByRole('region', { name: 'Sessions of Claude Code in this folder' }).waitFor();

      await list.getByRole('button', { name: /^Rehearsal/ }).press('Enter');
      assert.equal(await page.getByLabel('Agent', { exact: true }).inputValue(), 'parlance');
      await say(page, 'hello');
      assert.equal((await host.heard('new')).agent, 'parlance');
    },
    { prepare: firstStart },
  ));

test('a recent folder is chosen with the keyboard', () =>
  withPage(
    async (page, host) => {
      await composer(page).waitFor();
      await page.keyboard.press('Alt+n');
      await page.getByLabel('Folder', { exact: true }).focus();
      await page.getByRole('list', { name: 'Recent folders' }).waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('list', { name: 'Recent folders' }).count(), 0);
      assert.equal(host.count('stop'), 0);
      await page.getByLabel('Folder', { exact: true }).blur();
      await page.getByLabel('Folder', { exact: true }).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.getByLabel('Folder', { exact: true }).inputValue(), '/home/ann/code/site');
      assert.equal(await page.getByLabel('Mode', { exact: true }).count(), 0, 'the rest is behind More');
      await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
      await page.getByLabel('Mode', { exact: true }).selectOption('plan');
      await say(page, 'hello');
      const begun = await host.heard('new');
      assert.deepEqual([begun.folder, begun.mode], ['/home/ann/code/site', 'plan']);
    },
    {
      prepare: (host) => {
        furnish(host);
        firstStart(host);
      },
    },
  ));
