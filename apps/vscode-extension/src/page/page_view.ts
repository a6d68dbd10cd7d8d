// SPDX-License-Identifier: Apache-2.0
// The page in the sidebar and in editor tabs: the same page, with a relay for each. The gateway owns their state, so a hidden tab is
// destroyed and recreated when shown. The sidebar's page is kept: VS Code needs over a second for a new webview and 30 ms for an existing
// webview (bench/browser/webview.mjs). People switch between files and chat all day.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Gateway } from '../gateway/gateway';
import { folderOf, type Focus } from '../editor/focus';
import { diffStyle } from '../editor/settings';
import { performed } from '../models/model_requests';
import type { ModelKeys } from '../models/model_keys';
import { pageHtml } from './html';
import { Relay } from './relay';
import { fromPage, type FromPage, type ToPage } from './wire';

export const VIEW = 'parlance.chat';
export const PANEL = 'parlance.chatPanel';
const TALKED = 'chat.talked';

export interface PageEvents {
  open(path: string, line: number): void;
  diff(ask: string): void;
  insert(text: string): void;
  external(url: string): void;
  keys(): ModelKeys;
}

interface ShownIn {
  readonly visible: boolean;
  reveal(): void;
}

/** One page, in a tab or the sidebar. */
class Page {
  private readonly relay: Relay;
  private readonly parts: vscode.Disposable[];
  private held: ToPage[] = []; // for a page before its first message
  private alive = false;

  /** `shownIn`: the view or the tab. */
  constructor(
    readonly webview: vscode.Webview,
    private readonly shownIn: ShownIn,
    private readonly pages: Pages,
  ) {
    this.relay = new Relay(pages.gateway, (message) => this.post(message));
    const root = vscode.Uri.joinPath(pages.extension, 'media', 'page');
    webview.options = { enableScripts: true, localResourceRoots: [root] };
    const at = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString();
    this.parts = [
      webview.onDidReceiveMessage((value: unknown) => {
        const message = fromPage(value);
        if (message) this.take(message);
      }),
    ];
    webview.html = pageHtml({
      script: at('page.js'),
      style: at('page.css'),
      source: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      title: 'parlance',
    });
  }

  get visible(): boolean {
    return this.shownIn.visible;
  }
  reveal(): void {
    this.shownIn.reveal();
  }
  post(message: ToPage): void {
    void this.webview.postMessage(message);
  }
  tell(message: ToPage): void {
    if (this.alive) this.post(message);
    else this.held.push(message);
  }
  /** The greeting of a recreated page, so that no state is kept for the page. */
  keepUp(messages: readonly ToPage[]): void {
    if (this.alive) for (const message of messages) this.post(message);
  }
  hidden(): void {
    this.alive = false;
    this.relay.close();
  }
  dispose(): void {
    this.relay.dispose();
    vscode.Disposable.from(...this.parts).dispose();
  }

  private take(message: FromPage): void {
    if (message.type === 'open') this.pages.events.open(message.path, message.line);
    else if (message.type === 'diff') this.pages.events.diff(message.ask);
    else if (message.type === 'insert') this.pages.events.insert(message.text);
    else if (message.type === 'external') this.pages.events.external(message.url);
    else if (message.type === 'connect' && !vscode.workspace.isTrusted)
      this.post({
        type: 'link',
        link: { state: 'lost', why: 'This workspace is not trusted: nothing is started here.', retryAt: 0 },
      });
    else if (message.type === 'connect') this.relay.take({ ...message, used: message.used || this.pages.talked });
    else if (message.type !== 'host' || !this.ofModels(message.text)) this.relay.take(message);
    if (message.type === 'host') this.pages.said(message.text);
    if (message.type !== 'connect') return;
    this.alive = true;
    for (const early of [...this.pages.greeting(), ...this.held.splice(0)]) this.post(early);
  }

  private ofModels(text: string): boolean {
    return performed(text, this.pages.events.keys(), {
      toGateway: (message) => this.relay.take({ type: 'host', text: message }),
      toPage: (message) => this.post({ type: 'host', text: message }),
    });
  }
}

