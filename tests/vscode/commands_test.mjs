// SPDX-License-Identifier: Apache-2.0
// The extension's commands in a real VS Code, in a workspace of two folders: each runs as for a person, and has its effect.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BridgeClient, processOf } from './bridge_client.mjs';
import { onDisk, open } from './session.mjs';
import { eventually, say } from './workbench.mjs';

const scenario = {
  announce: false,
  turns: [
    { user: 'Explain what is selected', steps: [{ say: 'It returns.' }] },
    { user: 'Explain', steps: [{ say: 'It is a file.' }] },
    { user: 'Write tests', steps: [{ say: 'They are written.' }] },
    {
      user: 'what is looked at',
      steps: [
        { say: 'I look.', calls: [{ name: 'editor__editor_selection', arguments: {} }] },
        { say: 'I have looked.' },
      ],
    },
    { user: 'Fix these problems', steps: [{ say: 'They are fixed.' }] },
  ],
};

let vs, ui, chat;
before(async () => {
  ({ vs, ui } = await open({
    settings: { 'files.exclude': { '**/main_old.cpp': true, '**/main_new.cpp': false } },
    files: {
      'main.cpp': 'int main() {\n  return 0;\n}\n',
      'main_old.cpp': '',
      'main_new.cpp': '',
      'wrong.json': '{"a": }\n',
    },
    roots: { second: { 'two.cpp': 'int two();\n' } },
    databases: { 'a.db': "CREATE TABLE words(word); INSERT INTO words VALUES('found')" },
    scenario,
  }));
});
after(async () => {
  await ui?.close();
  await vs?.stop();
});

const field = (label) => chat.getByLabel(label, { exact: true });
const asked = (text) => chat.locator('.item.user').filter({ hasText: text }).last();
const logOfTheExtension = async () => {
  const logs = (await readdir(join(vs.at, 'data/logs'), { recursive: true })).filter((one) =>
    one.endsWith('parlance.log'),
  );
  return (await Promise.all(logs.map((one) => readFile(join(vs.at, 'data/logs', one), 'utf8')))).join('');
};

test('a new chat begins in the folder of the current file, and follows to another folder', async () => {
  await ui.openFile('main.cpp');
  await ui.command('parlance: New Chat');
  chat = await ui.webview('.composer textarea');
  await eventually(async () => (await field('Folder').inputValue()) === vs.folder, 'the folder of main.cpp');
  await ui.openFile('two.cpp');
  await eventually(async () => (await field('Folder').inputValue()) === join(vs.at, 'second'), 'the folder of two.cpp');
  await ui.tab('main.cpp').click();
  await eventually(async () => (await field('Folder').inputValue()) === vs.folder, 'and back');
});

test('files behind @ are the files of the explorer', async () => {
  await chat.locator('.composer textarea').pressSequentially('@main_');
  const offered = chat.getByRole('listbox').getByRole('option');
  await offered.getByText('main_new.cpp').waitFor();
  assert.deepEqual(
    (await offered.allInnerTexts()).filter((one) => one.includes('main_old.cpp')),
    [],
  );
  await chat.locator('.composer textarea').fill('');
});

test('the selection is explained, and tests are written for the selection', async () => {
  await ui.page.locator('.monaco-editor .view-line', { hasText: 'return 0' }).first().click();
  await ui.page.keyboard.press('Home');
  await ui.page.keyboard.press('Shift+End');
  await ui.command('parlance: Explain Selection');
  await asked('main.cpp:2').waitFor();
  await chat.getByText('It returns.').waitFor();
  await ui.command('parlance: Generate Tests');
  await chat.getByText('They are written.').waitFor();
});

test('an agent of the chat looks into the editor by itself', async () => {
  await say(chat, 'Tell me what is looked at');
  const call = chat.locator('.item.tool').filter({ hasText: 'editor_selection' }).first();
  await eventually(async () => {
    const allow = chat.locator('[data-ask]').getByRole('button', { name: /^Allow once/ });
    if ((await allow.count()) > 0) await allow.first().click({ timeout: 1000 });
    return (await chat.getByText('I have looked.').count()) > 0;
  }, 'it has looked');
  if (!(await call.getByText('return 0;').first().isVisible())) await call.locator('button, summary').first().click();
  await call.getByText('return 0;').first().waitFor();
});

