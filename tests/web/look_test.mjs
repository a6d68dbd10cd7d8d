// SPDX-License-Identifier: Apache-2.0
// Conversations, settings, sizes and colours.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { contrast_faults } from './contrast.mjs';
import { close_browser, composer, eventually, say, shot, waits, with_page } from './page.mjs';
import { AFTER, BEFORE } from './scripts.mjs';

after(close_browser);
const HOUR = 3_600_000;
const ago = (ms) => new Date(Date.now() - ms).toISOString();

/** The page of a person on a good day. */
function furnish(host) {
  host.agents[0].name = 'Rehearsal';
  host.add_conversation({ title: '整理发布说明', agent: 'claude', folder: '/home/ann/code/site', updated_at: ago(26 * HOUR) });
  host.add_conversation({ title: 'Which orders have no customer?', updated_at: ago(1.2 * HOUR) });
  host.update(host.add_conversation({ title: 'Explain the codec benchmarks', updated_at: ago(140_000) }), { state: 'running' });
  const id = host.add_conversation({ title: 'Fix the flaky reconnect test', agent: 'claude', model: 'opus' });
  host.add_rule('Read files in ~/code/engine');
  host.emit(id,
    { kind: 'turn_start', turn: 't' }, { kind: 'user_message', turn: 't', text: 'The reconnect test fails one time in fifty. Find out why and fix it.' },
    { kind: 'thinking_start' }, { kind: 'thinking_content', text: 'Two timers race.' }, { kind: 'thinking_end', duration_ms: 12_000 },
    { kind: 'text', text: 'The test waits 50 ms for the peer to come back. The peer waits for its own back-off first, which starts at 40 ms and has jitter, so the two race. I would wait for the `ready` event instead of the clock.' },
    { kind: 'tool_start', call: 'r', tool: 'read', title: 'tests/reconnect_test.cpp, and 3 more', input: {} }, { kind: 'tool_end', call: 'r', state: 'done' },
    { kind: 'plan', entries: [['Reproduce the failure', 'completed'], ['Wait for the event, not the clock', 'in_progress'], ['Run it 200 times', 'pending']].map(([content, status]) => ({ content, status, priority: 'medium' })) },
    { kind: 'usage', input_tokens: 18_000, output_tokens: 204, cost: { amount: 0.11, currency: 'USD' } },
    { kind: 'tool_start', call: 'e', tool: 'edit', title: 'tests/reconnect_test.cpp', input: {} });
  const options = (always) => [{ id: 'y', label: 'Allow once', kind: 'allow_once', dangerous: false }, { id: 'a', label: always, kind: 'allow_always', dangerous: false }, { id: 'n', label: 'Reject', kind: 'reject_once', dangerous: false }];
  host.ask(id, { kind: 'permission', call: 'e', tool: 'edit', title: 'tests/reconnect_test.cpp', why: 'Claude Code wants to change a file in ~/code/engine.', diff: { path: 'tests/reconnect_test.cpp', before: BEFORE, after: AFTER }, options: options('Always edits in tests/') });
  host.ask(id, { kind: 'permission', tool: 'run', title: 'ctest --test-dir build -R reconnect --repeat until-fail:200', why: 'Claude Code wants to run a command in ~/code/engine.', options: options('Always ctest here') });
  return id;
}

for (const colorScheme of ['light', 'dark']) {
  test(`a good day, ${colorScheme}`, () => with_page(async (page) => {
    await page.locator('.conv', { hasText: 'Fix the flaky' }).click();
    await waits(page).nth(1).waitFor();
    const groups = await page.locator('.group').allInnerTexts();
    assert.equal(groups[0], '~/code/engine · today');
    assert.match(groups.at(-1), /^~\/code\/site · /);
    await page.locator('.conv', { hasText: 'Explain' }).getByText('running').waitFor({ state: 'attached' });
    await shot(page, colorScheme);
    // readable text: WCAG AA for all words
    const poor = await page.evaluate(contrast_faults);
    assert.deepEqual(poor, []);
  }, { prepare: furnish, context: { colorScheme } }));
}

