// SPDX-License-Identifier: Apache-2.0
// A foreign webview, written only from the tables of the protocol (own_webview.html), with the real program: over the WebSocket in place of
// its postMessage.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeBrowser, eventually, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

let parlance;
before(async () => {
  parlance = await Parlance.start();
  await writeFile(at('shed.txt'), 'the shed is grey\n');
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
});
const at = (name) => join(parlance.folder, name);

const html = new URL('./own_webview.html', import.meta.url);

/** VS Code's side of a webview, inside the page: posted messages go over the socket, and received messages become `message` events. */
function standInForTheEditor(token) {
  let seen = 0;
  globalThis.acquireVsCodeApi = () => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/webview`, ['parlance.v1', `token.${token}`]);
    const held = [];
    socket.onopen = () => {
      for (const one of held.splice(0)) socket.send(one);
    };
    socket.onmessage = ({ data }) => {
      ++seen;
      window.postMessage(JSON.parse(data), location.origin);
    };
    socket.onclose = () => {
      document.title = 'closed';
    };
    const send = (text) => (socket.readyState === 1 ? socket.send(text) : held.push(text));
    globalThis.raw = send;
    globalThis.heard = () => seen;
    return { postMessage: (message) => send(JSON.stringify(message)), getState: () => undefined, setState: () => {} };
  };
}

// An unused address of the gateway: the document is the webview's own, its origin the gateway's.
const nowhere = () => `${parlance.origin}/assets/none`;
async function load(page) {
  await page.goto(nowhere());
  await page.setContent(await readFile(html, 'utf8'));
  await page.getByText('agent is there').waitFor();
}
const onWebview = (work) =>
  withPageAt(
    nowhere(),
    async (page) => {
      await page.addInitScript(standInForTheEditor, parlance.token);
      await load(page);
      await work(page);
    },
    { forgive: /status of 404/, settings: { bypassCSP: true } },
  );

async function say(page, text) {
  await page.locator('#messages').evaluate((e) => {
    delete e.dataset.ended;
  });
  await page.getByLabel('Message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}
const ended = (page, reason) =>
  eventually(
    async () => (await page.locator('#messages').getAttribute('data-ended')) === reason,
    `the turn ends with ${reason}`,
  );
const answer = (page) => page.locator('article').last();
async function begin(page) {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await eventually(async () => (await page.locator('#messages').innerText()) === '', 'an empty conversation');
}

test("ready is answered with the state and the editor's context at once", () =>
  onWebview(async (page) => {
    await page.getByText('no file is open').waitFor();
    await eventually(async () => (await page.evaluate(() => globalThis.heard())) === 2, 'two messages, and no more');
  }));

test('an allowed call is done, with its icon, input, output and end', () =>
  onWebview(async (page) => {
    await begin(page);
    await say(page, 'write note.txt hello from a webview');
    const card = page.locator('[data-request]');
    await card.getByRole('heading', { name: /write_file \(edit\)/ }).waitFor();
    assert.match(await card.locator('pre').innerText(), /note\.txt/);
    assert.equal(existsSync(at('note.txt')), false);
    const tool = page.locator('.tool').last();
    assert.match(await tool.locator('h3').innerText(), /^✏️ /u);
    assert.match(await tool.getAttribute('data-input'), /"content":"hello from a webview/);
    await card.getByRole('button', { name: 'allow', exact: true }).click();
    await ended(page, 'end_turn');
    assert.match(await readFile(at('note.txt'), 'utf8'), /hello from a webview/);
    assert.equal(await tool.locator('em').innerText(), 'completed');
    assert.equal(await card.count(), 0, 'its card is gone');
  }));

test('a reject is heard, and ends the turn', () =>
  onWebview(async (page) => {
    await begin(page);
    await say(page, 'write no.txt never');
    await page.locator('[data-request]').getByRole('button', { name: 'reject' }).click();
    await ended(page, 'cancelled');
    assert.equal(await page.locator('.tool').last().locator('em').innerText(), 'error');
    assert.equal(existsSync(at('no.txt')), false);
  }));

test('a waiting request survives a recreated webview', () =>
  onWebview(async (page) => {
    await begin(page);
    await say(page, 'write later.txt x');
    await page.locator('[data-request]').waitFor();
    await load(page);
    await page.locator('.user', { hasText: 'write later.txt x' }).waitFor();
    await page.locator('[data-request]').getByRole('button', { name: 'allow', exact: true }).click();
    await ended(page, 'end_turn');
    assert.equal(existsSync(at('later.txt')), true);
  }));

test('a question is answered by its header', () =>
  onWebview(async (page) => {
    await begin(page);
    await say(page, 'ask');
    const card = page.locator('[data-request]', { hasText: 'A question' });
    const label = await card.locator('button').first().innerText();
    await card.locator('button').first().click();
    await ended(page, 'end_turn');
    assert.ok((await page.locator('#messages').innerText()).includes(label));
  }));

test('a plan is approved by option, or by approved, and its mode follows', () =>
  onWebview(async (page) => {
    for (const [button, mode] of [
      ['smart', 'smart'],
      ['approve', 'default'],
    ]) {
      await begin(page);
      await page.getByLabel('Mode').selectOption('plan');
      await say(page, 'plan');
      const card = page.locator('[data-request]', { hasText: 'A plan' });
      assert.match(await card.locator('pre').innerText(), /bicycle shed/);
      assert.notEqual(await card.getAttribute('data-request'), '-1');
      await card.getByRole('button', { name: button, exact: true }).click();
      await ended(page, 'end_turn');
      await eventually(async () => (await page.getByLabel('Mode').inputValue()) === mode, `the mode is ${mode}`);
    }
  }));

test('a plan in text comes under -1: feedback continues planning, smart approves', () =>
  onWebview(async (page) => {
    await begin(page);
    await page.getByLabel('Mode').selectOption('plan');
    await say(page, 'think about it');
    const card = page.locator('[data-request="-1"]');
    await card.waitFor();
    await page.getByLabel('Message').fill('think smaller');
    await card.getByRole('button', { name: 'feedback' }).click();
    await card.waitFor();
    await card.getByRole('button', { name: 'keep' }).click();
    await load(page);
    await page.locator('.user', { hasText: 'think about it' }).waitFor();
    assert.equal(await page.getByLabel('Mode').inputValue(), 'plan', 'keep changes nothing');
    await page.locator('[data-request="-1"]').getByRole('button', { name: 'smart' }).click();
    await eventually(async () => (await page.getByLabel('Mode').inputValue()) === 'smart', 'the mode is smart');
    await ended(page, 'end_turn');
  }));

test('thoughts have their own place, and code comes in blocks on request', () =>
  onWebview(async (page) => {
    await begin(page);
    await say(page, 'think');
    await ended(page, 'end_turn');
    assert.notEqual(await answer(page).locator('.thought').first().innerText(), '');
    await page.evaluate(() => globalThis.raw('{"type":"ready","codeChunks":true}'));
    await say(page, 'markdown');
    await ended(page, 'end_turn');
    assert.equal((await page.locator('pre[data-language]').count()) > 0, true);
    assert.equal((await answer(page).innerText()).includes('```'), false);
  }));

