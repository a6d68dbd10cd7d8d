// SPDX-License-Identifier: Apache-2.0
// MCP servers on the real program's page: state, failure, log, and changes by a person.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contrastFaults } from './contrast.mjs';
import { closeBrowser, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

let parlance;
before(async () => {
  parlance = await Parlance.start({
    config: '[mcp.own]\ncommand = ["sh", "-c", "echo a line of the program >&2; exit 3"]\n',
  });
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
});

test('an admin sees state, reason and log of a server, pauses it, adds an address and removes it', () =>
  withPageAt(parlance.url, async (page) => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'MCP servers' }).click();
    await page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor();
    assert.equal(new URL(page.url()).hash, '#mcp=');
    const own = page.getByRole('region', { name: 'own' });
    await own.getByRole('heading').filter({ hasText: 'failed' }).waitFor();
    await own.getByText('Log', { exact: true }).click();
    await own.locator('pre').filter({ hasText: 'a line of the program' }).waitFor();
    await own.getByRole('button', { name: 'Pause: own' }).click();
    await own.getByRole('heading').filter({ hasText: 'paused' }).waitFor();

    await page.getByLabel('Name').fill('tickets');
    await page.getByLabel('Address').fill('http://127.0.0.1:9/mcp');
    await page.getByRole('button', { name: 'Add' }).click();
    const tickets = page.getByRole('region', { name: 'tickets' });
    await tickets.getByRole('button', { name: 'Log in: tickets' }).waitFor();
    assert.deepEqual(await page.evaluate(contrastFaults), []);
    await tickets.getByRole('button', { name: 'Remove: tickets' }).click();
    await tickets.waitFor({ state: 'detached' });
  }));
