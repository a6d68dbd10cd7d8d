// SPDX-License-Identifier: Apache-2.0
// Proposals as diffs: shown without taking the focus, edited by the person, settled once (by a button, by closing the tab, or by the
// caller). Afterwards only their own tab is closed.

import * as vscode from 'vscode';
import type { Outcome, Proposal } from '../bridge/editor';
import { givenBack } from '../bridge/edits';
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
    const one = this.remember(proposal, right, left);
    const title = diffTitle(proposal);
    const opened = vscode.commands
      .executeCommand('vscode.diff', left ?? file, right, title, { preview: false, preserveFocus: true })
      .then(
        () => {},
        (error) => {
          void one.settle(CANCELLED);
          if (this.tabsOf(one).length === 0) this.forget(one);
          throw error;
        },
      );
    await Promise.race([one.shown, opened]); // the command never ends if another diff covers this diff before its drawing
    return { settled: one.settled, withdraw: () => one.settle(CANCELLED) };
  }

  /** Of this path, or the newest. */
  async withdraw(path?: string): Promise<boolean> {
    const one = this.waiting()
      .reverse()
      .find((each) => path === undefined || each.path === path);
    await one?.settle(CANCELLED);
    return one !== undefined;
  }

  async withdrawAll(): Promise<number> {
    const all = this.waiting();
    for (const one of all) await one.settle(CANCELLED);
    return all.length;
  }

  private waiting(): Open[] {
    return [...this.open.values()].filter((one) => one.waits);
  }

  private remember(proposal: Proposal, right: vscode.Uri, left: vscode.Uri | undefined): Open {
    let [settle, stands] = [(_: Outcome) => {}, () => {}];
    const settled = new Promise<Outcome>((resolve) => {
      settle = resolve;
    });
    const shown = new Promise<void>((resolve) => {
      stands = resolve;
    });
    const one: Open = {
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
        one.waits = false;
        settle(outcome); // the first counts
        return this.close(one);
      },
    };
    this.open.set(right.toString(), one);
    return one;
  }

  private forget(one: Open): void {
    this.open.delete(one.right.toString());
    this.documents.remove(one.right);
    if (one.left) this.documents.remove(one.left);
  }

  /** The current text counts, not the proposed text. */
  private accept(one: Open | undefined): void {
    if (!one?.waits) return;
    const text = givenBack(one.proposed, this.document(one)?.getText() ?? one.proposed);
    void one.settle({ outcome: 'accepted', finalContent: text, edited: text !== one.proposed });
  }

  private document(one: Open): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((each) => each.uri.toString() === one.right.toString());
  }

  private tabsOf(one: Open): vscode.Tab[] {
    return allTabs().filter(isDiffOf(one.right));
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
  private close(one: Open): Promise<void> {
    if (this.tabsOf(one).length > 0) one.closing ??= this.closeTabs(one);
    return one.closing ?? Promise.resolve();
  }
  /** Saved into memory first: a tab with unsaved changes would ask before closing. */
  private async closeTabs(one: Open): Promise<void> {
    const document = this.document(one);
    if (document?.isDirty) await document.save();
    await vscode.window.tabGroups.close(this.tabsOf(one), true);
  }

  private tabStands(tab: vscode.Tab): void {
    for (const one of [...this.open.values()].filter((each) => isDiffOf(each.right)(tab))) {
      one.stands();
      if (!one.waits) void this.close(one);
    }
  }
  private tabClosed(tab: vscode.Tab): void {
    for (const one of [...this.open.values()].filter(
      (each) => isDiffOf(each.right)(tab) && this.tabsOf(each).length === 0,
    )) {
      void one.settle({ outcome: 'rejected', reason: 'closed' });
      this.forget(one);
    }
  }

  /** The proposal of the button's editor, else of the active editor. */
  private meant(uri?: vscode.Uri): Open | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const active = tab && proposalOf(tab);
    return this.open.get((uri ?? active)?.toString() ?? '') ?? this.open.get(active?.toString() ?? '');
  }
}
