// SPDX-License-Identifier: Apache-2.0
// Proposals as diffs: shown without taking the focus, edited by the person, settled once (by a button, by closing the tab, or by the
// caller). Afterwards only their own tab is closed.

import * as vscode from 'vscode';
import type { Outcome, Proposal } from '../bridge/editor';
import { givenBack } from '../../../web/src/drafts/given_back';
import { DiffDocuments, SCHEME } from './diff_documents';
import { HiddenMarks } from './hidden_marks';
import { diffTitle } from './diff_title';

export interface Shown {
  settled: Promise<Outcome>;
  withdraw(): Promise<void>;
}
interface Open {
  path: string;
  proposed: string;
  right: vscode.Uri;
  left: vscode.Uri | undefined;
  stands(): void;
  shown: Promise<void>; // VS Code has told of its tab
  settle(outcome: Outcome): Promise<void>;
  settled: Promise<Outcome>;
  waits: boolean; // for the person
  closing: Promise<void> | undefined;
}

const CANCELLED: Outcome = { outcome: 'rejected', reason: 'cancelled' };

const proposalOf = (tab: vscode.Tab): vscode.Uri | undefined =>
  tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === SCHEME ? tab.input.modified : undefined;
const isDiffOf =
  (uri: vscode.Uri) =>
  (tab: vscode.Tab): boolean =>
    proposalOf(tab)?.toString() === uri.toString();
const allTabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const exists = (uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );

export class Proposals implements vscode.Disposable {
  private readonly documents = new DiffDocuments();
  private readonly open = new Map<string, Open>(); // until their tab has gone
  private readonly parts: vscode.Disposable[];

  constructor() {
    this.parts = [
      new HiddenMarks(),
      vscode.workspace.registerFileSystemProvider(SCHEME, this.documents, { isCaseSensitive: true }),
      vscode.window.tabGroups.onDidChangeTabs((change) => {
        this.closeLeftOver(change.opened);
        for (const tab of [...change.opened, ...change.changed]) this.tabStands(tab);
        for (const tab of change.closed) this.tabClosed(tab);
      }),
      vscode.commands.registerCommand('parlance.acceptDiff', (uri?: vscode.Uri) => this.accept(this.meant(uri))),
      vscode.commands.registerCommand('parlance.rejectDiff', (uri?: vscode.Uri) =>
        this.meant(uri)?.settle({ outcome: 'rejected', reason: 'button' }),
      ),
    ];
    this.closeLeftOver(allTabs());
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  async show(proposal: Proposal): Promise<Shown> {
    const file = vscode.Uri.file(proposal.path);
    const left = (await exists(file)) ? undefined : this.documents.add(proposal.path, '', true);
    const right = this.documents.add(proposal.path, proposal.newContent, proposal.fixed ?? false);
    const proposed = this.remember(proposal, right, left);
    const title = diffTitle(proposal);
    const opened = vscode.commands
      .executeCommand('vscode.diff', left ?? file, right, title, { preview: false, preserveFocus: true })
      .then(
        () => {},
        (error) => {
          void proposed.settle(CANCELLED);
          if (this.tabsOf(proposed).length === 0) this.forget(proposed);
          throw error;
        },
      );
    await Promise.race([proposed.shown, opened]); // the command never ends if another diff covers this diff before its drawing
    return { settled: proposed.settled, withdraw: () => proposed.settle(CANCELLED) };
  }

  /** Of this path, or the newest. */
  async withdraw(path?: string): Promise<boolean> {
    const newest = this.waiting()
      .reverse()
      .find((entry) => path === undefined || entry.path === path);
    await newest?.settle(CANCELLED);
    return newest !== undefined;
  }

  async withdrawAll(): Promise<number> {
    const all = this.waiting();
    for (const entry of all) await entry.settle(CANCELLED);
    return all.length;
  }

  private waiting(): Open[] {
    return [...this.open.values()].filter((entry) => entry.waits);
  }

  private remember(proposal: Proposal, right: vscode.Uri, left: vscode.Uri | undefined): Open {
    let [settle, stands] = [(_: Outcome) => {}, () => {}];
    const settled = new Promise<Outcome>((resolve) => {
      settle = resolve;
    });
    const shown = new Promise<void>((resolve) => {
      stands = resolve;
    });
    const entry: Open = {
      path: proposal.path,
      proposed: proposal.newContent,
      right,
      left,
      stands,
      shown,
      settled,
      waits: true,
      closing: undefined,
      settle: (outcome) => {
        entry.waits = false;
        settle(outcome); // the first counts
        return this.close(entry);
      },
    };
    this.open.set(right.toString(), entry);
    return entry;
  }

  private forget(entry: Open): void {
    this.open.delete(entry.right.toString());
    this.documents.remove(entry.right);
    if (entry.left) this.documents.remove(entry.left);
  }

  /** The current text counts, not the proposed text. */
  private accept(entry: Open | undefined): void {
    if (!entry?.waits) return;
    const text = givenBack(entry.proposed, this.document(entry)?.getText() ?? entry.proposed);
    void entry.settle({ outcome: 'accepted', finalContent: text, edited: text !== entry.proposed });
  }

  private document(entry: Open): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === entry.right.toString());
  }

  private tabsOf(entry: Open): vscode.Tab[] {
    return allTabs().filter(isDiffOf(entry.right));
  }

  /** VS Code restores the diffs with its window; their proposals are gone, without a waiting caller. */
  private closeLeftOver(tabs: readonly vscode.Tab[]): void {
    const leftOver = tabs.filter((tab) => {
      const uri = proposalOf(tab);
      return uri && !this.documents.made(uri);
    });
    if (leftOver.length > 0) void vscode.window.tabGroups.close(leftOver, true);
  }

  /** A tab still unknown to VS Code is closed on its report. */
  private close(entry: Open): Promise<void> {
    if (this.tabsOf(entry).length > 0) entry.closing ??= this.closeTabs(entry);
    return entry.closing ?? Promise.resolve();
  }
  /** Saved into memory first: a tab with unsaved changes would ask before closing. */
  private async closeTabs(entry: Open): Promise<void> {
    const document = this.document(entry);
    if (document?.isDirty) await document.save();
    await vscode.window.tabGroups.close(this.tabsOf(entry), true);
  }

  private tabStands(tab: vscode.Tab): void {
    for (const proposal of [...this.open.values()].filter((entry) => isDiffOf(entry.right)(tab))) {
      proposal.stands();
      if (!proposal.waits) void this.close(proposal);
    }
  }
  private tabClosed(tab: vscode.Tab): void {
    for (const entry of [...this.open.values()].filter(
      (candidate) => isDiffOf(candidate.right)(tab) && this.tabsOf(candidate).length === 0,
    )) {
      void entry.settle({ outcome: 'rejected', reason: 'closed' });
      this.forget(entry);
    }
  }

  /** The proposal of the button's editor, else of the active editor. */
  private meant(uri?: vscode.Uri): Open | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const active = tab && proposalOf(tab);
    return this.open.get((uri ?? active)?.toString() ?? '') ?? this.open.get(active?.toString() ?? '');
  }
}
