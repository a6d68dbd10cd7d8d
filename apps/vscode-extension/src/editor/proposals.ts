// Proposals as diffs: shown without taking the focus, edited by the person, settled once, by a button, by the tab's closing, or by whoever
// asked; then their tab is closed, and no other.

import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Outcome, Proposal } from '../bridge/editor';
import { DiffDocuments, SCHEME } from './diff_documents';

export interface Shown { settled: Promise<Outcome>; withdraw(): Promise<void> }
interface Open {
  path: string; proposed: string; right: vscode.Uri; left: vscode.Uri | undefined;
  stood: boolean;               // its tab was there
  settle(outcome: Outcome): void; settled: Promise<Outcome>;
}

const CANCELLED: Outcome = { outcome: 'rejected', reason: 'cancelled' };

const is_diff_of = (uri: vscode.Uri) => (tab: vscode.Tab): boolean => tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.toString() === uri.toString();
const exists = (uri: vscode.Uri): Promise<boolean> => Promise.resolve(vscode.workspace.fs.stat(uri)).then(() => true, () => false);

export class Proposals implements vscode.Disposable {
  private readonly documents = new DiffDocuments();
  private readonly open = new Map<string, Open>();
  // Settled before VS Code told of their tab, which a person may see earlier: it goes as soon as it is told of.
  private readonly leaving = new Map<string, Open>();
  private readonly parts: vscode.Disposable[];

  constructor() {
    this.parts = [
      vscode.workspace.registerFileSystemProvider(SCHEME, this.documents, { isCaseSensitive: true }),
      vscode.window.tabGroups.onDidChangeTabs((change) => {
        for (const tab of [...change.opened, ...change.changed]) this.tab_stands(tab);
        for (const tab of change.closed) this.tab_closed(tab);
      }),
      vscode.commands.registerCommand('parlance.acceptDiff', (uri?: vscode.Uri) => this.accept(this.meant(uri))),
      vscode.commands.registerCommand('parlance.rejectDiff', (uri?: vscode.Uri) => this.meant(uri)?.settle({ outcome: 'rejected', reason: 'button' })),
    ];
  }

  dispose(): void { vscode.Disposable.from(...this.parts).dispose(); }

  async show(proposal: Proposal): Promise<Shown> {
    const file = vscode.Uri.file(proposal.path);
    const left = await exists(file) ? undefined : this.documents.add(proposal.path, '');
    const right = this.documents.add(proposal.path, proposal.newContent);
    const one = this.remember(proposal, right, left);
    const title = proposal.title || `${basename(proposal.path)} (proposed)`;
    try {
      await vscode.commands.executeCommand('vscode.diff', left ?? file, right, title, { preview: false, preserveFocus: true });
    } catch (error) {
      one.stood = true;         // and none will come
      one.settle(CANCELLED);
      throw error;
    }
    return { settled: one.settled, withdraw: () => this.end(one, CANCELLED) };
  }

  /** Of this path, or the newest. */
  async withdraw(path?: string): Promise<boolean> {
    const one = [...this.open.values()].reverse().find((each) => path === undefined || each.path === path);
    if (one) await this.end(one, CANCELLED);
    return one !== undefined;
  }

  async withdraw_all(): Promise<number> {
    const all = [...this.open.values()];
    for (const one of all) await this.end(one, CANCELLED);
    return all.length;
  }

  private async end(one: Open, outcome: Outcome): Promise<void> {
    one.settle(outcome);
    await this.close_tab(one);
  }

  private remember(proposal: Proposal, right: vscode.Uri, left: vscode.Uri | undefined): Open {
    let settle = (_: Outcome) => {};
    const settled = new Promise<Outcome>((resolve) => { settle = resolve; });
    const one: Open = {
      path: proposal.path, proposed: proposal.newContent, right, left, settled, stood: false,
      settle: (outcome) => {
        if (!this.open.delete(right.toString())) return;
        settle(outcome);
        void this.close_tab(one);
      },
    };
    this.open.set(right.toString(), one);
    return one;
  }

  /** What counts is the text as it is now, not as it was proposed. */
  private accept(one: Open | undefined): void {
    if (!one) return;
    const text = this.document(one)?.getText() ?? one.proposed;
    one.settle({ outcome: 'accepted', finalContent: text, edited: text !== one.proposed });
  }

  private document(one: Open): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((each) => each.uri.toString() === one.right.toString());
  }

  /** Saved into memory first: a tab with unsaved changes would ask before it closes. */
  private async close_tab(one: Open): Promise<void> {
    const tab = vscode.window.tabGroups.all.flatMap((group) => group.tabs).find(is_diff_of(one.right));
    if (!tab && !one.stood) { this.leaving.set(one.right.toString(), one); return; }
    this.leaving.delete(one.right.toString());
    if (tab) {
      const document = this.document(one);
      if (document?.isDirty) await document.save();
      await vscode.window.tabGroups.close(tab, true);
    }
    this.documents.remove(one.right);
    if (one.left) this.documents.remove(one.left);
  }

  private tab_stands(tab: vscode.Tab): void {
    for (const one of this.open.values()) if (is_diff_of(one.right)(tab)) one.stood = true;
    for (const one of [...this.leaving.values()]) if (is_diff_of(one.right)(tab)) void this.close_tab(one);
  }

  private tab_closed(tab: vscode.Tab): void {
    for (const one of [...this.open.values()]) if (is_diff_of(one.right)(tab)) one.settle({ outcome: 'rejected', reason: 'closed' });
  }

  /** The proposal of a button's editor, else of the active one. */
  private meant(uri?: vscode.Uri): Open | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const active = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
    return this.open.get((uri ?? active)?.toString() ?? '') ?? this.open.get(active?.toString() ?? '');
  }
}
