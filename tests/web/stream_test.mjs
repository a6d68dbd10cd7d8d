// SPDX-License-Identifier: Apache-2.0
// The transcript while it grows: markdown, safety, tools, queue, stop, errors, scrolling.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, sendDraft, shot, withPage } from './page.mjs';

after(closeBrowser);

test('markdown becomes blocks, code gets colours, links open outside', () =>
  withPage(async (page) => {
    await say(page, 'answer me');
    await page.locator('.code .hljs-comment').waitFor();
    assert.equal(await page.locator('.code figcaption span').innerText(), 'cpp');
    assert.equal(await page.locator('.md table td').first().innerText(), 'before');
    const link = page.getByRole('link', { name: 'this note' });
    assert.deepEqual(
      [
        await link.getAttribute('href'),
        await link.getAttribute('target'),
        await link.getAttribute('rel'),
        await link.getAttribute('title'),
      ],
      ['https://example.org/note', '_blank', 'noopener noreferrer', 'https://example.org/note'],
    );
    await shot(page, 'answer');
  }));

test('text of a model is never run or fetched', () =>
  withPage(async (page) => {
    await say(page, 'hostile');
    await page.getByText('image: tracker').waitFor();
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator('.md :is(script, img, iframe, style, [onclick], [style])').count(), 0);
    assert.match(await page.locator('.md').innerText(), /<script>window\.pwned = 1<\/script>/);
    assert.deepEqual(await page.locator('.md a').evaluateAll((all) => all.map((a) => a.getAttribute('href'))), [
      'https://tracker.invalid/pixel.png',
    ]);
  }));

test('closed blocks are frozen: streaming on leaves their nodes alone', () =>
  withPage(async (page, host) => {
    const id = host.addConversation({ title: 'stream' });
    await page.locator('.conv').click();
    host.emit(id, { kind: 'text', text: 'One.\n\nTwo.\n\n```js\nlet a = 1;\n' });
    await page.locator('.tail .code').waitFor();
    await page.evaluate(() => {
      window.first = document.querySelector('.md .block');
      window.code = document.querySelector('.md .code');
    });
    for (let i = 0; i < 60; ++i) host.emit(id, { kind: 'text', text: `let b${i} = ${i};\n` });
    await page.getByText('let b59 = 59;').waitFor();
    assert.equal(await page.locator('.tail .hljs-keyword').count(), 0, 'plain while it streams');
    host.emit(id, { kind: 'text', text: '```\nThree' });
    await page.locator('.code .hljs-keyword').first().waitFor();
    assert.ok(
      await page.evaluate(
        () =>
          window.first === document.querySelector('.md .block') && window.code === document.querySelector('.md .code'),
      ),
    );
    assert.equal(await page.locator('.tail').innerText(), 'Three');
    assert.equal(await page.locator('.tail').getAttribute('aria-live'), 'off');
  }));

test('tool output is bounded, without escape sequences, and can be shown whole', () =>
  withPage(async (page) => {
    await say(page, 'run it');
    const card = page.locator('.card.tool.failed');
    await card.getByText('failed').waitFor();
    const lines = async () => (await card.locator('.output pre').innerText()).split('\n');
    assert.equal((await lines()).length, 40);
    assert.equal((await lines())[0], 'ok start');
    await card.getByRole('button', { name: 'Show all 100 lines' }).click();
    assert.equal((await lines()).length, 100);
    await card.locator('summary').click();
    await card.locator('.input').getByText('"command": "ctest"').waitFor();
  }));

test('a diff has line numbers, signs and word marks', () =>
  withPage(async (page) => {
    await say(page, 'edit it');
    const rows = page.locator('[data-ask] .diff .rows > div');
    await rows.first().waitFor();
    assert.deepEqual(await page.locator('[data-ask] .counts [aria-hidden]').allInnerTexts(), ['+2', '−1']);
    const del = page.locator('[data-ask] .diff .del');
    assert.deepEqual([await del.locator('.n').innerText(), await del.locator('.sign').innerText()], ['42', '−']);
    assert.ok((await page.locator('[data-ask] .diff mark').count()) >= 2);
  }));

test('a message during a turn is queued, shown, and can be withdrawn', () =>
  withPage(async (page, host) => {
    await say(page, 'slowly now');
    await page.getByText('First part,').waitFor();
    await say(page, `hello one${', and on'.repeat(100)}`);
    await say(page, 'hello two');
    await page.getByRole('list', { name: 'Queued prompts' }).getByText('hello two').waitFor();
    await shot(page, 'queued');
    const withdraw = page.locator('.queued li', { hasText: 'hello one' }).getByRole('button', { name: 'Withdraw' });
    const box = await withdraw.boundingBox();
    assert.ok(box.x + box.width <= (await page.evaluate(() => innerWidth)), 'it is in view beside a long text');
    await withdraw.click();
    await eventually(async () => (await page.locator('.queued li').count()) === 1, 'one is left');
    host.release('second');
    host.release('third');
    await page.getByText('This is scripted.').waitFor();
    assert.deepEqual(await page.locator('.me').allInnerTexts(), ['slowly now', 'hello two']);
    assert.equal(await page.locator('.queued').count(), 0);
  }));