for (const [name, width, height] of [['phone', 390, 844], ['narrow', 280, 600], ['tablet', 900, 700]]) {
  test(`nothing is cut off at ${width} px`, () => with_page(async (page) => {
    if (width <= 720) await page.getByRole('button', { name: /^Show conversations/ }).click();
    await shot(page, `${name}-list`);
    await page.locator('.conv', { hasText: 'Fix the flaky' }).click();
    await waits(page).nth(1).waitFor();
    await shot(page, name);
    assert.equal(await page.locator('aside').isVisible(), false);
    assert.equal(await page.locator('.plan-line summary').innerText().then((text) => text.replace(/\s+/g, ' ')), 'Plan 1 of 3 done Wait for the event, not the clock');
    assert.deepEqual(await page.evaluate(() => (document.documentElement.scrollWidth <= innerWidth ? []
      : [...document.querySelectorAll('#app *')].filter((e) => e.getBoundingClientRect().right > innerWidth && !e.closest('.diff, pre')).map((e) => e.className))), [], 'no sideways scrolling of the page');
    for (const one of await page.locator('.settings > *, .send > *').all()) {
      const box = await one.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${await one.innerText()} is in view: ${JSON.stringify(box)}`);
    }
    // The request and its answers are visible together.
    const card = waits(page).first();
    await card.locator('.bar').evaluate((bar) => bar.scrollIntoView({ block: 'end' }));
    const bar = await card.locator('.bar').boundingBox();
    for (const line of await card.locator('.diff .add, .diff .del').all()) {
      const box = await line.boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= bar.y, `the change is above the buttons: ${box.y}, ${bar.y}`);
    }
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Plan, usage and permissions', exact: true }).click();
    await page.locator('aside').getByText('Read files in').waitFor();
    await shot(page, `${name}-details`);
    const box = await page.locator('aside').boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= width, 'the column is in view');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('aside').isVisible(), false);
    for (const button of await waits(page).first().locator('.bar button').all()) {
      await button.scrollIntoViewIfNeeded();
      const box = await button.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${await button.innerText()} is in view`);
      if (width <= 720) assert.ok(box.height >= 44, `${await button.innerText()} is large enough for a thumb: ${box.height}`);
    }
  }, { prepare: furnish, context: { viewport: { width, height }, colorScheme: 'light' } }));
}

test('forced colours keep states apart', () => with_page(async (page) => {
  await page.locator('.conv', { hasText: 'Fix the flaky' }).click();
  await waits(page).nth(1).waitFor();
  await shot(page, 'forced-colors');
  const dots = await page.locator('.dot').evaluateAll((all) => all.map((e) => getComputedStyle(e).backgroundColor));
  assert.equal(new Set(dots).size, 3);
}, { prepare: furnish, context: { forcedColors: 'active' } }));

test('a new conversation gets the chosen agent, folder and mode', () => with_page(async (page, host) => {
  await shot(page, 'new');
  await page.getByLabel('Agent').selectOption('claude');
  await page.getByLabel('Folder', { exact: true }).fill('/home/ann/code/site');
  await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('plan');
  await say(page, 'hello there');
  const { agent, folder, mode } = await host.heard('new');
  assert.deepEqual({ agent, folder, mode }, { agent: 'claude', folder: '/home/ann/code/site', mode: 'plan' });
  await page.getByText('This is scripted.').waitFor();
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'hello there');
  await page.locator('.group', { hasText: '~/code/site · today' }).waitFor();
}));

test('mode, model and thinking are set for this conversation', () => with_page(async (page, host) => {
  await page.locator('.conv').click();
  await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('autoEdit');
  await page.getByText('From here on: edits without asking').waitFor();
  await page.getByRole('combobox', { name: 'Model' }).selectOption('sonnet');
  await page.getByRole('button', { name: 'think', exact: true }).click();
  await eventually(() => page.getByRole('button', { name: 'think', exact: true }).getAttribute('aria-pressed').then((v) => v === 'true'), 'thinking is on');
  const { mode, model, think } = [...host.conversations.values()][0].conversation;
  assert.deepEqual({ mode, model, think }, { mode: 'autoEdit', model: 'sonnet', think: true });
}, { prepare: (host) => { host.add_conversation({ title: 'settings', agent: 'claude' }); } }));

test('rename, and delete only after asking', () => with_page(async (page, host) => {
  await page.locator('.conv').click();
  await page.locator('.menu summary').click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('A better name');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A better name' }).waitFor();
  await page.locator('.menu summary').click();
  await page.locator('.menu').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  assert.equal(host.conversations.size, 1);
  await page.locator('.menu summary').click();
  await page.locator('.menu').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await eventually(() => host.conversations.size === 0, 'deleted');
  await page.getByText('What should we work on?').waitFor();
}, { prepare: (host) => { host.add_conversation({ title: 'old name' }); } }));

test('Alt N begins a conversation, also while writing, and no letter by itself does', () => with_page(async (page) => {
  await page.locator('.conv').click();
  await page.evaluate(() => document.activeElement.blur());
  for (const key of ['n', '?', 'N']) await page.keyboard.press(key);
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(await page.locator('.conv.on').count(), 1);
  await composer(page).pressSequentially('n');
  assert.equal(await composer(page).inputValue(), 'n');
  await page.keyboard.press('Alt+n');
  await page.getByText('What should we work on?').waitFor();
  assert.equal(await composer(page).inputValue(), '');
}, { prepare: (host) => { host.add_conversation({ title: 'one' }); } }));
