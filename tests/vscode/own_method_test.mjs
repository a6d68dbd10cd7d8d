// SPDX-License-Identifier: Apache-2.0
// A method of an extension of the person's own, made as docs/howto/add_an_editor_method.md tells, called by an agent of ours and by one of theirs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { BridgeClient, processOf } from './bridge_client.mjs';
import { block, howto, packExtension } from './own_extension.mjs';
import { onDisk, open } from './session.mjs';
import { eventually, say } from './workbench.mjs';

const run = promisify(execFile);
let vs, ui, page;
const scenario = (at) => ({
  announce: false,
  turns: [
    {
      user: 'how many words',
      steps: [
        { say: 'I look.', calls: [{ name: 'editor__editor_methods', arguments: {} }] },
        {
          say: 'I ask.',
          calls: [
            {
              name: 'editor__editor_call',
              arguments: { method: 'wordCount', params: { path: join(at, 'project/notes.md') } },
            },
          ],
        },
        { say: 'I have counted.' },
      ],
    },
  ],
});

before(async () => {
  page = await howto('add_an_editor_method.md');
  const own = await packExtension(
    block(page, 'json'),
    block(page, 'js'),
    join(tmpdir(), `own-method-${process.pid}.vsix`),
  );
  ({ vs, ui } = await open({
    files: { 'notes.md': 'three words here\n' },
    moreVsix: [own],
    scenario,
    settings: { 'parlance.debugLogging': null },
  }));
  await rm(own);
});
after(async () => {
  await ui?.close();
  await vs?.stop();
});

test('our agent lists and calls an added method', async () => {
  await ui.openFile('notes.md');
  await ui.command('parlance: New Chat');
  const chat = await ui.webview('.composer textarea');
  await chat.locator('.begin select').first().waitFor(); // before it is connected Enter sends nothing
  await say(chat, 'how many words?');
  await eventually(async () => {
    await ui.shot('vscode-own-method');
    const allow = chat.locator('[data-ask]').getByRole('button', { name: /^Allow once/ });
    if ((await allow.count()) > 0) await allow.first().click({ timeout: 1000 });
    return (await chat.getByText('I have counted.').count()) > 0;
  }, 'it has counted');
  const calls = chat.locator('.item.tool, .item.tools');
  for (const call of await calls.all())
    if (!(await call.getByText('"words"').first().isVisible())) await call.locator('button, summary').first().click();
  await chat.getByText('"words":3').first().waitFor();
  await ui.shot('vscode-own-method');
});

test('an agent of theirs calls it by its name, as the page shows', async () => {
  const script = join(vs.at, 'agent.py');
  await writeFile(script, block(page, 'python'));
  const { environment } = processOf(vs.at, 'up');
  const ask = async (path) =>
    JSON.parse(
      (
        await run('python3', [script, path], {
          env: { ...process.env, PARLANCE_EDITOR_SOCKET: environment.PARLANCE_EDITOR_SOCKET },
        })
      ).stdout,
    );
  assert.deepEqual(await ask(onDisk(vs, 'notes.md')), { success: true, words: 3 });
  assert.deepEqual(await ask('/none'), { success: false, error: 'Document not open: /none' });
  const agent = await BridgeClient.connect(vs.at);
  try {
    await assert.rejects(agent.call('wordCount'), { code: -32603, message: "wordCount: 'path' is missing" });
    const { methods } = await agent.call('getAddedMethods');
    assert.deepEqual(
      methods.map(({ name, readOnly }) => [name, readOnly]),
      [['wordCount', true]],
    );
  } finally {
    agent.close();
  }
});
