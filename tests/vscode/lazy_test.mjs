// SPDX-License-Identifier: Apache-2.0
// Programs start only on first use. Settings of the extension for iFlow are valid until moved.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { processOf } from './bridge_client.mjs';
import { open } from './session.mjs';
import { eventually, say } from './workbench.mjs';

let vs, ui, chat;
before(async () => {
  ({ vs, ui } = await open({
    files: { 'main.cpp': 'int main() {}\n' },
    roots: { second: { 'two.cpp': 'int two();\n' } },
    scenario: { announce: false, turns: [{ user: 'hello', steps: [{ say: 'It is here.' }] }] },
    settings: { 'iflow.timeout': 41000, 'iflow.maxFileBytes': 1234, 'parlance.maxFileBytes': 4321 },
  }));
});
after(async () => {
  await ui?.close();
  await vs?.stop();
});

/** Programs of the VSIX. */
const ours = () =>
  readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words[0].startsWith(join(vs.at, 'extensions')) ? [words] : [];
      } catch {
        return [];
      }
    });
const settings = async () => JSON.parse(await readFile(join(vs.at, 'data/User/settings.json'), 'utf8'));
const waits = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 2000);
  }); // for programs that should not start

test('settings of iFlow are offered to be moved, once', async () => {
  const offer = ui.page.locator('.notification-toast', { hasText: 'iflow.timeout' });
  await offer.waitFor();
  assert.ok(!(await offer.innerText()).includes('iflow.maxFileBytes'), 'ours says something else there');
  await ui.shot('vscode-iflow-settings');
  await offer.getByRole('button', { name: 'Move them' }).click();
  await eventually(async () => (await settings())['parlance.timeout'] === 41000, 'it is written anew');
  await eventually(async () => !('iflow.timeout' in (await settings())), 'and is gone there');
  assert.equal((await settings())['iflow.maxFileBytes'], 1234);
});

test('after loading the window no program runs; an opened view is used', async () => {
  await ui.openFile('main.cpp');
  await waits();
  assert.deepEqual(ours(), []);
  await ui.page.locator('.activitybar .action-item a[aria-label^="parlance"]').click();
  chat = await ui.webview('.composer textarea');
  await eventually(() => processOf(vs.at, 'up') !== undefined, 'it is started');
});

test('a view restored with the window starts no program', async () => {
  await ui.page.locator('.monaco-editor .view-line').first().click(); // the person goes on in the editor
  await waits(); // the workbench remembers the open view
  await ui.reload();
  chat = await ui.webview('.composer textarea');
  await waits();
  await ui.shot('vscode-idle');
  await chat.getByText('parlance is not running').waitFor();
  await waits();
  await ui.shot('vscode-idle');
  assert.deepEqual(ours(), []);
});

test('a click starts the gateway, with the settings and all folders of the workspace', async () => {
  await chat.locator('.composer textarea').click();
  await eventually(() => processOf(vs.at, 'up') !== undefined, 'it is started');
  const words = ours().find((one) => one[1] === 'up');
  assert.equal(words[words.indexOf('--agent-timeout') + 1], '41000');
  assert.equal(words[words.indexOf('--prompt-file-bytes') + 1], '4321');
  assert.equal(processOf(vs.at, 'editor', 'serve'), undefined, 'there is no terminal yet');
  await eventually(
    async () => (await chat.getByLabel('More folders', { exact: true }).inputValue()) === join(vs.at, 'second'),
    'the other folder',
  );
  await chat.locator('.begin select').first().waitFor();
  await say(chat, 'hello');
  await chat.getByText('It is here.').waitFor();
  await chat.locator('.chip.folder', { hasText: '+1' }).waitFor({ state: 'attached' }); // hidden in a narrow view
});

test('a view with a conversation returns after a reload, without another question about settings', async () => {
  await waits();
  await ui.reload();
  chat = await ui.webview('.composer textarea');
  await waits();
  await ui.shot('vscode-again');
  await chat.getByText('It is here.').waitFor();
  assert.equal(await ui.page.locator('.notification-toast', { hasText: 'iflow.' }).count(), 0);
});

test('the first terminal starts the service for agents of other vendors', async () => {
  assert.equal(processOf(vs.at, 'editor', 'serve'), undefined);
  await ui.command('Terminal: Create New Terminal');
  await ui.page.locator('.quick-input-list .monaco-list-row', { hasText: 'project' }).first().click(); // asks for one of the workspace's two folders
  await eventually(() => processOf(vs.at, 'editor', 'serve') !== undefined, 'it is started');
});