test('a stop ends the turn and not the connection', () =>
  onWebview(async (page) => {
    await begin(page);
    await say(page, 'slow 200 50');
    await answer(page).locator('.text').waitFor();
    await page.locator('#busy:not([hidden])').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await ended(page, 'cancelled');
    await page.locator('#busy').waitFor({ state: 'hidden' });
    assert.notEqual(await page.title(), 'closed');
  }));

test('files of the folder are found, read, and go along', () =>
  onWebview(async (page) => {
    await begin(page);
    await page.evaluate(() => globalThis.raw('{"type":"searchFiles","query":"shed"}'));
    await page.locator('#files li', { hasText: 'shed.txt' }).click();
    await eventually(
      async () => (await page.locator('#files').getAttribute('data-read')) === 'the shed is grey\n',
      'its text',
    );
    await say(page, 'think');
    await ended(page, 'end_turn');
    assert.match(await page.locator('#messages').innerText(), /shed\.txt/, 'the rehearsal names what came along');
    await page.evaluate(() => globalThis.raw('{"type":"readFiles","paths":["/etc/passwd"]}'));
    await eventually(
      async () => /outside this conversation/.test(await page.locator('#files').getAttribute('data-read')),
      'what lies elsewhere is not read',
    );
  }));

test('conversations are begun, looked at again, cleared and deleted', () =>
  onWebview(async (page) => {
    await begin(page);
    await say(page, 'think of clearing');
    await ended(page, 'end_turn');
    const first = await page.getByLabel('Conversation').inputValue();
    await begin(page);
    await page.getByLabel('Conversation').selectOption(first);
    await page.locator('.user', { hasText: 'think of clearing' }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await eventually(async () => (await page.locator('#messages').innerText()) === '', 'nothing is left to be seen');
    await page.getByRole('button', { name: 'Delete' }).click();
    await eventually(
      async () => (await page.locator(`#conversations option[value="${first}"]`).count()) === 0,
      'it is deleted',
    );
  }));

test('every message is checked, and a fault names its place', () =>
  onWebview(async (page) => {
    for (const [bad, told] of [
      ['{"type":"setMode","mode":"fast"}', /^setMode: \$\.mode/],
      ['{"type":"toolApproval","outcome":"allow"}', /^toolApproval: .*requestId/],
      ['{"type":"toolApproval","requestId":99}', /no longer open/],
      ['{"type":"fly"}', /^fly: /],
      ['{', /^: /],
      ['{"type":"pickFiles"}', /^pickFiles: .*editor/],
    ]) {
      await page.evaluate((text) => globalThis.raw(text), bad);
      await eventually(async () => told.test(await page.locator('#failed').innerText()), `${bad} is refused`);
    }
    await page.evaluate(() => globalThis.raw('{"type":"recheckCli"}'));
    await eventually(
      async () => (await page.locator('#cli').getAttribute('data-checked')) === 'true',
      'and the connection lives',
    );
  }));

test('without the token access is refused, and so is a page of another site', async () => {
  const { WebSocket } = await import('./modules.mjs');
  const refused = (options, ...protocols) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${parlance.origin.replace('http', 'ws')}/webview`, protocols, options);
      socket.on('unexpected-response', (_, { statusCode }) => {
        resolve(statusCode);
        socket.terminate();
      });
      socket.on('open', () => {
        reject(new Error('it was let in'));
        socket.terminate();
      });
      socket.on('error', () => {});
    });
  assert.equal(await refused({}, 'parlance.v1'), 401);
  assert.equal(
    await refused({ headers: { Origin: 'https://evil.example' } }, 'parlance.v1', `token.${parlance.token}`),
    403,
  );
  assert.equal(await refused({ headers: { Host: 'evil.example' } }, 'parlance.v1', `token.${parlance.token}`), 403);
});
