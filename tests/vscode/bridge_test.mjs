// SPDX-License-Identifier: Apache-2.0
// The editor bridge in a real VS Code: every method with params that are right and params that are wrong, two windows at once, the program
// that the extension starts.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BridgeClient, processOf } from './bridge_client.mjs';
import { onDisk, open } from './session.mjs';
import { eventually, Workbench } from './workbench.mjs';

const MAIN = 'int main() {\n  return 0;\n}\n';
let vs, ui, agent;
const path = (name) => onDisk(vs, name);
const disk = (name) => readFile(path(name), 'utf8');
before(async () => {
  ({ vs, ui } = await open({
    files: { 'main.cpp': MAIN, 'b.txt': 'one\ntwo\ntwo\n', 'wrong.json': '{"a": }\n' },
    settings: { 'parlance.bridge.arguments': ['chat', 'parlance', '--model', 'rehearsal', '--rehearsal-pace-ms', '2'] },
  }));
  await ui.openFile('main.cpp');
  await eventually(() => windows().length === 1, 'the window listens');
  agent = await BridgeClient.over(windows()[0]);
});
after(async () => {
  agent?.close();
  await ui?.close();
  await vs?.stop();
});

/** The sockets of windows: those that are open, and what was killed may have left one. */
const windows = () =>
  readdirSync(join(vs.at, 'run'), { recursive: true })
    .filter((one) => one.endsWith('editor.sock'))
    .map((one) => join(vs.at, 'run', one));
async function windowOf(folder) {
  for (const address of windows()) {
    const one = await BridgeClient.over(address).catch(() => undefined);
    if (one && (await one.call('getWorkspaceFolder')).folder === folder) return one;
    one?.close();
  }
  return undefined;
}
const failed = (error) => ({ success: false, error });
const tabGone = (text) => eventually(async () => (await ui.tabs(text).count()) === 0, `${text} goes`);
async function answer(title, button) {
  await (await ui.webview(`h1:has-text("${title}")`)).getByRole('button', { name: button }).click();
  await tabGone(title);
}

test('served methods are listed, and wrong params are refused by each method', async () => {
  const hello = await agent.call('initialize', { protocol: 1, client: { name: 'test', version: '1' } });
  assert.equal(hello.protocol, 1);
  assert.match(hello.editor.version, /^1\./);
  assert.equal(hello.methods.length, 23);
  const wrong = Object.fromEntries(
    [
      'protocol',
      'path',
      'originalPath',
      'title',
      'message',
      'level',
      'options',
      'edits',
      'severity',
      'line',
      'oldStr',
      'method',
      'params',
    ].map((name) => [name, [7]]),
  );
  const withoutParams = [
    'ping',
    'getActiveFile',
    'getSelection',
    'getLatestSelection',
    'getOpenEditors',
    'getWorkspaceFolder',
    'getWorkspaceFolders',
    'closeAllDiffs',
    'getAddedMethods',
  ];
  for (const method of hello.methods) {
    if (withoutParams.includes(method)) await agent.call(method, wrong);
    else
      await assert.rejects(
        agent.call(method, wrong),
        (error) => error.code === -32602 && error.message.startsWith(`${method}: '`),
        method,
      );
    await assert.rejects(agent.call(method, [1]), { code: -32602, message: `${method}: 'params' must be an object` });
  }
  await assert.rejects(agent.call('fly'), { code: -32601, message: 'Method not found: fly' });
  const deep = (levels) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  assert.deepEqual(await agent.call('ping', { deep: deep(510) }), { pong: true });
});

const openOnes = async () =>
  (await agent.call('getOpenEditors')).editors.map((one) => [
    one.path,
    one.label,
    one.language,
    one.isActive,
    one.isDirty,
  ]);

