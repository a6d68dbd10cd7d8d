// What runs when: nothing before it is used. And settings of the extension for iFlow, which count until they are moved.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { process_of } from './bridge_client.mjs';
import { open } from './session.mjs';
import { eventually } from './workbench.mjs';

let vs, ui, chat;
before(async () => {
  ({ vs, ui } = await open({
    files: { 'main.cpp': 'int main() {}\n' }, roots: { second: { 'two.cpp': 'int two();\n' } }, scenario: { announce: false, turns: [{ user: 'hello', steps: [{ say: 'It is here.' }] }] },
    settings: { 'iflow.timeout': 41000, 'iflow.maxFileBytes': 1234, 'parlance.maxFileBytes': 4321 },
  }));
});
after(async () => {
  await ui?.close();
  await vs?.stop();
});

/** Programs that the VSIX carries. */
const ours = () => readdirSync('/proc').filter((one) => /^\d+$/.test(one)).flatMap((pid) => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words[0].startsWith(join(vs.at, 'extensions')) ? [words] : [];
  } catch { return []; }
});
const settings = async () => JSON.parse(await readFile(join(vs.at, 'data/User/settings.json'), 'utf8'));
const waits = () => new Promise((resolve) => { setTimeout(resolve, 2000); });   // for what should not come

test('settings of iFlow are offered to be moved, once', async () => {
  const offer = ui.page.locator('.notification-toast', { hasText: 'iflow.timeout' });
  await offer.waitFor();
  assert.ok(!(await offer.innerText()).includes('iflow.maxFileBytes'), 'ours says something else there');
  await ui.shot('vscode-iflow-settings');
  await offer.getByRole('button', { name: 'Move them' }).click();
  await eventually(async () => (await settings())['parlance.timeout'] === 41000, 'it is written anew');
  await eventually(async () => !('iflow.timeout' in await settings()), 'and is gone there');
  assert.equal((await settings())['iflow.maxFileBytes'], 1234);
});

test('the window is loaded: nothing runs; a view that is opened is used', async () => {
  await ui.open_file('main.cpp');
  await waits();
  assert.deepEqual(ours(), []);
  await ui.page.locator('.activitybar .action-item a[aria-label^="parlance"]').click();
  chat = await ui.webview('.composer textarea');
  await eventually(() => process_of(vs.at, 'up') !== undefined, 'it is started');
});

test('a view that comes back with the window is merely shown, and starts nothing', async () => {
  await ui.page.locator('.monaco-editor .view-line').first().click();             // the person goes on in the editor
  await waits();                                                                  // the workbench keeps which view is open
  await ui.reload();
  chat = await ui.webview('.composer textarea');
  await waits();
  await ui.shot('vscode-idle');
  await chat.getByText('Nothing runs yet').waitFor();
  await waits();
  await ui.shot('vscode-idle');
  assert.deepEqual(ours(), []);
});