export class Pages implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  view: vscode.WebviewView | undefined;
  private readonly shown = new Set<Page>();
  private current: Page | undefined; // where the next command's text goes
  private forNext: ToPage[] = [];
  private readonly parts: vscode.Disposable[];

  /** `kept`: of this workspace. */
  constructor(
    readonly extension: vscode.Uri,
    private readonly kept: vscode.Memento,
    readonly gateway: Gateway,
    private readonly focus: Focus,
    readonly events: PageEvents,
  ) {
    this.parts = [
      vscode.window.registerWebviewViewProvider(VIEW, this, { webviewOptions: { retainContextWhenHidden: true } }),
      vscode.window.registerWebviewPanelSerializer(PANEL, this),
      focus.onDidChange((context) => this.tell({ type: 'context', context }, this.folders())),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.tell(this.folders())),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('parlance.diff')) this.tell(diffs());
      }),
    ];
  }

  dispose(): void {
    for (const page of this.shown) page.dispose();
    vscode.Disposable.from(...this.parts).dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const page = this.add(view.webview, {
      get visible() {
        return view.visible;
      },
      reveal: () => view.show(false),
    });
    view.onDidChangeVisibility(() => {
      if (view.visible) this.current = page;
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.remove(page);
    });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.dress(panel);
  }

  openPanel(): void {
    this.dress(vscode.window.createWebviewPanel(PANEL, 'parlance', vscode.ViewColumn.Active));
  }

  /** Puts a text into the composer, or sends the text; shows a page if necessary. */
  compose(text: string, send: boolean, fresh: boolean): Promise<void> {
    return this.pass({ type: 'compose', text, send, fresh });
  }

  /** Shows the list of MCP servers in a page. */
  showMcp(): Promise<void> {
    return this.pass({ type: 'show', view: 'mcp' });
  }

  private async pass(message: ToPage): Promise<void> {
    const page = this.current?.visible
      ? this.current
      : ([...this.shown].reverse().find((shown) => shown.visible) ?? this.current);
    if (page) {
      page.reveal();
      page.tell(message);
      return;
    }
    this.forNext.push(message);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  /** True after a person has written here: a view restored with the window restores the conversation without waiting for use. */
  get talked(): boolean {
    return this.kept.get(TALKED, false);
  }
  said(text: string): void {
    if (!this.talked && text.startsWith('{"type":"prompt"')) void this.kept.update(TALKED, true);
  }

  greeting(): ToPage[] {
    return [this.folders(), diffs(), { type: 'context', context: this.focus.context }];
  }

  private tell(...messages: ToPage[]): void {
    for (const page of this.shown) page.keepUp(messages);
  }

  private folders(): ToPage {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((workspaceFolder) => workspaceFolder.uri.fsPath);
    const excluded = Object.entries(
      vscode.workspace.getConfiguration('files').get<Record<string, unknown>>('exclude', {}),
    )
      .filter(([, on]) => on === true)
      .map(([glob]) => glob);
    return {
      type: 'folders',
      folders,
      current: folderOf(this.focus.editor?.document.uri) ?? folders[0] ?? '',
      excluded,
    };
  }

  private dress(panel: vscode.WebviewPanel): void {
    const icon = (theme: string) => vscode.Uri.joinPath(this.extension, 'media', `icon-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') }; // a tab does not recolour its icon
    const page = this.add(panel.webview, {
      get visible() {
        return panel.visible;
      },
      reveal: () => panel.reveal(),
    });
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
      else this.current = page;
    });
    panel.onDidDispose(() => this.remove(page));
  }

  private add(webview: vscode.Webview, shownIn: ShownIn): Page {
    const page = new Page(webview, shownIn, this);
    this.shown.add(page);
    this.current = page;
    for (const message of this.forNext.splice(0)) page.tell(message);
    return page;
  }
  private remove(page: Page): void {
    this.shown.delete(page);
    if (this.current === page) this.current = [...this.shown].at(-1);
    page.dispose();
  }
}

const diffs = (): ToPage => ({ type: 'diffs', wanted: diffStyle() !== 'off' });
