// SPDX-License-Identifier: Apache-2.0
// Token, cuts, gaps, restarts: what a person sees, and that nothing is lost or said twice.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, sendDraft, shot, withPage } from './page.mjs';

after(closeBrowser);
/** Presses the button if it is still there: the page may have come back by itself in that moment. */
const tryNow = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.banner.lost button')].find((b) => b.textContent === 'Try now')?.click(),
  );
const textOf = (page) => page.locator('.answer .md').first().innerText();

for (const refusal of ['upgrade', 'close']) {
  test(`a wrong token gets a page with the place of the right token (refused by ${refusal})`, () =>
    withPage(
      async (page, host) => {
        await page.getByRole('heading', { name: 'This page needs its token' }).waitFor();
        await page.getByText('did not accept the token. The token stays the same after the first start').waitFor();
        await page.getByText('parlance up').waitFor();
        assert.ok(!page.url().includes('token'), page.url());
        await shot(page, 'token');
        await page.getByLabel('Token or address').fill(host.url);
        await page.getByRole('button', { name: 'Connect' }).click();
        await say(page, 'hello');
        await page.getByText('This is scripted.').waitFor();
      },
      {
        prepare: (host) => {
          host.refusal = refusal;
        },
        url: (host) => `${host.origin}/#token=wrong`,
      },
    ));
}

test('without a token the page asks for a token without a try', () =>
  withPage(
    async (page, host) => {
      await page.getByText('Only you may talk').waitFor();
      assert.equal(host.connected, 0);
      await page.goto(`${host.origin}/?token=${host.token}`);
      await composer(page).waitFor();
      assert.equal(page.url(), `${host.origin}/`);
    },
    { url: (host) => host.origin },
  ));

test('a cut in mid-sentence loses nothing and repeats nothing', () =>
  withPage(async (page, host) => {
    await say(page, 'slowly now');
    await page.getByText('First part,').waitFor();
    host.available = false;
    host.cut(1012, '');
    await page.locator('.banner.lost').waitFor();
    await page.getByText('Not connected').waitFor();
    await page.getByRole('button', { name: 'Try now' }).waitFor();
    await shot(page, 'lost');
    host.release('second'); // said while nobody listens
    host.available = true;
    await tryNow(page);
    await page.getByText('second part,').waitFor();
    host.release('third');
    await page.getByText('third part.').waitFor();
    assert.equal(await textOf(page), 'First part, second part, third part.');
    assert.deepEqual(await page.locator('.me').allInnerTexts(), ['slowly now']);
    assert.equal(await page.locator('.banner').count(), 0);
    assert.ok(host.received.filter((m) => m.type === 'open').at(-1).after > 0, 'asked only for what was missing');
  }));

test('the page reconnects without help', () =>
  withPage(async (page, host) => {
    await composer(page).waitFor();
    await host.heard('ready', 1);
    host.cut();
    await host.heard('ready', 2);
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
  }));

test('lost deltas are noticed by their number and made up for', () =>
  withPage(async (page, host) => {
    await say(page, 'slowly now');
    await page.getByText('First part,').waitFor();
    host.lose(1);
    host.release('second');
    await host.until(() =>
      host.conversations
        .values()
        .next()
        .value.events.some((e) => e.text === 'second part, '),
    );
    host.release('third');
    await page.getByText('third part.').waitFor();
    assert.equal(await textOf(page), 'First part, second part, third part.');
    assert.equal(host.count('ready'), 2);
  }));

test('text typed without a connection is kept, neither sent nor lost', () =>
  withPage(async (page, host) => {
    await composer(page).waitFor();
    await eventually(async () => (await page.getByText('Not connected').count()) === 0, 'connected');
    host.available = false;
    host.cut();
    await page.locator('.banner.lost').waitFor();
    await say(page, 'hello in the dark', { atOnce: true });
    assert.equal(await composer(page).inputValue(), 'hello in the dark');
    host.available = true;
    await tryNow(page);
    await eventually(async () => (await page.getByText('Not connected').count()) === 0, 'connected again');
    await sendDraft(page);
    await page.getByText('This is scripted.').waitFor();
    assert.equal(host.count('prompt'), 1);
  }));

test('a prompt cut off before its confirmation: after arrival not sent twice; after loss, sendable again', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    // arrives, but its answer and its events are lost with the connection
    await page.evaluate(() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) {
        send.call(this, data);
        if (data.includes('"prompt"')) {
          WebSocket.prototype.send = send;
          this.close();
        }
      };
    });
    await say(page, 'hello that arrives');
    await host.heard('ready', 2);
    await eventually(
      async () =>
        (await page.locator('.me', { hasText: 'hello that arrives' }).count()) === 1 &&
        (await page.locator('.outgoing').count()) === 0,
      'shown once',
    );
    // never arrives
    await page.evaluate(() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) {
        if (!data.includes('"prompt"')) {
          send.call(this, data);
          return;
        }
        WebSocket.prototype.send = send;
        this.close();
      };
    });
    await say(page, 'hello that is lost');
    await page.getByText('Not sent').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await eventually(async () => (await page.locator('.outgoing').count()) === 0, 'sent');
    assert.deepEqual(
      host.received.filter((m) => m.type === 'prompt').map((m) => m.text),
      ['hello', 'hello that arrives', 'hello that is lost'],
    );
    assert.deepEqual(await page.locator('.me').allInnerTexts(), ['hello', 'hello that arrives', 'hello that is lost']);
  }));

test('a reset host starts empty instead of mixing two histories', () =>
  withPage(async (page, host) => {
    await say(page, 'answer me');
    await page.getByText('this note').waitFor();
    const [id, held] = [...host.conversations][0];
    held.events.length = 0;
    held.conversation.last_seq = 0;
    host.emit(id, { kind: 'text', text: 'Another past.' });
    host.cut();
    await page.getByText('Another past.').waitFor();
    assert.equal(await page.getByText('this note').count(), 0);
  }));

test('restarting services are reported in a line', () =>
  withPage(async (page, host) => {
    await composer(page).waitFor();
    host.setService('agent', 'starting', 'restarting, attempt 2');
    await page.getByText('The agent is starting: restarting, attempt 2.').waitFor();
    host.setService('agent', 'ready');
    await eventually(async () => (await page.locator('.banner').count()) === 0, 'all is well');
  }));

test('two pages stay in step', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await page.locator('[data-ask]').waitFor();
    const other = await page.context().newPage();
    await other.goto(host.url);
    await other
      .locator('[data-ask]')
      .getByRole('button', { name: /^Allow once/ })
      .click();
    await page.getByText('The file is changed.').waitFor();
    assert.equal(await page.locator('[data-ask]').count(), 0);
    assert.match(await page.locator('.verdict').innerText(), /^Allowed by you/);
  }));
