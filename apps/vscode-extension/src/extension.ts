// SPDX-License-Identifier: Apache-2.0
// The parts of the extension. Activates after the start of VS Code, so that terminals receive the address of this window; programs start on
// first use.

import * as vscode from 'vscode';
import { apiOf, type Parlance } from './api';
import { AskDiffs } from './editor/ask_diffs';
import { BridgeSession } from './editor/bridge_session';
import { registerCommands } from './editor/commands';
import { connectModel } from './editor/connect_model';
import { Focus } from './editor/focus';
import { Proposals } from './editor/proposals';
import { OtherAgents } from './editor/other_agents';
import { offerToMove } from './editor/older_settings';
import { diffStyle, moverOf, otherAgentsWanted, Settings } from './editor/settings';
import { Status } from './editor/status';
import { VsCodeEditor } from './editor/vscode_editor';
import { Gateway, type GatewayProgram } from './gateway/gateway';
import { Inbox, InboxLink } from './gateway/inbox';
import { Pages } from './page/page_view';
import { ServedWebviews } from './page/served_webviews';
import { registerSqlite } from './sqlite/register';

let ending: (() => Promise<unknown>) | undefined;

function programLog(log: vscode.LogOutputChannel): (line: string) => void {
  return (line) => log.info(line);
}

/** Whether a conversation belongs to this window; a conversation without a folder belongs to every window. */
function isOurs(folder: string): boolean {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((workspaceFolder) => workspaceFolder.uri.fsPath);
  return folders.length === 0 || folders.some((parent) => folder === parent || folder.startsWith(`${parent}/`));
}

/** Inserts at the cursor or over the selection; a page in its own tab leaves the previous cursor in place. */
async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) throw new Error('No file is open that it could be put into.');
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
}

async function openAt(path: string, line: number): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at), preview: true });
}

/** A text, unlike a Uri, keeps the encoding of a query; a login's redirect address needs it. VS Code takes both. */
function openOutside(url: string): void {
  void vscode.env.openExternal(url as unknown as vscode.Uri);
}

function faultReporter(log: vscode.LogOutputChannel): (why: unknown) => void {
  return (why) => {
    log.error(String(why));
    void vscode.window.showErrorMessage(why instanceof Error ? why.message : String(why));
  };
}

/** Opens the proposal of a request, if its conversation has a folder. */
function openDiff(diffs: AskDiffs, inbox: Inbox, id: string): void {
  const ask = inbox.asks.get(id);
  const folder = ask && inbox.conversations.get(ask.conversation)?.folder;
  if (ask && folder !== undefined) void diffs.open(ask, folder);
}

/** The gateway's program, with the keys of models for its time. */
async function withKeys(settings: Settings, told: (why: unknown) => void): Promise<GatewayProgram> {
  const keys = settings.keys();
  await keys.publish().catch(told); // a fault concerns models with a key only
  void keys.prune().catch(() => {}); // the next start tries again
  return { ...settings.gateway(), ending: () => keys.withdraw() };
}

function offerRestart(why: string): void {
  void vscode.window.showErrorMessage(`parlance keeps ending: ${why}`, 'Start again', 'Show output').then((choice) => {
    if (choice)
      void vscode.commands.executeCommand(choice === 'Start again' ? 'parlance.start' : 'parlance.showOutput');
  });
}

/** Serves agents in terminals: starts with the first terminal, and follows trust and the setting. */
async function followTerminals(
  context: vscode.ExtensionContext,
  others: OtherAgents,
  told: (why: unknown) => void,
): Promise<void> {
  const serve = async () => {
    if (!otherAgentsWanted()) await others.stop();
    else if (vscode.window.terminals.length > 0) await others.start();
    else await others.announce();
  };
  context.subscriptions.push(
    vscode.window.onDidOpenTerminal(() => void serve().catch(told)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void serve().catch(told)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('parlance.otherAgents')) void serve().catch(told);
    }),
  );
  await serve().catch(told);
}

export async function activate(context: vscode.ExtensionContext): Promise<Parlance> {
  const log = vscode.window.createOutputChannel('parlance', { log: true });
  const focus = new Focus();
  const proposals = new Proposals();
  const editor = new VsCodeEditor(focus, proposals);
  const status = new Status();
  const settings: Settings = new Settings(context, focus, () => bridge.environment());
  const told = faultReporter(log);
  const gateway = new Gateway(() => withKeys(settings, told), programLog(log));
  const update = () => status.update(gateway.state, inbox(), bridge.status, pages.view);
  const bridge: BridgeSession = new BridgeSession(editor, focus, settings, log, update);
  const diffs = new AskDiffs({
    show: (proposal) => proposals.show(proposal),
    answer: (ask, option, edited) => link.answer(ask, option, edited),
    ours: isOurs,
    failed: told,
  });
  const pages: Pages = new Pages(context.extensionUri, context.workspaceState, gateway, focus, {
    open: (path, line) => void openAt(path, line).catch(told),
    insert: (text) => void insertAtCursor(text).catch(told),
    diff: (id) => openDiff(diffs, inbox(), id),
    external: openOutside,
    keys: () => settings.keys(),
  });
  const none = new Inbox();
  const inbox = (): Inbox => (ready ? link.inbox : none);
  let ready = false;
  const follow = (now: Inbox) => {
    if (!ready) return;
    diffs.follow(now, diffStyle() === 'editor');
    update();
  };
  const link: InboxLink = new InboxLink(gateway, follow, told);
  ready = true;
  gateway.onChange((state) => {
    update();
    if (state.state === 'failed') offerRestart(state.why);
  });
  const sqlite = registerSqlite(context, settings, log);
  const webviews = new ServedWebviews(gateway, focus, openAt);
  const commands = registerCommands({
    editor,
    gateway,
    pages,
    bridge,
    log,
    openOwnWebview: () => webviews.openOwn().catch(told),
    openDatabase: (uri) => sqlite.open(uri),
    connectModel: () => connectModel(gateway, link, settings.keys()).catch(told),
  });
  context.subscriptions.push(log, focus, proposals, status, bridge, pages, link, sqlite, webviews, commands);
  const variables = context.environmentVariableCollection;
  const others = new OtherAgents((ports) => settings.otherAgents(ports), variables, programLog(log));
  ending = () => Promise.all([gateway.stop(), bridge.stop(), sqlite.stop(), others.stop()]);
  update();
  await bridge.listen(variables).catch(told);
  await followTerminals(context, others, told);
  void offerToMove(moverOf(context)).catch(told);
  return apiOf(bridge.added, webviews);
}

export async function deactivate(): Promise<void> {
  await ending?.();
}
