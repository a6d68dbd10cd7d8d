// SPDX-License-Identifier: Apache-2.0
// VS Code as the bridge sees it.

import { realpath } from 'node:fs/promises';
import { dirname, join, basename, relative, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { visible } from '../../../web/src/visible';
import type { TextEdit } from '../bridge/edits';
import { Unable, type Editor, type FileEdit, type Outcome, type Proposal, type Question } from '../bridge/editor';
import type { Focus } from './focus';
import type { Proposals } from './proposals';
import { ask } from './questions';
import { diagnosticView, documentView, fileView, openEditors, selectionView, toRange } from './views';

/** Where a path leads once links are followed, also for what does not exist yet. */
async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await real(above), basename(path));
  }
}

export class VsCodeEditor implements Editor {
  constructor(
    private readonly focus: Focus,
    private readonly proposals: Proposals,
  ) {}

  activeFile() {
    return this.focus.editor && fileView(this.focus.editor.document);
  }
  selection() {
    return this.focus.editor && selectionView(this.focus.editor);
  }
  latestSelection() {
    return this.focus.selected;
  }
  openEditors() {
    return openEditors();
  }
  folders() {
    return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
      name,
      path: uri.fsPath,
      uri: uri.toString(),
    }));
  }
  trusted() {
    return vscode.workspace.isTrusted;
  }

  diagnostics(path?: string) {
    const all: [vscode.Uri, vscode.Diagnostic[]][] = path
      ? [[vscode.Uri.file(path), vscode.languages.getDiagnostics(vscode.Uri.file(path))]]
      : vscode.languages.getDiagnostics();
    return all
      .filter(([, found]) => found.length > 0)
      .map(([uri, found]) => ({ path: uri.fsPath, diagnostics: found.map(diagnosticView) }));
  }

  async inside(path: string): Promise<boolean> {
    const target = await real(path);
    for (const folder of this.folders()) {
      const way = relative(await real(folder.path), target);
      if (way === '' || (way.split(/[/\\]/)[0] !== '..' && !isAbsolute(way))) return true;
    }
    return false;
  }

  openDocument(path: string) {
    const document = this.document(path);
    return document && documentView(document);
  }
  async read(path: string) {
    return documentView(await this.opened(path));
  }
  async save(path: string) {
    return (await this.document(path)?.save()) ?? false;
  }

  async reveal(path: string, line: number, column: number): Promise<void> {
    const document = await this.opened(path);
    const at = document.validatePosition(new vscode.Position(line, column));
    const editor = await vscode.window.showTextDocument(document, {
      preserveFocus: true,
      preview: false,
      selection: new vscode.Range(at, at),
    });
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
  }

  async showDiff(proposal: Proposal, closed: (outcome: Outcome) => void): Promise<void> {
    const shown = await this.proposals.show(proposal);
    void shown.settled.then(closed);
  }
  async openDiff(proposal: Proposal, signal: AbortSignal): Promise<Outcome> {
    const shown = await this.proposals.show(proposal);
    if (signal.aborted) await shown.withdraw();
    signal.addEventListener('abort', () => void shown.withdraw(), { once: true });
    return shown.settled;
  }
  closeDiff(path?: string) {
    return this.proposals.withdraw(path);
  }
  closeAllDiffs() {
    return this.proposals.withdrawAll();
  }

  async change(path: string, edit: TextEdit): Promise<boolean> {
    const document = await this.opened(path);
    const clean = !document.isDirty;
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, toRange(edit), edit.newText);
    if (!(await vscode.workspace.applyEdit(change))) return false;
    return clean ? document.save() : true;
  }

  async apply(label: string, edits: FileEdit[]): Promise<boolean> {
    const change = new vscode.WorkspaceEdit();
    const about = { label, needsConfirmation: false };
    const unsaved = new Set(
      vscode.workspace.textDocuments.filter((document) => document.isDirty).map((document) => document.uri.fsPath),
    );
    for (const edit of edits) {
      const uri = vscode.Uri.file(edit.path);
      if (edit.create) change.createFile(uri, { ignoreIfExists: false }, about);
      for (const textEdit of edit.textEdits) change.replace(uri, toRange(textEdit), textEdit.newText, about);
      if (edit.renameTo) change.renameFile(uri, vscode.Uri.file(edit.renameTo), { overwrite: false }, about);
      if (edit.delete) change.deleteFile(uri, { ignoreIfNotExists: false }, about);
    }
    if (!(await vscode.workspace.applyEdit(change))) return false;
    for (const edit of edits)
      if (!edit.delete && !unsaved.has(edit.path)) await this.document(edit.renameTo ?? edit.path)?.save();
    return true;
  }

  confirm(question: Question, signal: AbortSignal) {
    return ask(question, signal);
  }

  /** As text: of a link in it VS Code would run a command. */
  showMessage(level: 'info' | 'warning' | 'error', message: string): void {
    const show = {
      info: vscode.window.showInformationMessage,
      warning: vscode.window.showWarningMessage,
      error: vscode.window.showErrorMessage,
    }[level];
    void show(visible(message).replaceAll('](', '] ('));
  }

  private document(path: string): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(
      (document) => document.uri.scheme !== 'parlance-proposal' && document.uri.fsPath === path,
    );
  }
  private async opened(path: string): Promise<vscode.TextDocument> {
    try {
      return this.document(path) ?? (await vscode.workspace.openTextDocument(vscode.Uri.file(path)));
    } catch (error) {
      throw new Unable(error instanceof Error ? error.message : String(error));
    }
  }
}
