// SPDX-License-Identifier: Apache-2.0
// What waits for a person: shown, counted, answered exactly once, by mouse and keyboard, across cuts and crashes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, shot, waits, withPage } from './page.mjs';

after(closeBrowser);
const allow = (card) => card.getByRole('button', { name: /^Allow once/ });

test('a card takes no answer in its first moment', () =>
  withPage(async (page, host) => {
    await page.evaluate(() => {
      // presses and keys that were meant for what stood here before
      new MutationObserver(() => {
        const card = document.querySelector('[data-ask].arming');
        card?.focus();
        for (const button of card?.querySelectorAll('.bar button') ?? []) button.click();
        card?.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }));
        if (card) window.tried = true;
      }).observe(document.body, { childList: true, subtree: true });
    });
    await say(page, 'edit it');
    await waits(page).waitFor();
    assert.equal(await page.evaluate(() => window.tried), true);
    assert.equal(host.count('answer'), 0);
    await allow(waits(page)).click();
    await page.getByText('The file is changed.').waitFor();
  }));

test('several are all visible, counted, and answered in turn', () =>
  withPage(async (page, host) => {
    await say(page, 'two things');
    await waits(page).nth(1).waitFor();
    assert.deepEqual(await page.locator('.card .badge').allInnerTexts(), ['1 of 2', '2 of 2']);
    assert.equal(await page.title(), '(2) parlance');
    await page.getByRole('button', { name: 'Waiting for you 2' }).waitFor();
    await shot(page, 'two');
    await allow(waits(page).nth(1)).click();
    await eventually(async () => (await waits(page).count()) === 1, 'one is left');
    assert.equal(await page.locator('.card .badge').count(), 0);
    assert.equal(host.count('answer'), 1);
    assert.equal((await host.heard('answer')).ask, [...host.asks.values()][1].id);
    await waits(page).first().getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('Both decided.').waitFor();
    assert.deepEqual(await page.locator('.card.tool .state').allInnerTexts(), ['rejected', 'done']);
  }));

test('a request answered elsewhere names the place, and a request of a program says so', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    host.update([...host.conversations.keys()][0], { via: 'http' });
    await waits(page).getByText('for a program, over HTTP').waitFor();
    await page.locator('header .via').waitFor();
    await shot(page, 'via');
    const ask = [...host.asks.values()][0];
    host.settle(ask.id, {
      state: 'answered',
      chosen: ask.options.find((one) => one.kind === 'reject_once').id,
      by: 'terminal',
    });
    await page.getByText('Rejected in the terminal.').waitFor();
    assert.equal(host.count('answer'), 0);
  }));

test('a double click answers once, and not the next card', () =>
  withPage(async (page, host) => {
    await say(page, 'two things');
    await waits(page).nth(1).waitFor();
    await allow(waits(page).first()).dblclick();
    await eventually(async () => (await waits(page).count()) === 1, 'one is left');
    await page.locator('.card.tool.done').waitFor();
    assert.equal(host.count('answer'), 1);
  }));

test('a second press during an answer has no effect', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    await page.evaluate(() => {
      // four presses before the host can have answered one
      const card = document.querySelector('[data-ask]');
      const button = [...card.querySelectorAll('button')].find((b) => b.textContent.startsWith('Allow'));
      for (let i = 0; i < 3; ++i) button.click();
      card.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
    });
    await page.getByText('The file is changed.').waitFor();
    assert.equal(host.count('answer'), 1);
  }));

test('y, a and n count only while the card has the focus', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    await composer(page).pressSequentially('yan');
    assert.equal(host.count('answer'), 0);
    assert.equal(await composer(page).inputValue(), 'yan');
    await waits(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    assert.equal(host.count('answer') + host.count('stop'), 0);
    await page.keyboard.press('a');
    assert.equal((await host.heard('answer')).option, 'always');
    await page.locator('aside').getByText('Edits in ~/code/engine/tests').waitFor();
    // the buttons are gone, and the keyboard goes on where a person would
    await eventually(
      () => page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'),
      'focus goes to the composer',
    );
    await page.getByRole('button', { name: 'Revoke: Edits in ~/code/engine/tests' }).click();
    await page.getByText('None. Your “always” answers', { exact: false }).waitFor();
  }));

test('the focus moves from a settled card to the next', () =>
  withPage(async (page) => {
    await say(page, 'two things');
    await waits(page).nth(1).waitFor();
    await waits(page).first().focus();
    await page.keyboard.press('y');
    await eventually(async () => (await waits(page).count()) === 1, 'one is left');
    await eventually(
      () =>
        waits(page)
          .first()
          .evaluate((e) => e === document.activeElement),
      'the next card has the focus',
    );
    await page.keyboard.press('n');
    await page.getByText('Both decided.').waitFor();
  }));

