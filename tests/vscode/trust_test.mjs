// SPDX-License-Identifier: Apache-2.0
// A workspace that is not trusted: nothing is started there, and the extension says why.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { processOf } from './bridge_client.mjs';
import { open } from './session.mjs';
import { eventually } from './workbench.mjs';

let vs, ui;
before(async () => {
  ({ vs, ui } = await open({
    files: { 'main.cpp': 'int main() {}\n' },
    databases: { 'a.db': 'CREATE TABLE t(x)' },
    trust: false,
    settings: { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
  }));
});
after(async () => {
  await ui?.close();
  await vs?.stop();
});

test('the chat and the database say that nothing is started, and nothing is', async () => {
  await ui.openFile('main.cpp');
  await ui.command('parlance: Show Chat');
  const chat = await ui.webview('.composer textarea');
  await chat.getByText('This workspace is not trusted').waitFor();
  await ui.command('parlance: New Chat');
  await ui.page.getByText('starts nothing in a workspace that is not trusted').first().waitFor();
  await ui.openFile('a.db');
  const viewer = await ui.webview('.viewer');
  await viewer.getByText('not trusted').waitFor();
  await ui.shot('vscode-untrusted');
  assert.equal(processOf(vs.at, 'up'), undefined);
  assert.equal(processOf(vs.at, '--log-level'), undefined);
  assert.equal(processOf(vs.at, 'editor', 'serve'), undefined);
});

test('once it is trusted, it works without a reload of the page', async () => {
  await ui.command('Workspaces: Manage Workspace Trust');
  await ui.page
    .locator('.workspace-trust-editor')
    .getByRole('button', { name: /^Trust/ })
    .first()
    .click();
  await eventually(async () => {
    const chat = await ui.webview('.composer textarea');
    await chat
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 1000 })
      .catch(() => {});
    return processOf(vs.at, 'up') !== undefined;
  }, 'the program is started');
  assert.equal(processOf(vs.at, 'editor', 'serve'), undefined, 'nobody is in a terminal yet');
  await ui.command('Terminal: Create New Terminal');
  await eventually(() => processOf(vs.at, 'editor', 'serve') !== undefined, 'agents of others find the window');
});
