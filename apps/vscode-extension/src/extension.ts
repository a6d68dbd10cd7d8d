// SPDX-License-Identifier: Apache-2.0
// The parts of the extension. Activates after the start of VS Code, so that terminals receive the address of this window; programs start on
// first use.

import * as vscode from 'vscode';
import { apiOf, type Parlance } from './api';
import { AskDiffs } from './editor/ask_diffs';
import { BridgeSession } from './editor/bridge_session';
import { registerCommands } from './editor/commands';
import { Focus } from './editor/focus';
import { Proposals } from './editor/proposals';
import { OtherAgents } from './editor/other_agents';
import { offerToMove } from './editor/older_settings';
import { diffStyle, moverOf, otherAgentsWanted, Settings } from './editor/settings';
import { Status } from './editor/status';
import { VsCodeEditor } from './editor/vscode_editor';
import { Gateway } from './gateway/gateway';
import { Inbox, InboxLink } from './gateway/inbox';
import { Pages } from './page/page_view';
import { ServedWebviews } from './page/served_webviews';
import { registerSqlite } from './sqlite/register';

let ending: (() => Promise<void>) | undefined;

function programLog(log: vscode.LogOutputChannel): (line: string) => void {
  return (line) => log.info(line);
}

/** Whether a conversation belongs to this window; a conversation without a folder belongs to every window. */
function isOurs(folder: string): boolean {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
  return folders.length === 0 || folders.some((one) => folder === one || folder.startsWith(`${one}/`));
}

/** Inserts at the cursor or over the selection; a page in its own tab leaves the previous cursor in place. */
async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) throw new Error('No file is open that it could be put into.');
  await editor.edit((edit) => { for (const selection of editor.selections) edit.replace(selection, text); });
}

async function openAt(path: string, line: number): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at), preview: true });
}

export async function activate(context: vscode.ExtensionContext): Promise<Parlance> {
  const log = vscode.window.createOutputChannel('parlance', { log: true });
  const focus = new Focus();
  const proposals = new Proposals();
  const editor = new VsCodeEditor(focus, proposals);
  const status = new Status();
  const settings: Settings = new Settings(context, focus, () => bridge.environment());
  const gateway = new Gateway(() => settings.gateway(), programLog(log));

  const told = (why: unknown) => { log.error(String(why)); void vscode.window.showErrorMessage(why instanceof Error ? why.message : String(why)); };
  const update = () => status.update(gateway.state, inbox(), bridge.status, pages.view);
  const bridge: BridgeSession = new BridgeSession(editor, focus, settings, log, update);
  const diffs = new AskDiffs({ show: (proposal) => proposals.show(proposal), answer: (ask, option, edited) => link.answer(ask, option, edited), ours: isOurs, failed: told });
  const pages: Pages = new Pages(context.extensionUri, context.workspaceState, gateway, focus, {
    open: (path, line) => void openAt(path, line).catch(told),
    insert: (text) => void insertAtCursor(text).catch(told),
    diff: (id) => {
      const ask = inbox().asks.get(id);
      const folder = ask && inbox().conversations.get(ask.conversation)?.folder;
      if (ask && folder !== undefined) void diffs.open(ask, folder);
    },
  });
  const none = new Inbox();
  const inbox = (): Inbox => (ready ? link.inbox : none);
  let ready = false;
  const link: InboxLink = new InboxLink(gateway, (now) => { if (ready) { diffs.follow(now, diffStyle() === 'editor'); update(); } }, told);
  ready = true;
  gateway.onChange((state) => {
    update();
    if (state.state === 'failed') void vscode.window.showErrorMessage(`parlance keeps ending: ${state.why}`, 'Start again', 'Show output').then((choice) => { if (choice) void vscode.commands.executeCommand(choice === 'Start again' ? 'parlance.start' : 'parlance.showOutput'); });
  });

  const sqlite = registerSqlite(context, settings, log);
  const webviews = new ServedWebviews(gateway, focus, openAt);
  context.subscriptions.push(log, focus, proposals, status, bridge, pages, link, sqlite, webviews,
    registerCommands({ editor, gateway, pages, bridge, log, openOwnWebview: () => webviews.openOwn().catch(told), openDatabase: (uri) => sqlite.open(uri) }));
  const others = new OtherAgents((ports) => settings.otherAgents(ports), context.environmentVariableCollection, programLog(log));
  ending = async () => { await Promise.all([gateway.stop(), bridge.stop(), sqlite.stop(), others.stop()]); };
  update();
  await bridge.listen(context.environmentVariableCollection).catch(told);
  const serveOthers = async () => {
    if (!otherAgentsWanted()) await others.stop();
    else if (vscode.window.terminals.length > 0) await others.start();
    else await others.announce();
  };
  context.subscriptions.push(vscode.window.onDidOpenTerminal(() => void serveOthers().catch(told)), vscode.workspace.onDidGrantWorkspaceTrust(() => void serveOthers().catch(told)),
    vscode.workspace.onDidChangeConfiguration((change) => { if (change.affectsConfiguration('parlance.otherAgents')) void serveOthers().catch(told); }));
  await serveOthers().catch(told);
  void offerToMove(moverOf(context)).catch(told);
  return apiOf(bridge.added, webviews);
}

export async function deactivate(): Promise<void> {
  await ending?.();
}
