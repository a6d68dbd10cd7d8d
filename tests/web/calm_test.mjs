// SPDX-License-Identifier: Apache-2.0
// Features that keep a conversation calm and readable: folding, single announcements, a stable reading position, and visible marks.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, shot, waits, withPage } from './page.mjs';
import { states } from './states.mjs';

after(closeBrowser);
const state = (name) => states.find((one) => one.name === name);
const inState = (name, work, context = {}) =>
  withPage(
    async (page, host) => {
      await state(name).reach(page, host);
      await work(page, host);
    },
    { prepare: state(name).prepare, context: { ...state(name).context, ...context } },
  );

test('reading calls are a single line with details', () =>
  inState('approval', async (page) => {
    const run = page.getByRole('group', { name: 'Read file: 4 times' });
    assert.match(
      (await run.innerText()).replace(/\s+/g, ' '),
      /^Read file tests\/reconnect_test\.cpp, and 3 more done$/,
    );
    assert.equal(await page.locator('.item.tool').count(), 1, 'the edit that waits');
    await run.getByRole('button').click();
    assert.equal(await page.locator('.item.tool').count(), 5);
    await page.getByText('src/backoff.h', { exact: true }).waitFor();
  }));

test('an allowed change folds, and opens', () =>
  withPage(async (page) => {
    await composer(page).waitFor();
    await say(page, 'edit');
    await waits(page)
      .getByRole('button', { name: /^Allow once/ })
      .click();
    const card = page.locator('.card.tool.done');
    await card.waitFor();
    assert.equal(await card.locator('.diff').isVisible(), false);
    await card.locator('summary').click();
    await card.locator('.diff .add').first().waitFor();
    assert.equal(await card.locator('.counts .spoken').last().textContent(), '1 line removed');
  }));

test('an answer is copied whole, by a single button', () =>
  withPage(async (page, host) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const id = host.addConversation({
      title: 'two parts',
      events: [
        { kind: 'turn_start', turn: 't' },
        { kind: 'user_message', turn: 't', text: 'go' },
        { kind: 'text', text: 'First **part**.' },
        { kind: 'tool_start', call: 'c', tool: 'run_command', title: 'ls', input: {} },
        { kind: 'tool_end', call: 'c', state: 'done' },
        { kind: 'text', text: 'Second part.' },
        { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 10 },
      ],
    });
    assert.ok(id);
    await page.locator('.conv', { hasText: 'two parts' }).click();
    await page.getByText('Second part.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Copy as markdown' }).count(), 1);
    await page.getByRole('button', { name: 'Copy as markdown' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'First **part**.\n\nSecond part.');
  }));

test('the careful choice of a plan stands out', () =>
  inState('plan', async (page) => {
    assert.deepEqual(await waits(page).locator('.primary').allInnerTexts(), ['Begin, ask for each edit']);
  }));

test('without a connection no request seems answerable', () =>
  inState('offline', async (page, host) => {
    for (const button of await page.locator('[data-ask] .bar button').all())
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await page
      .locator('[data-ask]')
      .getByRole('button', { name: /^Allow once/ })
      .click({ force: true });
    await page.getByText('answer this after the connection returns').waitFor();
    host.available = true;
    await page
      .getByRole('button', { name: 'Try now' })
      .click()
      .catch(() => {}); // the connection may return before the click
    await eventually(
      async () => (await page.locator('[data-ask] .primary').getAttribute('aria-disabled')) !== 'true',
      'it can be answered again',
    );
    assert.equal(host.count('answer'), 0);
    assert.equal(await page.getByText('was not accepted').count(), 0);
  }));

test('Stop is beside the message field, and stops', () =>
  withPage(async (page) => {
    await composer(page).waitFor();
    await say(page, 'slowly');
    await page.getByText('First part,').waitFor();
    await page.locator('footer').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped by you').waitFor();
    assert.equal(await page.locator('.stop').count(), 0);
  }));

for (const width of [1360, 1920, 2560]) {
  test(`header, column and composer begin at the same x at ${width} px`, () =>
    inState(
      'approval',
      async (page) => {
        const left = (selector) =>
          page
            .locator(selector)
            .first()
            .evaluate((e) => Math.round(e.getBoundingClientRect().left));
        const column = await left('.log');
        assert.ok(
          Math.abs((await left('header h1')) - column) <= 8,
          `header ${await left('header h1')}, column ${column}`,
        );
        assert.ok(
          Math.abs((await left('.composer')) - column) <= 8,
          `composer ${await left('.composer')}, column ${column}`,
        );
      },
      { viewport: { width, height: 900 } },
    ));
}

