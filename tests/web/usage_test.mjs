// SPDX-License-Identifier: Apache-2.0
// What models used, and a limit that holds a turn back: with the program itself.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { closeBrowser, eventually, NOTHING, say, shot, waits, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

// A model server that counts tokens; the rehearsal reports no usage.
const answer = (request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const usage = { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 };
    for (const chunk of [
      { choices: [{ index: 0, delta: { content: 'Done.' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
    ])
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
  });
};

let parlance;
const model = createServer(answer);
before(async () => {
  await new Promise((resolve) => {
    model.listen(0, '127.0.0.1', resolve);
  });
  parlance = await Parlance.start({
    flags: [
      '--model',
      'openai',
      '--model-url',
      `http://127.0.0.1:${model.address().port}/v1`,
      '--model-name',
      'counting',
      '--titles',
      'off',
    ],
  });
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
  model.closeAllConnections();
  model.close();
});

const ended = (page, n) =>
  eventually(
    async () => (await page.locator('.answer').count()) >= n && (await page.locator('.stop, .outgoing').count()) === 0,
    `turn ${n} ends`,
  );
const save = async (page) => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Applies from now on.').waitFor();
};
const usage = (page) => page.getByRole('button', { name: 'Usage', exact: true }).click();

test('usage is shown by day and conversation; a limit holds the next turn back, over a restart, until a person goes on', async () => {
  await withPageAt(
    parlance.url,
    async (page) => {
      await page.getByText('What should we work on?').waitFor();
      await say(page, 'think');
      await ended(page, 1);
      await usage(page);
      const days = page.getByRole('region', { name: 'By day' }).locator('tbody tr');
      await days.first().waitFor();
      assert.match(await days.first().innerText(), /^today\s+[1-9]/);
      assert.match(
        await page.getByRole('region', { name: 'By conversation' }).locator('tbody tr').first().innerText(),
        /^think\s/,
      );
      await shot(page, 'usage');

      const aDay = page.getByRole('group', { name: 'A day' });
      await aDay.getByLabel('Tokens').fill('many');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('A limit is a number above 0').waitFor();
      await aDay.getByLabel('Tokens').fill('1');
      await save(page);

      await page.getByRole('button', { name: 'think', exact: true }).first().click();
      await say(page, 'think again');
      await waits(page).first().waitFor();
      assert.match(
        await waits(page).first().innerText(),
        /Usage limit[\s\S]*The limit of 1 token a day is reached: [\d,]+ tokens were used\./,
      );
      await shot(page, 'held-back');
    },
    { forgive: NOTHING },
  );

  await parlance.end('SIGKILL');
  await parlance.run();
  await withPageAt(
    parlance.url,
    async (page) => {
      await page.locator('.conv', { hasText: 'think' }).first().click();
      await page.getByRole('button', { name: 'Resume and ask again' }).click();
      await waits(page)
        .first()
        .getByRole('button', { name: /^Go on once/ })
        .click();
      await ended(page, 2);
      await say(page, 'think once more');
      await waits(page).first().getByRole('button', { name: 'Change the limit…' }).click();
      await page.getByRole('group', { name: 'A day' }).getByLabel('Tokens').fill('');
      await save(page);
      await page.locator('.conv', { hasText: 'think' }).first().click();
      await ended(page, 3);
      assert.equal(await waits(page).count(), 0, 'it went on by itself');
    },
    { forgive: NOTHING },
  );
});