test('several standing permissions open with their key, and a rejection can stop the turn', () =>
  withPage(
    async (page, host) => {
      const card = waits(page).first();
      await card.waitFor();
      await card.getByRole('button', { name: 'Allow once' }).focus();
      await page.keyboard.press('a');
      await eventually(
        () => page.evaluate(() => document.activeElement.textContent.trim() === 'Always in this folder'),
        'the first scope has the focus',
      );
      assert.equal(host.count('answer'), 0);
      await page.keyboard.press('a');
      assert.equal(await card.getByRole('button', { name: 'Always in this folder' }).count(), 0);
      await card.getByRole('button', { name: 'More ways to reject' }).press('Enter');
      await card.getByRole('button', { name: 'Reject and stop' }).press('Enter');
      assert.equal((await host.heard('answer')).option, 'n');
      await host.heard('stop');
    },
    {
      prepare: (host) => {
        const id = host.addConversation({ title: 'two scopes' });
        host
          .ask(id, {
            kind: 'permission',
            title: 'make',
            detail: 'make',
            options: [
              { id: 'y', label: 'Allow once', kind: 'allow_once', dangerous: false },
              { id: 'f', label: 'Always in this folder', kind: 'allow_always', dangerous: false },
              { id: 'c', label: 'Always in this conversation', kind: 'allow_always', dangerous: false },
              { id: 'n', label: 'Reject', kind: 'reject_once', dangerous: false },
            ],
          })
          .catch(() => {});
      },
    },
  ));

test('arrow keys walk along the buttons', () =>
  withPage(async (page) => {
    await say(page, 'edit it');
    await allow(waits(page)).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^Reject n/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'More ways to reject');
  }));

test('buttons stay in view below a long command, readable to its end', () =>
  withPage(
    async (page) => {
      await say(page, 'two things');
      const card = waits(page).nth(1);
      await card.waitFor();
      await card.scrollIntoViewIfNeeded();
      const body = card.locator('.body');
      assert.ok(await body.evaluate((e) => e.scrollHeight > e.clientHeight + 100), 'the body scrolls inside');
      assert.ok((await allow(card).boundingBox()).y < 860);
      assert.match(await body.innerText(), /line 120 of a long command/);
    },
    { context: { viewport: { width: 900, height: 500 } } },
  ));

test('a refused answer is said, and the card can be answered again', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    const ask = [...host.asks.values()][0];
    const digest = ask.digest;
    ask.digest = 'changed behind the page';
    await allow(waits(page)).click();
    await waits(page).getByText('what is shown').or(waits(page).getByText('what was shown')).waitFor();
    ask.digest = digest;
    await allow(waits(page)).click();
    await page.getByText('The file is changed.').waitFor();
  }));

test('settled by another client, the card says so and offers nothing', () =>
  withPage(async (page, host) => {
    await say(page, 'question please');
    await waits(page).waitFor();
    host.settle([...host.asks.keys()][0], { state: 'expired', by: 'expiry' });
    await page.getByText('No answer in time').waitFor();
    assert.equal(await waits(page).count(), 0);
  }));

test('a request survives a cut; a lost answer can be given again', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    host.cut();
    await host.heard('ready', 2);
    await waits(page).waitFor();
    await allow(waits(page)).click();
    await page.getByText('The file is changed.').waitFor();
    assert.equal(host.count('answer'), 1);
  }));

test('orphaned by a crash, a request can be resumed and asked again', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    host.agentDied();
    await page.getByText('The agent is starting: it stopped and is started again.').waitFor();
    await waits(page).getByText('The agent stopped before an answer').waitFor();
    assert.equal(await page.title(), '(1) parlance');
    assert.equal(await allow(waits(page)).count(), 0);
    assert.equal(await waits(page).locator('.why').count(), 2, 'why it was asked, and what has become of it');
    await shot(page, 'orphaned');
    await waits(page).getByRole('button', { name: 'Resume and ask again' }).click();
    await allow(waits(page)).click();
    await page.getByText('The file is changed.').waitFor();
    assert.equal(await page.locator('.banner').count(), 0);
  }));

test('questions: several kinds, own words, declining', () =>
  withPage(async (page, host) => {
    await say(page, 'question please');
    const card = waits(page);
    await card.getByLabel('Fuzzing').check();
    await card.getByLabel('Unit tests').check();
    await card.getByRole('textbox', { name: 'Your own answer' }).first().fill('a text file');
    await card.getByText('One question').waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Send answers' }).click();
    assert.deepEqual((await host.heard('answer')).answers, [['a text file'], ['Unit tests', 'Fuzzing']]);
    await page.getByText('You said:').waitFor();
    await say(page, 'question again');
    await card.getByRole('button', { name: 'Decline to answer' }).click();
    await page.getByText('You declined.').waitFor();
    await page.getByText('Declined to answer by you').waitFor();
  }));

