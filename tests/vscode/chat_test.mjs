// SPDX-License-Identifier: Apache-2.0
// The extension in a real VS Code, installed from its VSIX: a conversation with the rehearsal, its questions, its diffs, its programs.

import assert from 'node:assert/strict';
import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BridgeClient, processOf } from './bridge_client.mjs';
import { onDisk, open } from './session.mjs';
import { eventually, say } from './workbench.mjs';

const MAIN = 'int main() {\n  return 0;\n}\n';
const edit = (user, oldText, newText, done) => ({
  user,
  steps: [
    {
      say: 'I change one line.',
      calls: [{ name: 'edit_file', arguments: { path: 'main.cpp', old_text: oldText, new_text: newText } }],
    },
    { say: done, refused: { say: 'As you wish: nothing was changed.' } },
  ],
});
const scenario = {
  announce: false,
  turns: [
    edit('exit code', 'return 0;', 'return 42;', 'Changed.'),
    edit('other code', 'return 43;', 'return 7;', 'Never said.'),
    edit('by card', 'return 43;', 'return 8;', 'Allowed by card.'),
    edit('on its card', 'return 8;', 'return 9;', 'Never said.'),
    edit('once more', 'return 8;', 'return 9;', 'Never said.'),
    { user: 'explain', steps: [{ say: 'It is **main**.' }] },
  ],
};

let vs, ui, chat;
before(async () => {
  ({ vs, ui } = await open({ files: { 'main.cpp': MAIN, 'crlf.txt': 'one\r\ntwo\r\nthree\r\n' }, scenario }));
});
after(async () => {
  await ui?.close();
  await vs?.stop();
});

const disk = () => readFile(onDisk(vs, 'main.cpp'), 'utf8');
const proposed = () => ui.page.locator('.monaco-diff-editor .editor.modified');
const proposalTab = () => ui.tabs('main.cpp (proposed)');
const button = (name) =>
  ui.page
    .locator('.title-actions .action-label, .editor-actions .action-label')
    .and(ui.page.getByRole('button', { name }))
    .first();
const turnEnds = (text) => chat.getByText(text).last().waitFor();

test('no program runs before its first use', async () => {
  await ui.openFile('main.cpp');
  assert.equal(processOf(vs.at, 'up'), undefined);
  await ui.command('parlance: New Chat');
  chat = await ui.webview('.composer textarea');
  await eventually(() => processOf(vs.at, 'up') !== undefined, 'the program of the VSIX is started');
});

test('the current view is sent, and the chip says so', async () => {
  await chat.locator('.chip.context', { hasText: 'main.cpp' }).waitFor();
  await chat.locator('.begin select').first().waitFor();
  await eventually(
    () => chat.locator('.composer textarea').evaluate((e) => e === document.activeElement),
    'a new chat can be written to at once',
  );
  await ui.tab('main.cpp').click();
  await ui.page.locator('.monaco-editor .view-line', { hasText: 'return 0' }).first().click();
  await ui.page.keyboard.press('Home');
  await ui.page.keyboard.press('Shift+End');
  await chat.locator('.chip.context', { hasText: 'main.cpp:2' }).waitFor();
});

test('a change opens as a diff without taking the focus; the edited version is written', async () => {
  await say(chat, 'exit code please');
  await proposalTab().waitFor();
  await proposed().locator('.view-line', { hasText: 'return 42;' }).waitFor();
  await eventually(
    async () => (await ui.status().innerText()).includes('1 waits for you'),
    'the status bar says that something waits',
  );
  assert.equal(await ui.badge().innerText(), '1');
  assert.ok(
    await chat.locator('.composer textarea').evaluate((e) => e.ownerDocument.hasFocus()),
    'the keyboard stays in the chat',
  );
  await ui.picture('diff');
  await ui.stepPicture('diff', { x: 48, y: 35, width: 1180, height: 640 });
  await proposed().locator('.view-line', { hasText: 'return 42;' }).click();
  await ui.page.keyboard.press('End');
  await ui.page.keyboard.press('Backspace');
  await ui.page.keyboard.press('Backspace');
  await ui.page.keyboard.type('3;');
  await proposed().locator('.view-line', { hasText: 'return 43;' }).waitFor();
  assert.equal(await disk(), MAIN);
  await ui.command('parlance: Accept Changes');
  await turnEnds('Changed.');
  assert.match(
    await chat.locator('.looked-at').last().innerText(),
    /main\.cpp.*2/,
    'the message tells what was looked at',
  );
  assert.equal(await disk(), MAIN.replace('0', '43'));
  await eventually(async () => (await proposalTab().count()) === 0, 'the tab goes');
  assert.equal(await ui.tab('main.cpp').count(), 1);
  await eventually(async () => !(await ui.badge().isVisible()), 'the badge goes');
  await ui.stepPicture('chat', { x: 0, y: 35, width: 560, height: 843 });
});