test('open, selected, wrong and unsaved documents', async () => {
  await eventually(async () => {
    assert.deepEqual(await openOnes(), [[path('main.cpp'), 'main.cpp', 'cpp', true, false]]);
    return true;
  }, 'VS Code has told of it');
  const { folders, trusted } = await agent.call('getWorkspaceFolders');
  assert.deepEqual([folders, trusted], [[{ name: 'project', path: vs.folder, uri: folders[0].uri }], true]);
  assert.match(folders[0].uri, /project$/);

  await agent.call('openFile', { path: path('wrong.json') });
  let wrong;
  await eventually(
    async () => (wrong = (await agent.call('getDiagnostics', { path: path('wrong.json') })).files[0]) !== undefined,
    'the fault is found',
  );
  assert.match(wrong.diagnostics[0].message, /Value expected/);
  assert.equal(wrong.diagnostics[0].severity, 'Error');
  assert.deepEqual(await agent.call('getDiagnostics', { severity: 'Hint' }), { success: true, files: [] });
  assert.deepEqual(await agent.call('openFile', { path: path('none') }).then((one) => one.success), false);

  assert.deepEqual(
    await agent.call('checkDocumentDirty', { path: path('b.txt') }),
    failed(`Document not open: ${path('b.txt')}`),
  );
  assert.deepEqual(
    await agent.call('saveDocument', { path: path('b.txt') }),
    failed(`Document not open: ${path('b.txt')}`),
  );
  await agent.call('openFile', { path: path('b.txt'), line: 1, column: 0 });
  assert.deepEqual(await agent.call('checkDocumentDirty', { path: path('b.txt') }), {
    success: true,
    isDirty: false,
    isUntitled: false,
  });
  await ui.page.locator('.monaco-editor .view-line', { hasText: 'one' }).first().click();
  await ui.page.keyboard.press('Home');
  await ui.page.keyboard.type('zero ');
  const read = () => agent.call('readDocument', { path: path('b.txt'), startLine: 1, endLine: 2 });
  await eventually(async () => (await read()).content === 'zero one\ntwo', 'what is not saved is read');
  assert.equal((await agent.call('checkDocumentDirty', { path: path('b.txt') })).isDirty, true);
  assert.equal(await disk('b.txt'), 'one\ntwo\ntwo\n');
  assert.deepEqual(await agent.call('saveDocument', { path: path('b.txt') }), { success: true, saved: true });
  assert.equal(await disk('b.txt'), 'zero one\ntwo\ntwo\n');
  await eventually(
    () => agent.notifications.some((one) => one.method === 'documentSaved' && one.params.path === path('b.txt')),
    'it is told',
  );

  await ui.page.keyboard.press('Shift+Home');
  await eventually(async () => (await agent.call('getSelection')).selection.text === 'zero ', 'it is selected');
  await agent.call('openFile', { path: path('main.cpp'), line: 1, column: 0 });
  const { selection } = await agent.call('getLatestSelection');
  assert.deepEqual(selection, {
    path: path('b.txt'),
    text: 'zero ',
    start: { line: 0, character: 0 },
    end: { line: 0, character: 5 },
  });
});

test('an outside file is read or opened only with permission of the person', async () => {
  const outside = join(vs.at, 'outside.txt');
  await writeFile(outside, 'secret\n');
  const refused = agent.call('readDocument', { path: outside });
  await answer('Let the agent read', 'Reject');
  assert.deepEqual(await refused, failed('Rejected by user'));
  const allowed = agent.call('readDocument', { path: outside });
  await answer('Let the agent read', 'Allow');
  assert.equal((await allowed).content, 'secret\n');
  const unopened = agent.call('openFile', { path: outside });
  await answer('Let the agent read', 'Reject');
  assert.deepEqual(await unopened, failed('Rejected by user'));
  assert.equal(await ui.tabs('outside.txt').count(), 0);
});

test('diffs only for display: reported on close, closed by path and all at once', async () => {
  assert.deepEqual(await agent.call('closeDiff'), failed('No diff to close'));
  for (const name of ['main.cpp', 'b.txt', 'new.txt'])
    assert.deepEqual(
      await agent.call('showDiff', { title: `See ${name}`, originalPath: path(name), modifiedContent: 'x' }),
      { success: true, message: `Diff shown: See ${name}` },
    );
  assert.deepEqual(await agent.call('closeDiff', { originalPath: path('main.cpp') }), {
    success: true,
    message: 'Diff closed',
  });
  await tabGone('See main.cpp');
  assert.equal(await ui.tabs('See b.txt').count(), 1);
  assert.deepEqual(await agent.call('closeAllDiffs'), { success: true, closed: 2 });
  await tabGone('See ');
  const told = () =>
    agent.notifications
      .filter((one) => one.method === 'diffClosed')
      .map((one) => [one.params.path, one.params.outcome]);
  await eventually(() => told().length === 3, 'each is told');
  assert.deepEqual(
    told(),
    ['main.cpp', 'b.txt', 'new.txt'].map((name) => [path(name), 'rejected']),
  );
});

test('a waiting diff: rejected by its button, closed, accepted with the edits of the person', async () => {
  const propose = (title) =>
    agent.call('openDiff', { path: path('main.cpp'), newContent: MAIN.replace('0', '1'), title });
  const rejected = propose('First');
  await ui.tabs('First').click();
  await ui.command('parlance: Reject Changes');
  assert.deepEqual(await rejected, { success: true, outcome: 'rejected', reason: 'button' });
  const closed = propose('Second');
  await ui.tabs('Second').locator('.codicon-close').click();
  assert.deepEqual(await closed, { success: true, outcome: 'rejected', reason: 'closed' });
  const accepted = propose('Third');
  await ui.tabs('Third').click();
  await ui.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'return 1;' }).click();
  await ui.page.keyboard.press('End');
  await ui.page.keyboard.type(' // mine');
  await ui.command('parlance: Accept Changes');
  assert.deepEqual(await accepted, {
    success: true,
    outcome: 'accepted',
    finalContent: MAIN.replace('0;', '1; // mine'),
    edited: true,
  });
  assert.equal(await disk('main.cpp'), MAIN, 'what is accepted is for the agent to write');
});

