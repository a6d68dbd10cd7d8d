// SPDX-License-Identifier: Apache-2.0
// The real program loses its agent, its gateway, or everything: the person's view, without lost or repeated messages.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, shot, waits, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

after(closeBrowser);

/** A separate parlance with a connected page and a conversation with a first message. */
async function withParlance(first, work) {
  const parlance = await Parlance.start();
  try {
    await withPageAt(parlance.url, async (page) => {
      await page.getByText('What should we work on?').waitFor();
      if (first) await say(page, first);
      await work(page, parlance);
    });
  } finally {
    await parlance.clean();
  }
}

const connected = (page) =>
  eventually(
    async () => (await page.getByText('Not connected').count()) === 0 && (await page.locator('.banner').count()) === 0,
    'all is well again',
  );
const idle = (page) => eventually(async () => (await page.locator('.stop, .outgoing').count()) === 0, 'no turn runs');
const lastWord = async (page) =>
  Number(/w(\d+)\s*$/.exec(await page.locator('.answer .md').first().textContent())?.[1] ?? 0);
/** w1 w2 w3 … without a gap or a repetition. */
async function assertInOrder(page) {
  const words = [...(await page.locator('.answer .md').first().textContent()).matchAll(/\bw(\d+)\b/g)].map((match) =>
    Number(match[1]),
  );
  assert.deepEqual(
    words,
    words.map((_, i) => i + 1),
  );
  return words.length;
}

test('the idle agent is killed: a banner says so, the agent returns, and answers', () =>
  withParlance('think once', async (page, parlance) => {
    await page.locator('.answer .md').first().waitFor();
    await idle(page);
    const banner = page.locator('.banner').first().waitFor();
    await Promise.all([banner, parlance.kill('agent')]);
    await connected(page);
    await say(page, 'think twice');
    await eventually(async () => (await page.locator('.answer .md').count()) === 2, 'answered');
    assert.equal(await page.locator('.card.error').count(), 0);
  }));

test('the agent is killed in mid-stream: the model is asked again, and the answer continues without repetition', () =>
  withParlance('slow 400 5', async (page, parlance) => {
    await page.getByText(/\bw20\b/).waitFor();
    await parlance.kill('agent');
    await page.getByText(/\bw400\b/).waitFor();
    await idle(page);
    assert.equal(await assertInOrder(page), 400);
    assert.equal(await page.locator('.card.error').count(), 0);
    assert.deepEqual(await page.locator('.me').allInnerTexts(), ['slow 400 5']);
  }));

test('the gateway is killed in mid-stream: the page reconnects, the turn continues, without loss or repetition', () =>
  withParlance('slow 1000 5', async (page, parlance) => {
    await page.getByText(/\bw20\b/).waitFor();
    const lost = page.locator('.banner.lost').waitFor();
    const before = await lastWord(page);
    await Promise.all([lost, parlance.kill('gateway')]);
    await connected(page);
    await idle(page);
    assert.ok(before < 1000, 'it was killed in time');
    assert.equal(await assertInOrder(page), 1000);
    assert.equal(await page.locator('.card.error').count(), 0);
    assert.deepEqual(await page.locator('.me').allInnerTexts(), ['slow 1000 5']);
    await shot(page, 'real-gateway-died');
    await say(page, 'long 10');
    await page.getByText(/\bw10$/).waitFor();
    await idle(page);
  }));

test('the gateway is killed during an approval: the request stays open, and its answer counts', () =>
  withParlance('write asked.txt twice', async (page, parlance) => {
    await waits(page).first().waitFor();
    await parlance.kill('gateway');
    await connected(page);
    await waits(page).first().locator('.diff .add').getByText('twice').waitFor(); // the request itself, besides its existence
    assert.match(await page.title(), /^\(1\) /);
    assert.equal(
      await page.getByRole('button', { name: 'Resume and ask again' }).count(),
      0,
      'nothing has to be resumed',
    );
    await page.getByRole('button', { name: /^Allow once/ }).click();
    await idle(page);
    assert.equal(await readFile(join(parlance.folder, 'asked.txt'), 'utf8'), 'twice\n');
    assert.equal(await waits(page).count(), 0);
  }));

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`everything ends by ${signal} and restarts: the conversation is found, and the request still waits`, async () => {
    const parlance = await Parlance.start();
    try {
      let before;
      await withPageAt(parlance.url, async (page) => {
        await page.getByText('What should we work on?').waitFor();
        await say(page, 'markdown');
        await page.getByText('That was all of it.').waitFor();
        await idle(page);
        before = await page.locator('.log').textContent();
        await say(page, 'write after.txt the restart');
        await waits(page).first().waitFor();
        await parlance.end(signal);
        await page.locator('.banner.lost').waitFor();
      });
      assert.equal(existsSync(join(parlance.folder, 'after.txt')), false);
      await parlance.run();
      await withPageAt(parlance.url, async (page) => {
        await page.locator('.conv', { hasText: 'markdown' }).click();
        await page.getByText('That was all of it.').waitFor(); // the open question arrives before the history
        await waits(page).first().waitFor();
        assert.equal((await page.locator('.log').textContent()).slice(0, before.length), before);
        assert.ok((await waits(page).locator('.diff .add').count()) > 0, 'what it is about is there');
        assert.equal(await page.locator('.card.error').count(), 0, 'and no error in its place');
        await page.getByRole('button', { name: /^Allow once/ }).click();
        await idle(page);
        await composer(page).waitFor();
        assert.equal(await readFile(join(parlance.folder, 'after.txt'), 'utf8'), 'the restart\n');
      });
    } finally {
      await parlance.clean();
    }
  });
}
