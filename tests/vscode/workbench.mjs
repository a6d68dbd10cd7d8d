// SPDX-License-Identifier: Apache-2.0
// VS Code's workbench in Chromium, driven as a person would: command palette, tabs, webviews.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { browserProgram, chromium } from '../web/modules.mjs';
import { smallPng } from '../web/small_png.mjs';

const PATIENCE_MS = 60_000;

export async function eventually(check, what) {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      if (await check()) return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    if (Date.now() > until) assert.fail(`never came true: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

/** Sends a message in a page of the chat, once the page can send. */
export async function say(chat, text) {
  await chat.locator('.composer textarea').fill(text);
  await chat.locator('.composer button[type=submit][aria-disabled=false]').waitFor();
  await chat.locator('.composer textarea').press('Enter');
}

export class Workbench {
  static async open(url, { width = 1400, height = 900 } = {}) {
    const one = new Workbench();
    one.browser = await chromium.launch({
      executablePath: browserProgram(),
      headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    });
    one.page = await one.browser.newPage({ viewport: { width, height } });
    one.page.setDefaultTimeout(PATIENCE_MS);
    one.foreign = [];
    one.errors = [];
    one.page.on('console', (line) => {
      if (line.type() === 'error') one.errors.push(line.text());
    });
    const here = (host) => host.startsWith('127.') || host === 'localhost' || host.endsWith('.localhost');
    await one.page.context().route(
      (to) => to.protocol.startsWith('http') && !here(to.hostname),
      (route) => {
        one.foreign.push(route.request().url());
        return route.abort();
      },
    );
    await one.page.goto(url, { waitUntil: 'domcontentloaded' });
    await one.#stands();
    return one;
  }

  /** The explorer has rows once the extension host is connected. */
  async #stands() {
    await this.page.locator('.monaco-workbench .part.editor').waitFor();
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  }

  async reload() {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.page.locator('.monaco-workbench .part.editor').waitFor();
  }

  async #choose(prefix, title) {
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    await eventually(async () => {
      // An open palette keeps its list, also without the commands of a later extension. Escape elsewhere would drop a selection.
      if (await input.isVisible()) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press(prefix === '>' ? 'F1' : 'Control+P');
      await input.waitFor({ state: 'visible', timeout: 2000 });
      await input.fill(prefix + title, { timeout: 2000 }); // the input closes if another element takes the focus
      await row.click({ timeout: 3000 });
      this.chosenAt = Date.now();
      return true;
    }, `"${title}" can be chosen`);
  }
  command(title) {
    return this.#choose('>', title);
  }
  async openFile(name) {
    await this.#choose('', name);
    await this.tab(name).waitFor();
  }

  /** A new focused terminal. */
  async terminal() {
    await this.command('Terminal: Create New Terminal');
    await this.page.locator('.terminal-wrapper.active .xterm-helper-textarea').waitFor({ state: 'attached' });
  }
  /** The visible lines of the output. */
  async output() {
    return (await this.page.locator('.part.panel .output-view .view-line').allInnerTexts())
      .join('\n')
      .replaceAll('\u00a0', ' ');
  }
  /** From the menu of an entry of the explorer. */
  async fromExplorer(name, title) {
    const row = this.page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: name }).first();
    const entry = this.page.locator('.monaco-menu .action-item').filter({ hasText: title }).first();
    await row.click({ button: 'right' });
    await entry.waitFor();
    await eventually(async () => {
      // a menu ignores presses just after opening
      if (await entry.isVisible()) await entry.click({ timeout: 1000 });
      return !(await entry.isVisible());
    }, `"${title}" is chosen`);
  }

  tab(name) {
    return this.page.locator(`.tab[data-resource-name="${name}"]`).first();
  }
  tabs(text) {
    return this.page.locator('.tabs-container .tab').filter({ hasText: text });
  }
  badge() {
    return this.page
      .locator('.activitybar .action-item', { has: this.page.locator('[aria-label^="parlance"]') })
      .locator('.badge-content')
      .first();
  }
  status() {
    return this.page.locator('.statusbar-item').filter({ hasText: 'parlance' });
  }

  /** The webview's document with the searched element; VS Code nests two frames. */
  async webview(selector) {
    let found;
    await eventually(async () => {
      const count = await this.page.locator('iframe.webview.ready').count();
      for (let i = 0; i < count; ++i) {
        const inner = this.page.frameLocator('iframe.webview.ready').nth(i).frameLocator('#active-frame');
        if (
          (await inner
            .locator(selector)
            .count()
            .catch(() => 0)) > 0
        ) {
          found = inner;
          return true;
        }
      }
      return false;
    }, `a webview with ${selector}`);
    return found;
  }

  async shot(name) {
    if (process.env.PARLANCE_SHOTS) await this.page.screenshot({ path: `${process.env.PARLANCE_SHOTS}/${name}.png` });
  }
  /** A picture for docs/images/vscode, if requested: PARLANCE_PICTURES=FOLDER. */
  async picture(name) {
    await this.shot(`vscode-${name}`);
    if (process.env.PARLANCE_PICTURES)
      await writeFile(
        join(process.env.PARLANCE_PICTURES, `${name}.png`),
        smallPng(await this.page.screenshot({ scale: 'css' })),
      );
  }
  /**
   * A picture for the walkthrough, if requested: PARLANCE_WALKTHROUGH=FOLDER. A part of the window, because the picture is shown
   * small.
   */
  async stepPicture(name, clip) {
    if (process.env.PARLANCE_WALKTHROUGH)
      await writeFile(
        join(process.env.PARLANCE_WALKTHROUGH, `${name}.png`),
        smallPng(await this.page.screenshot({ scale: 'css', clip })),
      );
  }
  close() {
    return this.browser.close();
  }
}