test('problems known to the editor are sent to the agent, with their places', async () => {
  await ui.openFile('wrong.json');
  await ui.page.locator('.squiggly-error').first().waitFor({ state: 'attached' });
  await ui.command('parlance: Fix Problems');
  await asked('wrong.json:1: error: Value expected').waitFor();
  await chat.getByText('They are fixed.').waitFor();
});

test('a database opens from the menu of the explorer', async () => {
  await ui.page.keyboard.press('Control+Shift+E');
  await ui.fromExplorer('a.db', 'Open SQLite Database');
  const viewer = await ui.webview('.viewer');
  await viewer.getByText('found').waitFor();
  await ui.tab('a.db').locator('.codicon-close').first().click();
  await ui.command('parlance: Show Chat');
  chat = await ui.webview('.composer textarea');
  await chat.getByText('They are fixed.').waitFor(); // the earlier conversation
});

test('the chat in a tab of the editor is the same chat, and the side bar stays in step', async (t) => {
  await ui.command('parlance: Open Chat in an Editor Tab');
  const pages = async () => {
    const all = [];
    for (let i = 0; i < (await ui.page.locator('iframe.webview.ready').count()); ++i) {
      const inner = ui.page.frameLocator('iframe.webview.ready').nth(i).frameLocator('#active-frame');
      if (
        (await inner
          .locator('.composer textarea')
          .count()
          .catch(() => 0)) > 0
      )
        all.push(inner);
    }
    return all;
  };
  await eventually(async () => (await pages()).length === 2, 'both stand');
  const whole = Date.now() - ui.chosenAt;
  const all = await pages();
  const wide = async (page) => await page.locator('nav .title').first().isVisible(); // the list of conversations has space beside
  const [tab, side] = (await wide(all[0])) ? all : all.toReversed();
  const { asked, painted } = await tab.locator('#app').evaluate(() => ({
    asked: Math.min(...performance.getEntriesByType('resource').map((one) => one.startTime)),
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  }));
  // VS Code creates the frame, its service worker and the document; the rest is ours.
  t.diagnostic(
    `a page in a tab stands ${whole} ms after the command (looked at every 50 ms); ${Math.round(painted - asked)} ms of it from the first request of our document to its first paint`,
  );
  await tab
    .locator('nav .title')
    .getByText(await side.locator('header h1, header .title').first().innerText())
    .first()
    .click();
  await say(tab, 'Explain, said in the tab');
  await side.getByText('It is a file.').first().waitFor();
  await say(side, 'Explain, said at the side');
  await tab.getByText('Explain, said at the side').first().waitFor();
  await ui.picture('chat_tab');
  await ui.tabs('parlance').locator('.codicon-close').first().click();
  chat = await ui.webview('.composer textarea');
});

test('the current view is reported 300 ms after the last change, once', async () => {
  const agent = await BridgeClient.connect(vs.at);
  try {
    const main = onDisk(vs, 'main.cpp');
    await agent.call('openFile', { path: main, line: 1, column: 1 });
    await eventually(
      () => agent.notifications.some((one) => one.method === 'contextChanged' && one.params.activeFile?.path === main),
      'the first is told',
    );
    const selections = [
      ['Home', 'Shift+ArrowRight'],
      ['End', 'Shift+ArrowLeft'],
    ];
    let begun;
    let changed;
    do {
      await new Promise((resolve) => {
        setTimeout(resolve, 600);
      });
      agent.notifications.length = 0;
      const [start, extend] = selections[0];
      selections.reverse(); // each attempt selects other text: a view equal to the last one is not reported
      await ui.page.locator('.monaco-editor .view-line', { hasText: 'int main' }).first().click();
      begun = Date.now();
      await ui.page.keyboard.press(start);
      for (let i = 0; i < 5; ++i) await ui.page.keyboard.press(extend);
      changed = Date.now();
    } while (changed - begun > 250); // on a busy machine, a pause between two keys counts as quiet: again
    const told = () => agent.notifications.filter((one) => one.method === 'contextChanged');
    await eventually(() => told().length > 0, 'the change is told');
    assert.ok(Date.now() - changed >= 200, `told ${Date.now() - changed} ms after the last key: it waits for quiet`);
    await new Promise((resolve) => {
      setTimeout(resolve, 600);
    });
    assert.equal(told().length, 1, JSON.stringify(told()));
  } finally {
    agent.close();
  }
});

