// SPDX-License-Identifier: Apache-2.0
// What waits for a person: shown, counted, answered exactly once, by mouse and keyboard, across cuts and crashes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_browser, composer, eventually, say, shot, waits, with_page } from './page.mjs';

after(close_browser);
const allow = (card) => card.getByRole('button', { name: /^Allow once/ });

test('a card takes no answer in its first moment', () => with_page(async (page, host) => {
  await page.evaluate(() => {  // presses and keys that were meant for what stood here before
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

test('several are all visible, counted, and answered in turn', () => with_page(async (page, host) => {
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

test('a request answered elsewhere names the place, and a request of a program says so', () => with_page(async (page, host) => {
  await say(page, 'edit it');
  await waits(page).waitFor();
  host.update([...host.conversations.keys()][0], { via: 'http' });
  await waits(page).getByText('for a program, over HTTP').waitFor();
  await page.locator('header .via').waitFor();
  await shot(page, 'via');
  const ask = [...host.asks.values()][0];
  host.settle(ask.id, { state: 'answered', chosen: ask.options.find((one) => one.kind === 'reject_once').id, by: 'terminal' });
  await page.getByText('Rejected in the terminal.').waitFor();
  assert.equal(host.count('answer'), 0);
}));

test('a double click answers once, and not the next card', () => with_page(async (page, host) => {
  await say(page, 'two things');
  await waits(page).nth(1).waitFor();
  await allow(waits(page).first()).dblclick();
  await eventually(async () => (await waits(page).count()) === 1, 'one is left');
  await page.locator('.card.tool.done').waitFor();
  assert.equal(host.count('answer'), 1);
}));

test('a second press during an answer has no effect', () => with_page(async (page, host) => {
  await say(page, 'edit it');
  await waits(page).waitFor();
  await page.evaluate(() => {  // four presses before the host can have answered one
    const card = document.querySelector('[data-ask]');
    const button = [...card.querySelectorAll('button')].find((b) => b.textContent.startsWith('Allow'));
    for (let i = 0; i < 3; ++i) button.click();
    card.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
  });
  await page.getByText('The file is changed.').waitFor();
  assert.equal(host.count('answer'), 1);
}));

test('y, a and n count only while the card has the focus', () => with_page(async (page, host) => {
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
  await eventually(() => page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'), 'focus goes to the composer');
  await page.getByRole('button', { name: 'Revoke: Edits in ~/code/engine/tests' }).click();
  await page.getByText('None. Your “always” answers', { exact: false }).waitFor();
}));

test('the focus moves from a settled card to the next', () => with_page(async (page) => {
  await say(page, 'two things');
  await waits(page).nth(1).waitFor();
  await waits(page).first().focus();
  await page.keyboard.press('y');
  await eventually(async () => (await waits(page).count()) === 1, 'one is left');
  await eventually(() => waits(page).first().evaluate((e) => e === document.activeElement), 'the next card has the focus');
  await page.keyboard.press('n');
  await page.getByText('Both decided.').waitFor();
}));

test('arrow keys walk along the buttons', () => with_page(async (page) => {
  await say(page, 'edit it');
  await allow(waits(page)).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Reject with a note');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^Reject n/);
}));

test('buttons stay in view below a long command, readable to its end', () => with_page(async (page) => {
  await say(page, 'two things');
  const card = waits(page).nth(1);
  await card.waitFor();
  await card.scrollIntoViewIfNeeded();
  const body = card.locator('.body');
  assert.ok(await body.evaluate((e) => e.scrollHeight > e.clientHeight + 100), 'the body scrolls inside');
  assert.ok((await allow(card).boundingBox()).y < 860);
  assert.match(await body.innerText(), /line 120 of a long command/);
}, { context: { viewport: { width: 900, height: 500 } } }));

test('a refused answer is said, and the card can be answered again', () => with_page(async (page, host) => {
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

test('settled by another client, the card says so and offers nothing', () => with_page(async (page, host) => {
  await say(page, 'question please');
  await waits(page).waitFor();
  host.settle([...host.asks.keys()][0], { state: 'expired', by: 'expiry' });
  await page.getByText('No answer in time').waitFor();
  assert.equal(await waits(page).count(), 0);
}));

test('a request survives a cut; a lost answer can be given again', () => with_page(async (page, host) => {
  await say(page, 'edit it');
  await waits(page).waitFor();
  host.cut();
  await host.heard('ready', 2);
  await waits(page).waitFor();
  await allow(waits(page)).click();
  await page.getByText('The file is changed.').waitFor();
  assert.equal(host.count('answer'), 1);
}));

test('orphaned by a crash, a request can be resumed and asked again', () => with_page(async (page, host) => {
  await say(page, 'edit it');
  await waits(page).waitFor();
  host.agent_died();
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

test('questions: several kinds, own words, declining', () => with_page(async (page, host) => {
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

test('a choice in the first moment of a card stays, also after a look at another conversation', () => with_page(async (page, host) => {
  await say(page, 'question please');
  const card = waits(page);
  await card.getByLabel('Fuzzing').waitFor();
  await card.evaluate(async (element) => {
    element.dispatchEvent(new Event('handed-over'));  // the moment begins
    while (!element.classList.contains('arming')) await new Promise(requestAnimationFrame);
    for (const input of element.querySelectorAll('input[type=checkbox]')) if (input.closest('label')?.textContent.startsWith('Fuzzing')) input.click();
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

test('hidden characters of a command, a change and a label have marks', () => with_page(async (page, host) => {
  const id = host.add_conversation({ title: 'hidden' });
  await page.locator('.conv', { hasText: 'hidden' }).click();
  const options = [{ id: 'y', label: 'Allow\u202e once', kind: 'allow_once', dangerous: false }, { id: 'n', label: 'Reject', kind: 'reject_once', dangerous: false }];
  void host.ask(id, { kind: 'permission', tool: 'run_command', title: 'echo safe # \u202e\' x/ fr- mr ;\' mr', detail: 'echo safe # \u202e\' x/ fr- mr ;\' mr\nls\u{e0041}', why: 'w', options });
  void host.ask(id, { kind: 'permission', tool: 'edit_file', title: 'a\u202etxt.hs', why: 'w', diff: { path: 'a\u202etxt.hs', before: 'x\n', after: 'x\u200b\n' }, options });
  await waits(page).nth(1).waitFor();
  const [command, change] = [waits(page).first(), waits(page).nth(1)];
  assert.equal(await command.locator('.detail').innerText(), 'echo safe # ⟨U+202E⟩\' x/ fr- mr ;\' mr\nls⟨U+E0041⟩');
  assert.equal(await change.locator('.sum').innerText(), 'a⟨U+202E⟩txt.hs');
  await change.locator('.diff .add').getByText('⟨U+200B⟩').waitFor();
  await command.getByRole('button', { name: 'Allow⟨U+202E⟩ once' }).waitFor();
  for (const card of [command, change]) assert.doesNotMatch(await card.evaluate((e) => e.outerHTML), /[\u202e\u200b]/, 'nothing hidden is left');
  await shot(page, 'hidden');
}));

test('a request in another conversation is announced, counted, and a press away', () => with_page(async (page, host) => {
  await say(page, 'edit it');
  await waits(page).waitFor();
  await page.getByRole('button', { name: /^New conversation/ }).click();
  await say(page, 'hello');
  await page.getByText('This is scripted.').waitFor();
  assert.equal(await waits(page).count(), 0);
  await page.locator('.conv', { hasText: 'edit it' }).getByText('waiting for you').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Waiting for you 1' }).click();
  await eventually(() => waits(page).evaluate((e) => e === document.activeElement), 'the card has the focus');
  assert.equal(await waits(page).evaluate((e) => getComputedStyle(e).outlineStyle), 'solid', 'which is to be seen, as its keys count now');
  await page.keyboard.press('y');
  await page.getByText('Nothing waits for you.').waitFor();
  await page.locator('.conv', { hasText: 'edit it' }).click();
  await page.getByText('The file is changed.').waitFor();
  assert.equal(host.count('answer'), 1);
}));

test('screen readers: requests are announced, the card and its tools have names', () => with_page(async (page) => {
  await say(page, 'edit it');
  await page.getByRole('group', { name: 'Edit file tests/reconnect_test.cpp' }).waitFor();
  await eventually(async () => (await page.locator('[aria-live=assertive]').innerText()) === 'Approval needed: tests/reconnect_test.cpp', 'it is announced');
  await page.getByRole('toolbar', { name: 'Decide' }).waitFor();
  await page.getByRole('region', { name: 'Changes to tests/reconnect_test.cpp' }).waitFor();
  await page.getByRole('log', { name: 'Transcript' }).waitFor();
}));