test('a rejected diff changes nothing; a disabled view stays out of the prompt', async () => {
  await chat.locator('.chip.context').click();
  const told = await chat.locator('.looked-at').count();
  await say(chat, 'other code please');
  await proposalTab().waitFor();
  await proposalTab().click();
  await button(/Reject Changes/).click();
  await turnEnds('As you wish: nothing was changed.');
  assert.equal(await chat.locator('.looked-at').count(), told, 'for this message only');
  assert.equal(await chat.locator('.chip.context').getAttribute('aria-pressed'), 'true');
  assert.equal(await disk(), MAIN.replace('0', '43'));
  await eventually(async () => (await proposalTab().count()) === 0, 'the tab goes');
});

test('closing the diff decides nothing, the card reopens the diff, and an answer closes the diff', async () => {
  await say(chat, 'by card please');
  await proposalTab().waitFor();
  await proposalTab().locator('.codicon-close').click();
  await eventually(async () => (await proposalTab().count()) === 0, 'it is closed');
  const card = chat.locator('[data-ask]');
  await card.getByRole('button', { name: 'Open in the editor' }).click();
  await proposalTab().waitFor();
  await card.getByRole('button', { name: /^Allow once/ }).click();
  await turnEnds('Allowed by card.');
  assert.equal(await disk(), MAIN.replace('0', '8'));
  await eventually(async () => (await proposalTab().count()) === 0, 'the diff goes with its card');
  await ui.picture('chat');
});

test('in a side bar of 280 px the row below the message is whole, including the mode', async () => {
  const width = () => chat.locator('body').evaluate((e) => e.clientWidth);
  const edge = await ui.page.locator('.part.sidebar').boundingBox();
  const at = edge.x + edge.width;
  const pull = async (from, to) => {
    await ui.page.mouse.move(from, 400);
    await ui.page.mouse.down();
    await ui.page.mouse.move(to, 400, { steps: 5 });
    await ui.page.mouse.up();
  };
  const narrower = (await width()) - 280;
  await pull(at, at - narrower);
  await eventually(async () => Math.abs((await width()) - 280) <= 2, 'it is narrow');
  const composer = await chat.locator('.composer').boundingBox();
  const chips = await chat.locator('.composer .chip:visible').all();
  assert.ok(chips.length >= 2);
  for (const chip of chips) {
    const box = await chip.boundingBox();
    const [name, cut, covered] = await chip.evaluate((e) => {
      const { left, right, top, height } = e.getBoundingClientRect();
      return [
        e.className,
        e.scrollWidth - e.clientWidth,
        [left + 3, right - 3].filter((x) => document.elementFromPoint(x, top + height / 2)?.closest('.chip') !== e)
          .length,
      ];
    });
    assert.ok(box.x >= composer.x && box.x + box.width <= composer.x + composer.width, `${name} is inside`);
    assert.deepEqual([cut, covered], [0, 0], `${name} is whole, and nothing lies over it`);
  }
  await ui.shot('vscode-narrow');
  await pull(at - narrower, at);
});

