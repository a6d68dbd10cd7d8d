// SPDX-License-Identifier: Apache-2.0
// The person's view: the last focused text editor, its selection, and the last selection with text. A focused webview changes none of
// these.

import * as vscode from 'vscode';
import type { SelectionView } from '../bridge/editor';
import { isFile, selectionView } from './views';
import { contextOf, type IdeContext } from '../context';

const QUIET_MS = 300; // after the last change: a selection drawn with the mouse counts as one change

export class Focus implements vscode.Disposable {
  editor: vscode.TextEditor | undefined;
  selected: SelectionView | undefined; // the latest selection with text
  private timer: ReturnType<typeof setTimeout> | undefined;
  private told = '';
  private readonly changed = new vscode.EventEmitter<IdeContext>();
  private readonly parts: vscode.Disposable[];
  readonly onDidChange = this.changed.event;

  constructor() {
    this.parts = [
      this.changed,
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor) this.look(editor);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.look(textEditor)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.editor?.document) this.leave();
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.length > 0 && !this.hasTab()) this.leave();
      }),
    ];
    if (vscode.window.activeTextEditor) this.look(vscode.window.activeTextEditor);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.parts).dispose();
  }

  get context(): IdeContext {
    return contextOf(this.editor && selectionView(this.editor));
  }

  private look(editor: vscode.TextEditor): void {
    if (!isFile(editor.document)) return;
    this.editor = editor;
    const view = selectionView(editor);
    if (view.text !== '') this.selected = view;
    this.soon();
  }
  /** True for a hidden tab too, for example if the chat has the only group. */
  private hasTab(): boolean {
    const uri = this.editor?.document.uri.toString();
    return vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri),
    );
  }
  private leave(): void {
    this.editor = undefined;
    this.soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const context = this.context;
      const words = JSON.stringify(context);
      if (words === this.told) return;
      this.told = words;
      this.changed.fire(context);
    }, QUIET_MS);
  }
}

/** The workspace folder of a file. */
export const folderOf = (uri: vscode.Uri | undefined): string | undefined =>
  uri && vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
