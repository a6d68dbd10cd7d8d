// SPDX-License-Identifier: Apache-2.0
// node bench/browser/webview.mjs [ROUNDS]: measures the time from the command to the page in a real VS Code. Compares the chat in the side
// bar and in a tab of the editor with the smallest possible webview of an extension. In one window, in turns; between the turns, the tab is
// closed and the side bar shows the files. Prints the figures of each round, and the medians. Needs the requirements of the tests in
// tests/vscode.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { open } from '../../tests/vscode/session.mjs';
import { packExtension } from '../../tests/vscode/own_extension.mjs';

const rounds = Number(process.argv[2] ?? 7);
const LOOK_MS = 5;
const GIVE_UP_MS = 60_000;

const least = {
  manifest: JSON.stringify({
    name: 'least',
    displayName: 'least',
    description: 'the least webview',
    publisher: 'parlance',
    version: '1.0.0',
    engines: { vscode: '^1.90.0' },
    main: 'extension.js',
    contributes: {
      commands: [
        { command: 'least.open', title: 'Open the Least Webview', category: 'least' },
        { command: 'least.show', title: 'Show the Least View', category: 'least' },
      ],
      viewsContainers: { activitybar: [{ id: 'least', title: 'least', icon: 'none.svg' }] },
      views: { least: [{ type: 'webview', id: 'least.view', name: 'least' }] },
    },
  }),
  script: `const vscode = require('vscode');
const html = '<!doctype html><body><p class="least">It stands.</p></body>';
const retained = { webviewOptions: { retainContextWhenHidden: true } };
exports.activate = (context) => context.subscriptions.push(
  vscode.commands.registerCommand('least.open', () => { vscode.window.createWebviewPanel('least', 'least', vscode.ViewColumn.One, { enableScripts: true }).webview.html = html; }),
  vscode.commands.registerCommand('least.show', () => vscode.commands.executeCommand('least.view.focus')),
  vscode.window.registerWebviewViewProvider('least.view', { resolveWebviewView: (view) => { view.webview.html = html; } }, retained));`,
};

async function untilShown(ui, selector) {
  for (const until = Date.now() + GIVE_UP_MS; Date.now() < until;) {
    for (const frame of ui.page.frames())
      if (
        await frame
          .locator(selector)
          .first()
          .isVisible()
          .catch(() => false)
      )
        return;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
  throw new Error(`no webview shows ${selector}`);
}

async function opened(ui, { command, selector, leave }) {
  await ui.command(command);
  await untilShown(ui, selector);
  const ms = Date.now() - ui.chosenAt;
  await leave(ui);
  return ms;
}

const closeTab = (text) => async (ui) => {
  await ui.tabs(text).locator('.codicon-close').first().click();
  await ui.tabs(text).waitFor({ state: 'detached' });
};
async function showFiles(ui) {
  await ui.page.keyboard.press('Control+Shift+E');
  await ui.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
}
const chat = '.composer textarea';
const sides = {
  'the chat in the side bar': { command: 'parlance: Show Chat', selector: chat, leave: showFiles, most: 500 },
  'the least webview there': { command: 'least: Show the Least View', selector: '.least', leave: showFiles },
  'the chat in a tab': {
    command: 'parlance: Open Chat in an Editor Tab',
    selector: chat,
    leave: closeTab('parlance'),
    most: 500,
  },
  'the least webview in a tab': {
    command: 'least: Open the Least Webview',
    selector: '.least',
    leave: closeTab('least'),
  },
};
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const vsix = await packExtension(least.manifest, least.script, join(tmpdir(), `least-${process.pid}.vsix`));
const { vs, ui } = await open({
  files: { 'main.cpp': 'int main() {}\n' },
  scenario: { announce: false, turns: [] },
  moreVsix: [vsix],
});
try {
  await ui.openFile('main.cpp');
  const seen = new Map(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round <= rounds; ++round)
    for (const [name, side] of Object.entries(sides)) {
      const ms = await opened(ui, side);
      console.log(`${round === 0 ? 'first' : `round ${round}`}, ${name}: ${ms} ms`);
      if (round > 0) seen.get(name).push(ms); // the first starts our program and wakes the extensions
    }
  console.log(`\nmedians of ${rounds}`);
  for (const [name, { most }] of Object.entries(sides)) {
    const ms = median(seen.get(name));
    console.log(`${name}: ${ms} ms${most ? ` (at most ${most}: ${ms <= most ? 'reached' : 'not reached'})` : ''}`);
  }
} finally {
  await ui.close();
  await vs.stop();
  await rm(vsix);
}