test('a stop holds the queue, says so, and resumes', () =>
  withPage(async (page, host) => {
    await say(page, 'slowly now');
    await page.getByText('First part,').waitFor();
    await say(page, 'hello one');
    await page.locator('.queued li').waitFor();
    assert.equal(await page.locator('.held').count(), 0, 'it goes on by itself');
    await page.keyboard.press('Escape');
    await page.locator('.held').getByText('Held back').waitFor();
    await shot(page, 'held');
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('This is scripted.').waitFor();
    assert.equal(await page.locator('.held, .queued').count(), 0);
    assert.equal(host.count('go_on'), 1);
  }));

test('a turn without visible progress shows that the agent works', () =>
  withPage(async (page, host) => {
    await say(page, 'silent please');
    await page.getByText(/^Working… \d+ s$/).waitFor();
    await shot(page, 'working');
    host.release('spoken');
    await page.getByText('At last.').waitFor();
    await eventually(async () => (await page.locator('.working').count()) === 0, 'it is done');
  }));

test('a waiting turn shows the reason and the duration, also during a call', () =>
  withPage(async (page, host) => {
    await say(page, 'silent please');
    await page.getByText(/^Working… \d+ s$/).waitFor();
    const id = [...host.conversations.keys()][0];
    host.emit(id, { kind: 'tool_start', call: 'c', tool: 'run', title: 'make', input: {} });
    await eventually(async () => (await page.locator('.working').count()) === 0, 'the call says that it runs');
    host.update(id, { waits_for: 'a free slot at the agent' });
    await page.getByText(/^Waits for a free slot at the agent… \d+ s$/).waitFor();
    await shot(page, 'waits_for');
    host.update(id, { waits_for: 'model.retry 7 2 5' });
    await page.getByText(/^Retrying in \d+ s \(2 of 5\)$/).waitFor();
    host.update(id, { waits_for: 'model.silent 15' });
    await page.getByText(/no data for 1[5-9] s|no data for [2-9]\d s/i).waitFor();
    await page.getByRole('button', { name: /^Stop/ }).first().waitFor();
    host.update(id, { waits_for: undefined });
    await eventually(async () => (await page.locator('.working').count()) === 0, 'it goes on');
    host.emit(id, { kind: 'tool_end', call: 'c', state: 'done' });
    host.release('spoken');
    await page.getByText('At last.').waitFor();
  }));