test('allowed changes are made in a single step, and invalid changes are not', async () => {
  const change = (oldStr) => agent.call('applyChanges', { path: path('b.txt'), oldStr, newStr: 'x' });
  assert.deepEqual(await change('none'), failed('Old string not found in file'));
  assert.deepEqual(await change('two'), failed('Old string is not unique (2 matches)'));
  const start = { line: 0, character: 0 };
  const edits = [
    { path: path('main.cpp'), textEdits: [{ range: { start, end: start }, newText: '// first\n' }] },
    { path: path('made.txt'), create: true, textEdits: [{ range: { start, end: start }, newText: 'made\n' }] },
  ];
  const refused = agent.call('applyEdits', { label: 'Two files', edits });
  await answer('Two files', 'Reject');
  assert.deepEqual(await refused, failed('Rejected by user'));
  assert.deepEqual(
    await agent.call('applyEdits', { label: 'Two files', edits, version: 999 }),
    failed('The document has changed since the request'),
  );
  const made = agent.call('applyEdits', { label: 'Two files', edits });
  await answer('Two files', 'Allow');
  assert.deepEqual(await made, { success: true, applied: true, files: [path('main.cpp'), path('made.txt')] });
  assert.deepEqual([await disk('main.cpp'), await disk('made.txt')], [`// first\n${MAIN}`, 'made\n']);
});

test('a message is text, even if similar to a link with a command', async () => {
  assert.deepEqual(
    await agent.call('showMessage', { level: 'warning', message: 'Look [here](command:workbench.action.closeWindow)' }),
    { success: true },
  );
  const notice = ui.page.locator('.notification-toast', { hasText: 'Look [here] (command:' });
  await notice.waitFor();
  assert.equal(await notice.locator('a[href^="command:"], a[data-href^="command:"]').count(), 0);
  assert.deepEqual(await agent.call('getAddedMethods'), { success: true, methods: [] });
  await assert.rejects(agent.call('callAddedMethod', { method: 'none', params: {} }));
});

test('the program of the extension: messages, mentions, and a restart', async () => {
  await ui.command('parlance: Start the Terminal Agent');
  await eventually(() => processOf(vs.at, 'chat') !== undefined, 'it runs');
  await ui.openFile('main.cpp');
  await ui.page.locator('.monaco-editor .view-line', { hasText: 'return 0' }).first().click();
  await ui.page.keyboard.press('Home');
  await ui.page.keyboard.press('Shift+End');
  await ui.command('parlance: Mention Selection');
  await eventually(async () => (await ui.output()).includes('(main.cpp:3 is added to the next message)'), 'it is told');
  const sayIt = async (text) => {
    await ui.command('parlance: Say Something');
    const input = ui.page.locator('.quick-input-widget input[type=text]').first();
    await input.fill(text);
    await input.press('Enter');
  };
  await sayIt('help');
  await eventually(async () => (await ui.output()).includes('remember'), 'it answers');
  const inTheBar = (what) =>
    eventually(async () => (await ui.status().innerText()).includes(what), `the bar says "${what}"`);
  await sayIt('run touch made-by-it && sleep 2');
  await inTheBar('the terminal agent waits for you');
  await ui.shot('vscode-bridge-waits');
  await (await ui.webview('h1:has-text("touch made-by-it")')).getByRole('button', { name: /^Allow once/ }).click();
  await inTheBar('parlance: touch made-by-it && sleep 2');
  await eventually(
    async () => (await ui.status().innerText()).trim() === 'parlance',
    'the bar says nothing of it any more',
  );
  const { pid } = processOf(vs.at, 'chat');
  process.kill(pid, 'SIGKILL');
  await eventually(() => {
    const now = processOf(vs.at, 'chat');
    return now !== undefined && now.pid !== pid;
  }, 'another one runs');
  await ui.command('parlance: Show Output');
  await ui.command('parlance: Restart');
  await eventually(
    () => processOf(vs.at, 'chat') === undefined && processOf(vs.at, 'up') !== undefined,
    'the terminal agent is stopped, the gateway runs',
  );
});

test('two windows at once: each has its own socket, and answers for its own folder', async () => {
  const second = join(vs.at, 'second');
  await mkdir(second);
  await writeFile(join(second, 'two.cpp'), 'int two();\n');
  const other = await Workbench.open(vs.url.replace(/folder=.*/, `folder=${encodeURIComponent(second)}`));
  try {
    let theirs;
    await eventually(async () => (theirs = await windowOf(second)) !== undefined, 'it listens, too');
    await other.openFile('two.cpp');
    await eventually(
      async () => (await theirs.call('getActiveFile')).file?.path === join(second, 'two.cpp'),
      'it is open there',
    );
    assert.equal((await theirs.call('getWorkspaceFolder')).folder, second);
    assert.equal((await agent.call('getWorkspaceFolder')).folder, vs.folder);
    const diff = theirs.call('openDiff', { path: join(second, 'two.cpp'), newContent: 'x', title: 'Of the second' });
    await other.tabs('Of the second').waitFor();
    assert.equal(await ui.tabs('Of the second').count(), 0);
    assert.deepEqual(await agent.call('closeAllDiffs'), { success: true, closed: 0 });
    await other.tabs('Of the second').click();
    await other.command('parlance: Accept Changes');
    assert.equal((await diff).outcome, 'accepted');
    theirs.close();
  } finally {
    await other.close();
  }
});
