// SPDX-License-Identifier: Apache-2.0
// Models in a real VS Code: a key is stored as a secret of VS Code, reaches no file on the disk, and is used without a restart.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { open } from './session.mjs';
import { eventually, say } from './workbench.mjs';

const KEY = 'sk-0123456789-hidden';
const OTHER_KEY = 'sk-9876543210-hidden';

const TMPFS = 0x01021994; // TMPFS_MAGIC of statfs(2)

if ((await statfs('/dev/shm').catch(() => ({}))).type !== TMPFS) {
  console.log('Skipped: /dev/shm is no file system in memory. To have one: mount -t tmpfs tmpfs /dev/shm');
  process.exit(77); // as in run.mjs
}

let vs, ui, chat, model;
let asked = [];
before(async () => {
  model = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    if (request.url.endsWith('/models')) response.end(JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }] }));
    else
      response.end(
        JSON.stringify({
          model: 'large',
          choices: [{ message: { role: 'assistant', content: `Answer ${asked.length}.` }, finish_reason: 'stop' }],
        }),
      );
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  ({ vs, ui } = await open({ files: { 'readme.md': '# x\n' } }));
});
after(async () => {
  const { key_file: keyFile } = (await connections().catch(() => []))[0] ?? {};
  await ui?.close();
  await vs?.stop();
  model?.close();
  if (keyFile) await rm(join(keyFile, '..'), { recursive: true, force: true });
});

const input = () => ui.page.locator('.quick-input-widget .quick-input-box input');
const row = (text) => ui.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
const step = async (prompt) =>
  ui.page.locator('.quick-input-widget').filter({ hasText: prompt }).locator('.quick-input-box input').waitFor();
async function files() {
  const all = await readdir(vs.at, { recursive: true, withFileTypes: true });
  return all.filter((file) => file.isFile()).map((file) => join(file.parentPath ?? file.path, file.name));
}
async function connections() {
  const [file] = (await files()).filter((path) => path.endsWith('/models.json'));
  return JSON.parse(await readFile(file, 'utf8')).connections;
}
async function holding(text) {
  const held = await Promise.all((await files()).map(async (path) => [path, await readFile(path).catch(() => '')]));
  return held.filter(([, content]) => content.includes(text)).map(([path]) => path);
}
async function answered(key) {
  asked = [];
  await say(chat, 'hello');
  await eventually(() => asked.includes(`Bearer ${key}`), 'the model is asked with the key');
  await chat.getByText('Answer 1.').last().waitFor();
}

test('a command asks for vendor, address, key and model; the next message reaches the model', async () => {
  await ui.command('parlance: Connect a Model');
  await row('Another server').click();
  await step('Address of the server');
  await input().fill(`http://127.0.0.1:${model.address().port}/v1`);
  await input().press('Enter');
  await step('Key. Empty');
  assert.equal(await input().getAttribute('type'), 'password');
  await input().fill(KEY);
  await input().press('Enter');
  await row('large').click();
  await ui.page.locator('.notification-toast').filter({ hasText: 'uses large from its next turn on' }).waitFor();
  const [stored] = await connections();
  assert.equal(stored.key, undefined);
  assert.equal(await readFile(stored.key_file, 'utf8'), KEY);
  assert.deepEqual(await holding(KEY), []);
  await ui.command('parlance: New Chat');
  chat = await ui.webview('.composer textarea');
  await answered(KEY);
});

test('the form of the page stores its key as a secret, too, and the running agent uses the key', async () => {
  await ui.command('parlance: New Chat');
  const form = chat.getByRole('region', { name: 'Connect a model' });
  await form.getByText('key stored').waitFor();
  await form.getByRole('button', { name: 'Connect a model' }).click();
  await form.getByLabel('Vendor').selectOption('other');
  await form.getByLabel('URL').fill(`http://127.0.0.1:${model.address().port}/v1`);
  await form.getByLabel('Key').fill(OTHER_KEY);
  await form.getByLabel('Model', { exact: true }).fill('large');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('other answers from the next message on.').waitFor();
  assert.deepEqual(await holding(OTHER_KEY), []);
  await answered(OTHER_KEY);
});

test('a started program has the key again, and a removed connection leaves no key', async () => {
  const [{ key_file: keyFile }] = await connections();
  await ui.command('parlance: Stop');
  await eventually(async () => !(await readFile(keyFile).catch(() => '')).length, 'no program needs the key');
  await ui.command('parlance: Start');
  await ui.command('parlance: New Chat');
  const form = chat.getByRole('region', { name: 'Connect a model' });
  await form.getByRole('button', { name: 'Remove other' }).waitFor();
  assert.equal(await readFile(keyFile, 'utf8'), OTHER_KEY);
  await answered(OTHER_KEY);
  await ui.command('parlance: New Chat');
  await form.getByRole('button', { name: 'Remove other' }).click();
  await form.getByRole('button', { name: 'Remove other' }).waitFor({ state: 'detached' });
  assert.deepEqual(await connections(), []);
  await assert.rejects(readFile(keyFile), { code: 'ENOENT' });
});
