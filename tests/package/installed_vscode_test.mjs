// SPDX-License-Identifier: Apache-2.0
// The VSIX in a real VS Code (code-server): the first message to the scripted agent, its approval on the card, and the removal.
//   PARLANCE_PACKAGES=build/packages node --test tests/package/installed_vscode_test.mjs
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

import { CodeServer, installed } from '../vscode/code_server.mjs';
import { fileOf, megabytes, packages, timed } from './installed_system.mjs';

const parts = fileURLToPath(new URL('../../apps/web/node_modules', import.meta.url));

async function skipVscode() {
  if (!packages) return 'PARLANCE_PACKAGES names no folder';
  if (!installed()) return 'needs code-server: scripts/peers.sh install code-server';
  if (!existsSync(parts)) return 'needs the npm packages of apps/web: (cd apps/web && npm ci)';
  const { browserProgram } = await import('../web/modules.mjs');
  return !browserProgram() && 'needs Chromium: apt-get install chromium';
}

test('the VSIX in VS Code reaches the approval', { skip: await skipVscode() }, async (t) => {
  const { Workbench, say, eventually } = await import('../vscode/workbench.mjs');
  const vsix = fileOf(new RegExp(`linux-${process.arch}-.*\\.vsix$`));
  let vs, ui;
  t.after(async () => {
    await ui?.close();
    await vs?.stop();
  });
  const toWindow = await timed(async () => {
    vs = await CodeServer.start({ vsix, files: { 'a.txt': 'one\n' } });
    ui = await Workbench.open(vs.url);
  });
  const file = path.join(vs.folder, 'a.txt');
  const seconds = await timed(async () => {
    await ui.command('parlance: New Chat');
    const chat = await ui.webview('.composer textarea');
    await say(chat, 'edit a.txt one => two');
    await chat
      .locator('[data-ask]')
      .getByRole('button', { name: /^Allow once/ })
      .click();
    await eventually(() => readFileSync(file, 'utf8') === 'two\n', 'the file has changed');
  });
  assert.equal(readFileSync(file, 'utf8'), 'two\n');
  t.diagnostic(
    `${seconds.toFixed(1)} s from the first command to the answered approval, ${megabytes(vsix)} MB; ${toWindow.toFixed(1)} s to install the VSIX and open the window`,
  );

  await ui.close();
  ui = undefined;
  await vs.end();
  await vs.command('--uninstall-extension', 'parlance.parlance');
  assert.equal(await vs.command('--list-extensions'), '');
  assert.ok(existsSync(path.join(vs.at, '.local/state/parlance/hub.db')));
  // VS Code deletes folders of removed extensions, and their data, at a later start.
  const ofVsCode = /^(data|extensions)\//;
  const left = readdirSync(vs.at, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.relative(vs.at, path.join(one.parentPath ?? one.path, one.name)))
    .filter((file) => file.includes('parlance') && !ofVsCode.test(file) && !file.startsWith('.local/state/parlance/'));
  assert.deepEqual(left, []);
});