test('a withdrawn question closes without a choice', async () => {
  const agent = await BridgeClient.connect(vs.at);
  try {
    const asking = agent.call('confirmDialog', {
      title: 'Delete',
      message: 'all of it',
      options: [
        { id: 'go', label: 'Delete it' },
        { id: 'stay', label: 'Keep it' },
      ],
    });
    await (await ui.webview('h1:has-text("Delete")')).getByText('all of it').waitFor();
    agent.cancel(asking);
    await assert.rejects(asking, { code: -32800 });
    await eventually(async () => (await ui.tabs('Delete').count()) === 0, 'it goes');
    const again = () =>
      agent.call('confirmDialog', {
        title: 'Remove <b>',
        message: 'one of it',
        detail: 'line 1\nline 2',
        options: [
          { id: 'go', label: 'Remove it' },
          { id: 'stay', label: 'Leave it', isDefault: true },
        ],
      });
    const answered = again();
    const question = await ui.webview('h1:has-text("Remove <b>")');
    await question.locator('pre', { hasText: 'line 2' }).waitFor();
    await question.locator('button:enabled').first().waitFor();
    await ui.picture('question');
    await question.getByRole('button', { name: 'Leave it' }).click();
    assert.deepEqual(await answered, { success: true, choice: 'stay' });
    await eventually(async () => (await ui.tabs('Remove').count()) === 0, 'it goes, so that the next one is closed');
    const closed = again();
    await (await ui.webview('h1:has-text("Remove <b>")')).locator('button:enabled').first().waitFor();
    await ui.tabs('Remove').locator('.codicon-close').click();
    assert.deepEqual(await closed, { success: true, choice: null });
  } finally {
    agent.close();
  }
});

test('a repeatedly ending program restarts after growing pauses, with log entries', async () => {
  for (const wait of ['0.25 s', '0.5 s']) {
    const { pid } = processOf(vs.at, 'up');
    process.kill(pid, 'SIGKILL');
    await eventually(
      async () => (await logOfTheExtension()).includes(`started again in ${wait}: ended by SIGKILL`),
      `it waits ${wait}`,
    );
    await eventually(() => {
      const now = processOf(vs.at, 'up');
      return now !== undefined && now.pid !== pid;
    }, 'another one runs');
  }
  await eventually(async () => (await chat.locator('.banner.lost').count()) === 0, 'the page is back');
});

test('stop ends the program, and start starts the program', async () => {
  await ui.command('parlance: Stop');
  await eventually(() => processOf(vs.at, 'up') === undefined, 'it has ended');
  await ui.command('parlance: Start');
  await eventually(() => processOf(vs.at, 'up') !== undefined, 'it runs');
  await eventually(async () => (await chat.locator('.banner.lost').count()) === 0, 'the page is back');
});

test('the integration is tested with the editor itself', async () => {
  await ui.command('parlance: Test the Editor Integration');
  await ui.tabs('(proposed)').first().waitFor(); // its attempted change needs approval
  await ui.tabs('(proposed)').first().click();
  await ui.command('parlance: Accept Changes');
  await eventually(async () => /6 of 6 work/.test(await ui.output()), 'all six work');
  await ui.picture('integration');
});

test('the walkthrough has its steps', async () => {
  await ui.command('Welcome: Open Walkthrough...');
  await ui.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Work with an agent' }).first().click();
  const steps = ui.page.locator('.getting-started-step');
  await steps.filter({ hasText: 'Start a conversation' }).first().waitFor();
  assert.deepEqual(
    (await ui.page.locator('.getting-started-step h3').allInnerTexts()).map((one) => one.trim()),
    ['Start a conversation', 'Review and edit a change', 'Open a database'],
  );
  await ui.command('View: Hide Panel'); // makes space for pictures
  for (const [title, picture] of [
    ['Open a database', 'people.db'],
    ['Review and edit a change', 'main.cpp'],
    ['Start a conversation', 'the side bar'],
  ]) {
    await steps.filter({ hasText: title }).first().click();
    const drawn = (await ui.webview(`img[alt*="${picture}"]`)).locator('img');
    await eventually(
      () => drawn.evaluate((e) => e.naturalWidth > 500 && e.clientWidth > 300),
      `${title} has its picture`,
    );
    await ui.shot(`vscode-walkthrough-${picture}`);
  }
  await ui.picture('walkthrough');
});

test('no request left this machine', () => assert.deepEqual(ui.foreign, []));
