// SPDX-License-Identifier: Apache-2.0
// A browser for each test file, a context for each test. Any fault inside the page (errors, refused resources) fails the test.

import assert from 'node:assert/strict';
import { browserProgram, chromium } from './modules.mjs';
import { startMockHost } from './mock_host.mjs';

/** A real gateway's address with `#token=…`: then the tests without control of the host run against this gateway. */
export const realUrl = process.env.PARLANCE_URL ?? '';

/** Prompts for the agent's actions. The rehearsal agent and the mock host may need different words. */
export const PROMPTS = {
  hello: 'hello',
  think: 'think',
  edit: 'edit',
  question: 'question',
  plan: 'plan',
  ...JSON.parse(process.env.PARLANCE_PROMPTS ?? '{}'),
};

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const PATIENCE_MS = 40_000; // far above any duration on a quiet machine; a busy machine must not fail a test

let browser;
export async function openBrowser() {
  browser ??= await chromium.launch({ executablePath: browserProgram(), headless: true, args: FLAGS });
  return browser;
}
export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** Runs a test with its own host and a connected page. */
export async function withPage(
  work,
  { context: settings = {}, prepare = () => {}, url = (host) => host.url, strict = true } = {},
) {
  const host = await startMockHost();
  try {
    await prepare(host);
    await withPageAt(url(host), (page) => work(page, host), { settings, strict });
  } finally {
    await host.stop();
  }
}

/** Chromium's own messages about a cut connection or a refused token, expected in most tests. */
const CUTS = /WebSocket connection|ERR_CONNECTION|401|Failed to load resource/;
export const NOTHING = /$^/;

/** `forgive`: harmless lines on the console. A request outside the page's own origin is always a fault. */
export async function withPageAt(url, work, { settings = {}, strict = true, forgive = CUTS } = {}) {
  const context = await (
    await openBrowser()
  ).newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce', ...settings });
  const faults = [];
  try {
    const { host } = new URL(url);
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('weberror', (error) => faults.push(String(error.error())));
    context.on('console', (line) => {
      if (line.type() === 'error' && !forgive.test(line.text())) faults.push(line.text());
    });
    context.on('request', (request) => {
      const to = new URL(request.url());
      if (to.host !== host && to.protocol !== 'data:' && to.protocol !== 'blob:') faults.push(`fetched ${to}`);
    });
    const page = await context.newPage();
    await page.goto(url);
    await work(page);
    if (strict) assert.deepEqual(faults, []);
  } catch (error) {
    if (process.env.PARLANCE_SHOTS)
      await context
        .pages()[0]
        ?.screenshot({ path: `${process.env.PARLANCE_SHOTS}/failed-${Date.now()}.png` })
        .catch(() => {});
    if (faults.length > 0) error.message += `\nin the page: ${faults.join('\n')}`;
    throw error;
  } finally {
    await context.close();
  }
}

export const composer = (page) => page.locator('.composer textarea');

/** `atOnce`: also if the page cannot send yet and keeps the text. */
export async function say(page, text, { atOnce = false } = {}) {
  await composer(page).fill(text);
  if (atOnce) await composer(page).press('Enter');
  else await sendDraft(page);
}
/** Sends the composer's content as soon as the page can send: before, the page keeps the text. */
export async function sendDraft(page) {
  await page.locator('.composer button[type=submit][aria-disabled=false]').waitFor();
  await composer(page).press('Enter');
}
/** Waiting requests that already accept an answer. */
export const waits = (page) => page.locator('[data-ask]:not(.arming)');

export async function shot(page, name) {
  if (process.env.PARLANCE_SHOTS) await page.screenshot({ path: `${process.env.PARLANCE_SHOTS}/${name}.png` });
}

/** Polls the page until the condition holds. */
export async function eventually(check, what = 'condition') {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      if (await check()) return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    if (Date.now() > until) assert.fail(`never came true: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