test('at 200 % the request and its buttons are seen together', () =>
  inState('zoom_200', async (page) => {
    const view = await page.locator('.scroll').boundingBox();
    const inside = async (locator) => {
      const box = await locator.boundingBox();
      return box && box.y >= view.y - 1 && box.y + box.height <= view.y + view.height + 1;
    };
    assert.ok(await inside(waits(page).locator('.top')), 'what it is');
    assert.ok(await inside(waits(page).getByRole('button', { name: /^Allow once/ })), 'allow');
    assert.ok(await inside(waits(page).getByRole('button', { name: 'Reject', exact: true })), 'reject');
  }));

test('at 200 % the mode is visible and chosen, and the other settings are visible while writing', () =>
  inState('zoom_200', async (page, host) => {
    const whole = async (name) => {
      const box = await page.getByRole(name === 'think' ? 'button' : 'combobox', { name, exact: true }).boundingBox();
      return box && box.x >= 0 && box.x + box.width <= 640 && box.y + box.height <= 400;
    };
    assert.ok(await whole('Mode'), 'the mode');
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('plan');
    assert.equal((await host.heard('set')).mode, 'plan');
    await page.getByRole('textbox', { name: 'Message' }).focus();
    for (const name of ['Mode', 'Model', 'think']) assert.ok(await whole(name), name);
  }));

test('after a crash the request is present with its change, and without an error', () =>
  inState('after_a_crash', async (page) => {
    const card = page.locator('[data-ask]');
    await card.locator('.diff .add').first().waitFor();
    await card.getByRole('button', { name: 'Resume and ask again' }).waitFor();
    await page.locator('.ending', { hasText: 'parlance ended while this turn was running.' }).waitFor();
    assert.deepEqual(
      [await page.locator('.card.error').count(), await page.locator('.stop').count()],
      [0, 0],
      'no alarm, and nothing that runs',
    );
  }));

test('the search is above the first message, not over the message', () =>
  inState('find', async (page) => {
    const [bar, first] = [
      await page.locator('.find-bar').boundingBox(),
      await page.locator('.me').first().boundingBox(),
    ];
    assert.ok(bar.y + bar.height <= first.y, `${bar.y + bar.height} and ${first.y}`);
  }));

test('time with a waiting request is not the work of the turn', () =>
  withPage(async (page, host) => {
    const began = Date.now() - 600_000;
    const at = (s) => new Date(began + s * 1000).toISOString();
    const id = host.addConversation({
      title: 'waited',
      events: [
        { kind: 'turn_start', turn: 't', time: at(0) },
        { kind: 'user_message', turn: 't', text: 'go', time: at(0) },
      ],
    });
    const ask = {
      id: 'old',
      conversation: id,
      kind: 'permission',
      title: 'ls',
      why: '',
      options: [],
      digest: 'd',
      state: 'open',
      created_at: at(5),
    };
    host.emit(
      id,
      { kind: 'tool_confirmation', ask, time: at(5) },
      { kind: 'ask_settled', ask: 'old', state: 'answered', time: at(505) },
      { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 512_000, time: at(512) },
    );
    await page.locator('.conv', { hasText: 'waited' }).click();
    await page.locator('aside').getByText('Last turn').waitFor();
    assert.equal(await page.locator('aside .facts dd').first().innerText(), '12 s');
  }));

test('a silent call shows the reason and the beginning of its wait; new data ends this', () =>
  withPage(async (page, host) => {
    const at = (s) => new Date(Date.now() - s * 1000).toISOString();
    const id = host.addConversation({
      title: 'silent',
      state: 'running',
      events: [
        { kind: 'turn_start', turn: 't', time: at(90) },
        { kind: 'user_message', turn: 't', text: 'go', time: at(90) },
        { kind: 'tool_start', call: 'a', tool: 'run_command', title: 'make', input: {}, time: at(80) },
        { kind: 'tool_output', call: 'a', text: 'begun\n', time: at(75) },
        { kind: 'tool_start', call: 'b', tool: 'mcp__tracker__search', title: 'search', input: {}, time: at(2) },
      ],
    });
    await page.locator('.conv', { hasText: 'silent' }).click();
    const silent = page.locator('.card.tool .silent');
    await silent.first().waitFor();
    assert.equal(await silent.count(), 1, 'who was heard of a moment ago is not silent');
    assert.match(await silent.innerText(), /^Waits for the command to end: no data for 1 m 1\d s, since \d\d?:\d\d/);
    host.emit(id, { kind: 'tool_output', call: 'a', text: 'more\n' });
    await eventually(async () => (await silent.count()) === 0, 'it was heard');
  }));