test('an unsupported attachment is reported, without a retry button', () =>
  withPage(
    async (page, host) => {
      await page.locator('.conv').click();
      await page.getByText('could not be shown').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
      host.emit(
        [...host.conversations.keys()][0],
        { kind: 'turn_start', turn: 'u' },
        { kind: 'error', code: 'failed', message: 'no', detail: '', retryable: false },
        { kind: 'turn_end', turn: 'u', stop_reason: 'error', duration_ms: 1 },
      );
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
    {
      prepare: (host) => {
        host.addConversation({
          title: 'blind',
          events: [
            { kind: 'turn_start', turn: 't' },
            { kind: 'user_message', turn: 't', text: 'look' },
            { kind: 'text', text: 'I do not see it.' },
            {
              kind: 'error',
              code: 'not_shown',
              message: 'The model could not be shown 1 of 1 attachments.',
              detail: '',
              retryable: false,
            },
            { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
          ],
        });
      },
    },
  ));

test('a long message is folded, and opens', () =>
  withPage(async (page) => {
    const lines = Array.from({ length: 60 }, (_, i) => `hello line ${i + 1}`);
    await say(page, lines.join('\n'));
    await page.getByRole('button', { name: 'Show all 60 lines' }).click();
    await page.getByText('hello line 60').waitFor();
    await page.getByRole('button', { name: 'Show less' }).click();
    assert.equal(await page.getByText('hello line 60').count(), 0);
  }));

test('code quoted from a terminal has no escapes', () =>
  withPage(
    async (page) => {
      await page.locator('.conv').click();
      await page.locator('.code').waitFor();
      assert.equal(await page.locator('.code code').textContent(), 'red\n');
    },
    {
      prepare: (host) => {
        host.addConversation({
          title: 'colours',
          events: [
            { kind: 'turn_start', turn: 't' },
            { kind: 'text', text: '```\n\x1b[31mred\x1b[0m\n```\n' },
            { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
          ],
        });
      },
    },
  ));

test('Esc stops: the partial answer stays with its end', () =>
  withPage(async (page, host) => {
    await say(page, 'slowly now');
    await page.getByText('First part,').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/^Stopped by you, after [\d.]+ s\.$/).waitFor();
    await page.getByText('First part,').waitFor();
    assert.equal(host.count('stop'), 1);
    await page.keyboard.press('Escape');
    assert.equal(host.count('stop'), 1, 'nothing runs: nothing to stop');
    await say(page, 'slowly again');
    await page.getByRole('button', { name: 'Stop' }).click();
    await host.heard('stop', 2);
  }));

test('an error is a card with a retry', () =>
  withPage(async (page, host) => {
    await say(page, 'error please');
    const card = page.locator('.card.error');
    await card.getByText('The model is overloaded.').waitFor();
    await shot(page, 'error');
    await card.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => (await card.count()) === 2, 'the same prompt, the same error');
    assert.deepEqual(
      host.received.filter((m) => m.type === 'prompt').map((m) => m.text),
      ['error please', 'error please'],
    );
  }));

test('a running answer has a cursor after its last words, and a finished answer has its time', () =>
  withPage(
    async (page, host) => {
      const id = host.addConversation({
        title: 'running',
        state: 'running',
        events: [
          { kind: 'turn_start', turn: 't', time: '2026-03-04T10:00:00Z' },
          { kind: 'user_message', turn: 't', text: 'go', time: '2026-03-04T10:00:00Z' },
          { kind: 'text', text: 'Two points:\n\n- one\n- and the second', time: '2026-03-04T10:01:00Z' },
        ],
      });
      await page.locator('.conv', { hasText: 'running' }).click();
      await page.locator('.answer li:last-child .cursor').waitFor();
      assert.equal(await page.locator('.cursor').count(), 1);
      assert.equal(await page.locator('.answer time').count(), 0);
      host.emit(id, { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 });
      await page.locator('.answer time').waitFor();
      assert.equal(await page.locator('.cursor').filter({ visible: true }).count(), 0);
      assert.deepEqual(
        await page.locator('time').evaluateAll((all) => all.map((one) => [one.dateTime, one.textContent.trim()])),
        [
          ['2026-03-04T10:00:00Z', 'Mar 4 · 10:00'],
          ['2026-03-04T10:01:00Z', 'Mar 4 · 10:01'],
        ],
      );
    },
    { context: { timezoneId: 'UTC' } },
  ));

test('the view follows the end only for a reader at the end', () =>
  withPage(async (page, host) => {
    const id = host.addConversation({
      title: 'long',
      events: Array.from({ length: 40 }, (_, i) => [
        { kind: 'user_message', turn: 't', text: `question ${i}` },
        { kind: 'text', text: `A long enough answer number ${i}.\n\nWith two paragraphs.` },
      ]).flat(),
    });
    await page.locator('.conv').click();
    const scroller = page.locator('.scroll');
    const distance = () => scroller.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop);
    await eventually(
      async () => (await page.getByText('answer number 39').count()) === 1 && (await distance()) < 2,
      'opened at its end',
    );
    host.emit(id, { kind: 'text', text: '\n\nMore.\n\nAnd more.' });
    await page.getByText('And more.').waitFor();
    await eventually(async () => (await distance()) < 2, 'followed');

    await scroller.evaluate((e) => {
      e.scrollTop -= 900;
    });
    await eventually(async () => (await distance()) > 200, 'scrolled up');
    const read = page.getByText('answer number 34');
    let y = NaN; // rows that come into view take their real height: wait until they have
    await eventually(async () => {
      const before = y;
      y = (await read.boundingBox()).y;
      return y === before;
    }, 'the view is at rest');
    host.emit(id, ...Array.from({ length: 10 }, (_, i) => ({ kind: 'text', text: `\n\nStill more ${i}.` })));
    await page.getByRole('button', { name: 'To the end' }).waitFor();
    host.emit(
      id,
      { kind: 'user_message', turn: 'later', text: 'And this?' },
      { kind: 'text', text: 'A later answer.' },
    );
    const down = page.getByRole('button', { name: '2 new entries' });
    await down.waitFor();
    assert.ok(Math.abs((await read.boundingBox()).y - y) < 2, 'what is read does not move');
    await shot(page, 'new-output');
    await down.click();
    await eventually(async () => (await distance()) < 2, 'back at the end');
    assert.equal(await page.locator('.new-output').count(), 0);
  }));

test('typing goes to the composer during any stream, drafts survive a reload, Enter of an input method sends nothing', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    await composer(page).pressSequentially('half a thought');
    await composer(page).press('Shift+Enter');
    await composer(page).pressSequentially('second line');
    await composer(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    await composer(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
    assert.equal(host.count('prompt'), 1);
    await page.reload();
    await page.getByText('This is scripted.').waitFor();
    assert.equal(await composer(page).inputValue(), 'half a thought\nsecond line');
    await sendDraft(page);
    assert.equal((await host.heard('prompt', 2)).text, 'half a thought\nsecond line');
    assert.equal(await composer(page).inputValue(), '');
  }));
