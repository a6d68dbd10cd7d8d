// SPDX-License-Identifier: Apache-2.0
// Accessibility: axe-core and contrast in each state of the page, and the screen reader's text of an approval.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { choiceFaults, contrastFaults } from './contrast.mjs';
import { axeSource } from './modules.mjs';
import { closeBrowser, waits, withPage } from './page.mjs';
import { states } from './states.mjs';
import { dress, themes } from './vscode_themes.mjs';

after(closeBrowser);
const source = axeSource();

/** `rules`: ids of axe's rules; empty: all rules. */
async function violations(page, rules = []) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const found = await page.evaluate(
    (ids) => globalThis.axe.run(document, ids.length > 0 ? { runOnly: ids } : {}),
    rules,
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} (${node.any[0]?.message ?? node.all[0]?.message ?? ''})`).join(' | ')}`,
  );
}

const TABS_AT_ONCE = 10; // a look at the page after each step would double the time

/** Visible and enabled controls that Tab never reaches. In a toolbar, a grid and radio buttons, arrow keys continue. */
async function outOfReach(page) {
  const count = await page.evaluate(() => {
    const within = document.querySelector('dialog[open]') ?? document.body;
    const all = [...within.querySelectorAll('button, a[href], input, select, textarea, summary')].filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) &&
        !one.matches(':disabled, [type=file]') &&
        !one.closest('[role=toolbar], [role=grid], [inert]') &&
        one.getBoundingClientRect().width > 0 &&
        !(one.type === 'radio' && one.name !== ''),
    );
    for (const control of all) control.dataset.unreached = '';
    document.activeElement?.blur();
    document.addEventListener('focusin', ({ target }) => {
      if (target.dataset.unreached === undefined) return;
      delete target.dataset.unreached;
      globalThis.lastReached = target;
    });
    return all.length;
  });
  for (let steps = 0; steps < 2 * count + 100; steps += TABS_AT_ONCE) {
    for (let i = 0; i < TABS_AT_ONCE; ++i) await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.querySelectorAll('[data-unreached]').length)) === 0) break;
  }
  return page.evaluate(() => {
    globalThis.lastReached?.focus(); // the following checks see a control with the focus
    return [...document.querySelectorAll('[data-unreached]')].map((control) => control.outerHTML.slice(0, 160));
  });
}

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']; // the other rules give the same result in each look
const LOOKS = [
  ['light', { colorScheme: 'light', forcedColors: 'none' }],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }],
  ['forced colours', { colorScheme: 'light', forcedColors: 'active' }],
];
for (const { name, prepare, reach, context } of states) {
  test(name, () =>
    withPage(
      async (page, host) => {
        await reach(page, host);
        await page.mouse.move(0, 0); // hovering is not a separate state
        for (const [look, settings] of LOOKS) {
          await page.emulateMedia(settings);
          if (look !== 'forced colours')
            assert.deepEqual([...(await page.evaluate(contrastFaults)), ...(await choiceFaults(page))], [], look);
          assert.deepEqual(await violations(page, look === 'light' ? [] : COLOUR_RULES), [], look);
        }
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          true,
          'the page does not scroll sideways',
        );
        assert.deepEqual(await outOfReach(page), [], 'by keyboard');
        for (const [theme, colours] of Object.entries(themes)) {
          await dress(page, colours);
          assert.deepEqual(
            [...(await page.evaluate(contrastFaults)), ...(await choiceFaults(page))],
            [],
            `in the editor, ${theme}`,
          );
        }
      },
      { prepare, context },
    ),
  );
}

test('high contrast has at least seven to one for words', () =>
  withPage(
    async (page, host) => {
      const state = states.find((one) => one.name === 'approval');
      await page.evaluate(() => localStorage.setItem('parlance.preferences', '{"theme":"contrast"}'));
      await page.reload();
      await state.reach(page, host);
      assert.deepEqual(await page.evaluate(contrastFaults), []);
      await page.evaluate(source);
      const found = await page.evaluate(() =>
        globalThis.axe.run(document, {
          runOnly: ['color-contrast-enhanced'],
          rules: { 'color-contrast-enhanced': { enabled: true } },
        }),
      );
      assert.deepEqual(
        found.violations.flatMap((one) => one.nodes.map((node) => node.html)),
        [],
      );
    },
    { prepare: states.find((one) => one.name === 'approval').prepare },
  ));

const golden = new URL('golden/approval_card.yaml', import.meta.url);

test('the screen reader text of an approval', () =>
  withPage(
    async (page, host) => {
      await states.find((one) => one.name === 'approval').reach(page, host);
      const told = (await waits(page).first().ariaSnapshot()).replace(/Asked [^."]*\./, 'Asked just now.') + '\n';
      if (process.env.PARLANCE_GOLDEN === 'write') await writeFile(golden, told);
      assert.equal(told, await readFile(golden, 'utf8'), 'PARLANCE_GOLDEN=write writes it anew');
    },
    { prepare: states.find((one) => one.name === 'approval').prepare },
  ));