test('long lines of code are wrapped on demand, in all code at once', () =>
  withPage(async (page) => {
    await composer(page).waitFor();
    await say(page, 'answer');
    await page.locator('.code').first().waitFor();
    const wrap = page.locator('.code').getByRole('button', { name: 'Wrap' });
    const spaces = () =>
      page
        .locator('.code .lines')
        .first()
        .evaluate((e) => getComputedStyle(e).whiteSpace);
    assert.deepEqual([await wrap.getAttribute('aria-pressed'), await spaces()], ['false', 'pre']);
    await wrap.click();
    assert.deepEqual([await wrap.getAttribute('aria-pressed'), await spaces()], ['true', 'pre-wrap']);
    assert.equal(
      await page.locator('.code').getByRole('button', { name: 'Insert' }).count(),
      0,
      'only an editor has a cursor',
    );
  }));

test('of three requests the first is seen from its beginning', () =>
  inState(
    'three_asks',
    async (page) => {
      const view = await page.locator('.scroll').boundingBox();
      const first = await waits(page).first().locator('.top').boundingBox();
      assert.ok(first.y >= view.y, `the card begins at ${first.y}, the view at ${view.y}`);
      assert.ok(first.y < view.y + view.height / 3);
    },
    { viewport: { width: 1280, height: 680 } },
  ));

test('at 280 px the settings of a conversation have a separate line', () =>
  inState('narrow_280', async (page) => {
    const heights = await page.locator('.settings > *').evaluateAll((all) =>
      all
        .map((one) => one.getBoundingClientRect())
        .filter((box) => box.height > 0)
        .map((box) => Math.round(box.top + box.height / 2)),
    );
    assert.ok(Math.max(...heights) - Math.min(...heights) <= 4, `middles at ${heights}`);
    const view = await page.locator('.scroll').boundingBox();
    assert.ok(
      (await waits(page).locator('.top').boundingBox()).y >= view.y - 1,
      'a card that waits is seen from its beginning',
    );
  }));

test('hidden characters of a command, a change and a label have marks', () =>
  withPage(async (page, host) => {
    const id = host.addConversation({ title: 'hidden' });
    await page.locator('.conv', { hasText: 'hidden' }).click();
    const options = [
      { id: 'y', label: 'Allow\u202e once', kind: 'allow_once', dangerous: false },
      { id: 'n', label: 'Reject', kind: 'reject_once', dangerous: false },
    ];
    void host.ask(id, {
      kind: 'permission',
      tool: 'run_command',
      title: "echo safe # \u202e' x/ fr- mr ;' mr",
      detail: "echo safe # \u202e' x/ fr- mr ;' mr\nls\u{e0041}",
      why: 'w',
      options,
    });
    void host.ask(id, {
      kind: 'permission',
      tool: 'edit_file',
      title: 'a\u202etxt.hs',
      why: 'w',
      diff: { path: 'a\u202etxt.hs', before: 'x\n', after: 'x\u200b\n' },
      options,
    });
    await waits(page).nth(1).waitFor();
    const [command, change] = [waits(page).first(), waits(page).nth(1)];
    assert.equal(await command.locator('.detail').innerText(), "echo safe # ⟨U+202E⟩' x/ fr- mr ;' mr\nls⟨U+E0041⟩");
    assert.equal(await change.locator('.sum').innerText(), 'a⟨U+202E⟩txt.hs');
    await change.locator('.diff .add').getByText('⟨U+200B⟩').waitFor();
    await command.getByRole('button', { name: 'Allow⟨U+202E⟩ once' }).waitFor();
    for (const card of [command, change])
      assert.doesNotMatch(await card.evaluate((e) => e.outerHTML), /[\u202e\u200b]/, 'nothing hidden is left');
    await shot(page, 'hidden');
  }));
