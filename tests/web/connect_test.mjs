// SPDX-License-Identifier: Apache-2.0
// A model is connected on the real program's page, and answers the next message without a restart.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { contrastFaults } from './contrast.mjs';
import { closeBrowser, NOTHING, say, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

const KEY = 'sk-0123456789-hidden';

let parlance, model, asked;
before(async () => {
  asked = [];
  model = createServer((request, response) => {
    asked.push({ path: request.url, key: request.headers.authorization });
    response.setHeader('content-type', 'application/json');
    if (request.url.endsWith('/models')) response.end(JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }] }));
    else if (request.headers.authorization !== `Bearer ${KEY}`)
      response.writeHead(401).end('{"error":{"message":"wrong key"}}');
    else
      response.end(
        JSON.stringify({
          model: 'large',
          choices: [{ message: { role: 'assistant', content: 'I am connected.' }, finish_reason: 'stop' }],
        }),
      );
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  parlance = await Parlance.start({ flags: ['--titles', 'off'] });
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
  model?.close();
});

test('vendor, address, key and model are entered, tested and saved; the next message reaches the model', () =>
  withPageAt(
    parlance.url,
    async (page) => {
      await page.getByRole('button', { name: 'Connect a model' }).click();
      const form = page.getByRole('region', { name: 'Connect a model' });
      await form.getByLabel('Vendor').selectOption('other');
      await form.getByLabel('URL').fill(`http://127.0.0.1:${model.address().port}/v1`);
      await form.getByLabel('Key').fill('wrong');
      await form.getByRole('button', { name: 'List models' }).click();
      await form.getByText('2 models listed').waitFor();
      assert.deepEqual(await form.locator('datalist option').evaluateAll((all) => all.map((one) => one.value)), [
        'large',
        'small',
      ]);
      await form.getByLabel('Model', { exact: true }).fill('large');
      await form.getByRole('button', { name: 'Test' }).click();
      await form.getByRole('alert').getByText('does not accept the key').waitFor();
      await form.getByLabel('Key').fill(KEY);
      await form.getByRole('button', { name: 'Test' }).click();
      await form.getByText(/^large answers in \d+ ms\.$/).waitFor();
      assert.deepEqual(await page.evaluate(contrastFaults), []);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('other answers from the next message on.').waitFor();
      await form.getByText('key stored').waitFor();
      await page.getByText('Scripted: the answers follow a scenario').waitFor({ state: 'detached' });
      assert.ok(!(await page.content()).includes(KEY), 'the key is erased from the page');
      assert.match(await readFile(`${parlance.at}/state/models.json`, 'utf8'), new RegExp(KEY));

      await say(page, 'hello');
      await page.getByText('I am connected.').waitFor();
      assert.deepEqual(asked.at(-1), { path: '/v1/chat/completions', key: `Bearer ${KEY}` });

      await page
        .getByRole('button', { name: /New conversation/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Connect a model' }).click();
      await form.getByRole('button', { name: 'Remove other' }).click();
      await page.getByText('Scripted: the answers follow a scenario').waitFor();
    },
    { forgive: NOTHING },
  ));
