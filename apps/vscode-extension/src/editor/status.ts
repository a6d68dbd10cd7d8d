// SPDX-License-Identifier: Apache-2.0
// The state in the status bar and on the view's badge: waiting requests come first.

import * as vscode from 'vscode';
import { visibleLine } from '../../../web/src/visible';
import type { GatewayState } from '../gateway/gateway';
import type { Inbox } from '../gateway/inbox';
import { shown, type AgentStatus } from './status_text';

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('parlance.status', vscode.StatusBarAlignment.Right, 100);
  private waited = 0;

  constructor() {
    this.item.name = 'parlance';
    this.item.command = 'parlance.show';
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }

  update(state: GatewayState, inbox: Inbox, agent: AgentStatus, view: vscode.WebviewView | undefined): void {
    const now = shown(state, inbox.waiting.length, inbox.running, agent);
    this.item.text = now.text;
    this.item.tooltip = now.tooltip;
    this.item.backgroundColor = now.waits > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    // Zero means no badge. (VS Code 1.100 keeps the old badge for undefined.)
    if (view)
      view.badge = {
        value: now.waits,
        tooltip: now.waits > 0 ? `${now.waits} ${now.waits === 1 ? 'waits' : 'wait'} for you` : '',
      };
    if (now.waits > this.waited && !vscode.window.state.focused) this.notify(inbox);
    this.waited = now.waits;
  }

  /** Only if no person looks at the window. */
  private notify(inbox: Inbox): void {
    const ask = inbox.waiting.at(-1);
    if (!ask) return;
    void vscode.window
      .showInformationMessage(`An agent waits for you: ${visibleLine(ask.title)}`, 'Show')
      .then((choice) => {
        if (choice) void vscode.commands.executeCommand('parlance.show');
      });
  }
}