test('a choice in the first moment of a card stays, also after a look at another conversation', () =>
  withPage(async (page, host) => {
    await say(page, 'question please');
    const card = waits(page);
    await card.getByLabel('Fuzzing').waitFor();
    await card.evaluate(async (element) => {
      element.dispatchEvent(new Event('handed-over')); // the moment begins
      while (!element.classList.contains('arming')) await new Promise(requestAnimationFrame);
      for (const input of element.querySelectorAll('input[type=checkbox]'))
        if (input.closest('label')?.textContent.startsWith('Fuzzing')) input.click();
      const other = element.querySelector('input.other');
      other.value = 'a text file';
      other.dispatchEvent(new Event('input', { bubbles: true }));
      element.querySelector('form').requestSubmit();
    });
    assert.equal(host.count('answer'), 0);
    await page.getByRole('button', { name: /^New conversation/ }).click();
    await page.locator('.conv', { hasText: 'question please' }).click();
    assert.equal(await card.getByLabel('Fuzzing').isChecked(), true);
    await card.getByRole('button', { name: 'Send answers' }).click();
    assert.deepEqual((await host.heard('answer')).answers, [['a text file'], ['Fuzzing']]);
  }));

test('a choice and own words stay during a lost connection, and are sent after its return', () =>
  withPage(async (page, host) => {
    await say(page, 'question please');
    const card = waits(page);
    await card.getByLabel('Fuzzing').waitFor();
    host.available = false;
    host.cut();
    await eventually(
      async () => (await card.getByRole('button', { name: 'Send answers' }).getAttribute('aria-disabled')) === 'true',
      'answers are not sent',
    );
    await card.getByLabel('Fuzzing').check();
    await card.getByRole('textbox', { name: 'Your own answer' }).first().fill('a text file');
    host.available = true;
    await page
      .getByRole('button', { name: 'Try now' })
      .click()
      .catch(() => {}); // the connection may return before the click
    await host.heard('ready', 2);
    await card.getByRole('button', { name: 'Send answers', disabled: false }).click();
    assert.deepEqual((await host.heard('answer')).answers, [['a text file'], ['Fuzzing']]);
  }));

test('at 280 × 600 a long line of a change wraps, and a question shows a whole option', () =>
  withPage(
    async (page, host) => {
      await say(page, 'question please');
      const card = waits(page);
      await card.locator('.option').first().waitFor();
      const bar = await card.locator('.bar').boundingBox();
      const option = await card.locator('.option').first().boundingBox();
      assert.ok(
        option.y >= 0 && option.y + option.height <= bar.y && bar.y + bar.height <= 600,
        `the option is above the buttons: ${JSON.stringify([option, bar])}`,
      );
      await shot(page, 'narrow-question');
      const id = host.addConversation({ title: 'narrow' });
      void host.ask(id, {
        kind: 'permission',
        tool: 'edit_file',
        title: 'a.txt',
        why: 'w',
        diff: { path: 'a.txt', before: `${'same '.repeat(60)}old\n`, after: `${'same '.repeat(60)}new\n` },
        options: [{ id: 'y', label: 'Allow once', kind: 'allow_once', dangerous: false }],
      });
      await page.getByRole('button', { name: /^Show conversations/ }).click();
      await page.locator('.conv', { hasText: 'narrow' }).click();
      const mark = waits(page).locator('.diff .add mark').last();
      await mark.waitFor();
      const box = await mark.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 280, `the changed word is in view: ${JSON.stringify(box)}`);
    },
    { context: { viewport: { width: 280, height: 600 } } },
  ));

test('a request in another conversation is announced, counted, and a press away', () =>
  withPage(async (page, host) => {
    await say(page, 'edit it');
    await waits(page).waitFor();
    await page.getByRole('button', { name: /^New conversation/ }).click();
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    assert.equal(await waits(page).count(), 0);
    await page.locator('.conv', { hasText: 'edit it' }).getByText('waiting for you').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Waiting for you 1' }).click();
    await eventually(() => waits(page).evaluate((e) => e === document.activeElement), 'the card has the focus');
    assert.equal(
      await waits(page).evaluate((e) => getComputedStyle(e).outlineStyle),
      'solid',
      'which is to be seen, as its keys count now',
    );
    await page.keyboard.press('y');
    await page.getByText('Nothing waits for you.').waitFor();
    await page.locator('.conv', { hasText: 'edit it' }).click();
    await page.getByText('The file is changed.').waitFor();
    assert.equal(host.count('answer'), 1);
  }));

test('screen readers: requests are announced, the card and its tools have names', () =>
  withPage(async (page) => {
    await say(page, 'edit it');
    await page.getByRole('group', { name: 'Edit file tests/reconnect_test.cpp' }).waitFor();
    await eventually(
      async () =>
        (await page.locator('[aria-live=assertive]').innerText()) === 'Approval needed: tests/reconnect_test.cpp',
      'it is announced',
    );
    await page.getByRole('toolbar', { name: 'Decide' }).waitFor();
    await page.getByRole('region', { name: 'Changes to tests/reconnect_test.cpp' }).waitFor();
    await page.getByRole('log', { name: 'Transcript' }).waitFor();
  }));
