// SPDX-License-Identifier: Apache-2.0
// The commands, a line each.

import * as vscode from 'vscode';
import type { Editor } from '../bridge/editor';
import type { Gateway } from '../gateway/gateway';
import { VIEW, type Pages } from '../page/page_view';
import { explain, fix, writeTests } from '../prompts';
import type { BridgeSession } from './bridge_session';

export interface Parts {
  editor: Editor;
  gateway: Gateway;
  pages: Pages;
  bridge: BridgeSession;
  log: vscode.LogOutputChannel;
  openDatabase(uri?: vscode.Uri): Promise<void>;
  openOwnWebview(): Promise<void>;
  connectModel(): Promise<void>;
}

/** Nothing is started in a workspace that the person does not trust. */
function trusted(): boolean {
  if (!vscode.workspace.isTrusted)
    void vscode.window
      .showWarningMessage('parlance starts nothing in a workspace that is not trusted.', 'Manage trust')
      .then((choice) => {
        if (choice) void vscode.commands.executeCommand('workbench.trust.manage');
      });
  return vscode.workspace.isTrusted;
}

async function askAbout(
  { editor, pages }: Parts,
  words: (at: NonNullable<ReturnType<Editor['selection']>>) => string,
): Promise<void> {
  const at = editor.selection();
  if (!at) {
    void vscode.window.showInformationMessage('Open a file first.');
    return;
  }
  await pages.compose(words(at), true, true);
}

async function fixProblems({ editor, pages }: Parts): Promise<void> {
  const here = editor.activeFile()?.path;
  const text = fix(here ? editor.diagnostics(here) : []) ?? fix(editor.diagnostics());
  if (text === undefined) void vscode.window.showInformationMessage('There are no problems to fix.');
  else await pages.compose(text, true, true);
}

async function inBrowser({ gateway }: Parts): Promise<void> {
  gateway.start();
  const { state } = gateway;
  if (state.state !== 'ready') {
    void vscode.window.showInformationMessage('parlance is starting: try again in a moment.');
    return;
  }
  const origin = await vscode.env.asExternalUri(vscode.Uri.parse(state.address.origin));
  await vscode.env.openExternal(origin.with({ fragment: `token=${state.address.token}` }));
}

async function say(bridge: BridgeSession): Promise<void> {
  const text = await vscode.window.showInputBox({ prompt: 'To the agent in the output "parlance chat"' });
  if (!text) return;
  bridge.chat.show(true);
  bridge.say(text);
}

async function stop({ gateway, bridge }: Parts): Promise<void> {
  await Promise.all([gateway.stop(), bridge.stop()]);
}

function mention({ editor, bridge }: Parts): void {
  const at = editor.selection();
  if (at) bridge.mention(at.path, at.start.line + 1, at.end.line + 1);
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { pages, gateway, bridge, log } = parts;
  const starting: Record<string, (...args: never[]) => unknown> = {
    newChat: () => pages.compose('', false, true),
    explainSelection: () => askAbout(parts, explain),
    generateTests: () => askAbout(parts, writeTests),
    fixProblems: () => fixProblems(parts),
    start: () => gateway.start(),
    openInBrowser: () => inBrowser(parts),
    startBridge: () => {
      bridge.chat.show(true);
      bridge.start();
    },
    say: () => say(bridge),
    testIntegration: () => {
      bridge.chat.show(true);
      bridge.say('/testvs');
    },
    openSqlite: (uri?: vscode.Uri) => parts.openDatabase(uri),
    openWebview: () => parts.openOwnWebview(),
    connectModel: () => parts.connectModel(),
    mcpServers: () => pages.showMcp(),
  };
  const others: Record<string, (...args: never[]) => unknown> = {
    show: () => vscode.commands.executeCommand(`${VIEW}.focus`),
    openInEditor: () => pages.openPanel(),
    stop: () => stop(parts),
    restart: async () => {
      await stop(parts);
      if (trusted()) gateway.start();
    },
    mention: () => mention(parts),
    showOutput: () => log.show(true),
  };
  const add = (table: typeof others, may: () => boolean) =>
    Object.entries(table).map(([name, run]) =>
      vscode.commands.registerCommand(`parlance.${name}`, (...args: never[]) => (may() ? run(...args) : undefined)),
    );
  return vscode.Disposable.from(...add(starting, trusted), ...add(others, () => true));
}
