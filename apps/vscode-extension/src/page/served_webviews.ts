// SPDX-License-Identifier: Apache-2.0
// Webviews of other extensions, or from a folder of the person, with the protocol of iFlow's extension. Each webview has a relay.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Focus } from '../editor/focus';
import type { Gateway } from '../gateway/gateway';
import { WebviewRelay } from './webview_relay';

const folders = (): string[] =>
  (vscode.workspace.workspaceFolders ?? []).map((workspaceFolder) => workspaceFolder.uri.fsPath);

async function pick(): Promise<string[]> {
  const chosen = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Attach' });
  return (chosen ?? []).map((uri) => uri.fsPath);
}

export class ServedWebviews implements vscode.Disposable {
  private readonly relays = new Set<WebviewRelay>();
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly gateway: Gateway,
    private readonly focus: Focus,
    private readonly open: (path: string, line: number) => Promise<void>,
  ) {
    this.parts = [
      focus.onDidChange(() => {
        for (const relay of this.relays) relay.contextChanged();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        for (const relay of this.relays) relay.foldersChanged();
      }),
    ];
  }

  dispose(): void {
    for (const relay of this.relays) relay.dispose();
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** Answers this webview's messages until the returned object is disposed of. For other extensions too (extension.ts). */
  serve(webview: vscode.Webview): vscode.Disposable & { hidden(): void } {
    const relay = new WebviewRelay(
      this.gateway,
      { pick, open: this.open, context: () => this.focus.context, folders },
      (message) => void webview.postMessage(message),
    );
    this.relays.add(relay);
    const heard = webview.onDidReceiveMessage((value: unknown) => {
      if (vscode.workspace.isTrusted) relay.take(value);
      else
        void webview.postMessage({
          type: 'failed',
          of: '',
          code: 'denied',
          message: 'This workspace is not trusted: nothing is started here.',
        });
    });
    return {
      hidden: () => relay.hidden(),
      dispose: () => {
        heard.dispose();
        relay.dispose();
        this.relays.delete(relay);
      },
    };
  }

  /** A webview from the folder of `parlance.webviewFolder`: its index.html, with only its own scripts and styles. */
  async openOwn(): Promise<void> {
    const folder = vscode.workspace.getConfiguration('parlance').get('webviewFolder', '');
    if (!folder)
      throw new Error('Set parlance.webviewFolder to the folder of a webview that speaks docs/protocol/webview.md.');
    const html = await readFile(join(folder, 'index.html'), 'utf8');
    const root = vscode.Uri.file(folder);
    const panel = vscode.window.createWebviewPanel('parlance.ownWebview', 'parlance', vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [root],
    });
    const served = this.serve(panel.webview);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) served.hidden();
    });
    panel.onDidDispose(() => served.dispose());
    panel.webview.html = ownHtml(html, {
      base: panel.webview.asWebviewUri(root).toString(),
      source: panel.webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
    });
  }
}

/** Relative addresses refer to the folder. Only scripts named by the document run. */
export function ownHtml(
  html: string,
  { base, source, nonce }: { base: string; source: string; nonce: string },
): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source} 'unsafe-inline'; img-src ${source} data:; font-src ${source}; base-uri ${source}; form-action 'none'`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><base href="${base}/">`;
  const scripts = html.replace(/<script\b/gi, `<script nonce="${nonce}"`);
  return /<head[^>]*>/i.test(scripts) ? scripts.replace(/<head[^>]*>/i, (tag) => tag + head) : head + scripts;
}