test('where a change is shown is a setting: on its card with a way to the editor, or on its card alone', async () => {
  await mkdir(onDisk(vs, '.vscode'));
  const set = (value) => writeFile(onDisk(vs, '.vscode/settings.json'), JSON.stringify({ 'parlance.diff': value }));
  const way = chat.locator('[data-ask]').getByRole('button', { name: 'Open in the editor' });
  const reject = async () => {
    await chat.locator('[data-ask]').getByRole('button', { name: 'Reject', exact: true }).click();
    await eventually(
      async () => (await proposalTab().count()) === 0 && (await chat.locator('[data-ask]').count()) === 0,
      'it is answered',
    );
  };
  await say(chat, 'on its card please');
  await proposalTab().locator('.codicon-close').click();
  await way.waitFor();
  await set('off');
  await eventually(async () => (await way.count()) === 0, 'there is no way to the editor');
  await set('inline');
  await way.click();
  await proposalTab().waitFor();
  await reject();
  await say(chat, 'once more please');
  await way.waitFor();
  await new Promise((resolve) => {
    setTimeout(resolve, 500);
  });
  assert.equal(await proposalTab().count(), 0, 'nothing opens by itself');
  await reject();
  await set('editor');
  assert.equal(await disk(), MAIN.replace('0', '8'));
});

test('a killed program restarts with its conversation', async () => {
  const { pid } = processOf(vs.at, 'up');
  process.kill(pid, 'SIGKILL');
  await eventually(() => {
    const now = processOf(vs.at, 'up');
    return now !== undefined && now.pid !== pid;
  }, 'another one runs');
  await eventually(
    async () =>
      (await chat.locator('.banner.lost').count()) === 0 && (await chat.getByText('Allowed by card.').count()) > 0,
    'the page is back',
  );
  await say(chat, 'explain');
  await turnEnds('main');
});

test('a reload keeps the conversation, without outdated diffs', async () => {
  const agent = await BridgeClient.connect(vs.at);
  await agent.call('showDiff', { title: 'Left over', originalPath: onDisk(vs, 'main.cpp'), modifiedContent: 'x' });
  await ui.tabs('Left over').waitFor();
  await ui.reload();
  agent.close();
  chat = await ui.webview('.composer textarea');
  await eventually(
    async () => (await ui.tabs('main.cpp').count()) > 0 && (await ui.tabs('Left over').count()) === 0,
    'it goes',
  );
  await chat.getByText('As you wish: nothing was changed.').first().waitFor();
  await ui.shot('vscode-reloaded');
});

/** Cancelled diffs disappear, even if another diff covered them before they were drawn. */
async function coveredDiffsEnd(agent, main) {
  const covered = [0, 1, 2].map((n) =>
    agent.call('openDiff', { path: main, newContent: `${n}`, title: `At once ${n}` }),
  );
  for (const n of covered.keys()) await ui.tabs(`At once ${n}`).waitFor();
  await ui.tabs('At once 0').click();
  await ui.command('parlance: Accept Changes');
  assert.deepEqual(await covered[0], { success: true, outcome: 'accepted', finalContent: '0', edited: false });
  for (const one of covered.slice(1)) {
    agent.cancel(one);
    await assert.rejects(one, { code: -32800 });
  }
  await eventually(
    async () => (await ui.tabs('At once').count()) === 0,
    'diffs that others covered before they were drawn go as well',
  );
}

test('the bridge, from a program of the terminal: looking, diffs, changes', async () => {
  const agent = await BridgeClient.connect(vs.at);
  try {
    const main = onDisk(vs, 'main.cpp');
    assert.deepEqual(await agent.call('ping'), { pong: true });
    assert.equal((await agent.call('getWorkspaceFolder')).folder, vs.folder);
    assert.deepEqual(await agent.call('openFile', { path: main, line: 2, column: 2 }), {
      success: true,
      message: `Opened file: ${main}`,
    });
    await eventually(
      async () => (await agent.call('getSelection')).selection?.start.line === 1,
      'the cursor is in the second line',
    );
    const { file } = await agent.call('getActiveFile');
    assert.deepEqual(
      [file.path, file.language, file.lineCount, file.content],
      [main, 'cpp', 4, MAIN.replace('0', '8')],
    );
    await eventually(
      () => agent.notifications.some((one) => one.method === 'contextChanged' && one.params.activeFile?.path === main),
      'the context is told',
    );

    for (const [n, seen] of [true, false, true, false, true].entries()) {
      // a tab may be seen before VS Code tells of it
      const rejected = agent.call('openDiff', { path: main, newContent: 'x', title: `Change ${n}` });
      if (seen) await ui.tabs(`Change ${n}`).waitFor();
      agent.cancel(rejected);
      await assert.rejects(rejected, { code: -32800 });
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    await eventually(async () => (await ui.tabs('Change ').count()) === 0, 'cancelled diffs go');

    await coveredDiffsEnd(agent, main);
    const accepted = agent.call('openDiff', { path: onDisk(vs, 'new.md'), newContent: '# new\n', title: 'A new file' });
    await ui.tabs('A new file').waitFor();
    await ui.tabs('A new file').click();
    await ui.command('parlance: Accept Changes');
    assert.deepEqual(await accepted, { success: true, outcome: 'accepted', finalContent: '# new\n', edited: false });

    const crlf = onDisk(vs, 'crlf.txt');
    const applied = agent.call('applyChanges', { path: crlf, oldStr: 'one\ntwo', newStr: 'one\n$&' });
    await ui.tabs('crlf.txt (proposed)').click();
    await ui.command('parlance: Accept Changes');
    assert.deepEqual(await applied, { success: true, message: `Applied changes to ${crlf}` });
    assert.equal(await readFile(crlf, 'utf8'), 'one\r\n$&\r\nthree\r\n');
  } finally {
    agent.close();
  }
});

test('a chat in the integrated terminal finds this window by its environment', async () => {
  await ui.openFile('main.cpp');
  await ui.command('Terminal: Create New Terminal');
  await ui.page.locator('.terminal-wrapper.active .xterm-helper-textarea').waitFor({ state: 'attached' });
  const program = await readlink(`/proc/${processOf(vs.at, 'up').pid}/exe`);
  const heard = () => readFile(onDisk(vs, 'heard.txt'), 'utf8').catch(() => '');
  await ui.page.keyboard.type(
    `echo /testvs | ${program} chat parlance --model rehearsal --state ${vs.at}/chats > heard.txt 2>&1\n`,
  );
  await proposalTab().first().click(); // the change that it tries is asked about, and changes nothing
  await ui.command('parlance: Accept Changes');
  await eventually(async () => (await heard()).includes('of 6 work'), 'it has tried everything');
  const said = await heard();
  assert.match(said, /RPC client started/);
  assert.match(said, /Mode: VSCode RPC/);
  assert.match(said, /6 of 6 work/);
  await eventually(async () => (await ui.tabs('parlance test').count()) === 0, 'the diff that it has shown goes');
});

test('Claude Code finds this window in a terminal', async () => {
  await ui.command('Terminal: Create New Terminal');
  await ui.page.locator('.terminal-wrapper.active .xterm-helper-textarea').waitFor({ state: 'attached' });
  const told = () => readFile(onDisk(vs, 'told.txt'), 'utf8').catch(() => '');
  await ui.page.keyboard.type('echo "port $CLAUDE_CODE_SSE_PORT $ENABLE_IDE_INTEGRATION" > told.txt\n');
  await eventually(async () => (await told()).endsWith('\n'), 'the terminal has said it');
  const port = /^port (\d+) true$/m.exec(await told())?.[1];
  assert.ok(port, await told());
  let lock;
  await eventually(
    async () => (lock = JSON.parse(await readFile(join(vs.at, `.claude/ide/${port}.lock`), 'utf8'))) !== undefined,
    'it is there',
  );
  assert.deepEqual(lock.workspaceFolders, [vs.folder]);
  const answer = await fetch(`http://127.0.0.1:${port}/`).then(
    (one) => one.status,
    () => 0,
  );
  assert.ok(answer >= 400, 'it listens, and wants its token');
});

test('no request left this machine', () => assert.deepEqual(ui.foreign, []));
