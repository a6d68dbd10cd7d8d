// SPDX-License-Identifier: Apache-2.0
// Hidden characters in the text of a proposal: VS Code shows their marks beside them, whatever its own settings for such characters are.

import * as vscode from 'vscode';
import { hiddenPlaces } from '../../../web/src/visible';
import { SCHEME } from './diff_documents';

const MOST = 1000; // of one document; the title of the tab has the warning anyway

export class HiddenMarks implements vscode.Disposable {
  private readonly look = vscode.window.createTextEditorDecorationType({});
  private readonly parts = [
    this.look,
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.draw(editor))),
    vscode.workspace.onDidChangeTextDocument(({ document }) =>
      vscode.window.visibleTextEditors
        .filter((editor) => editor.document === document)
        .forEach((editor) => this.draw(editor)),
    ),
  ];

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  private draw(editor: vscode.TextEditor): void {
    const { document } = editor;
    if (document.uri.scheme !== SCHEME) return;
    editor.setDecorations(
      this.look,
      hiddenPlaces(document.getText())
        .slice(0, MOST)
        .map(({ at, mark }) => {
          const place = document.positionAt(at);
          return {
            range: new vscode.Range(place, place),
            renderOptions: {
              before: {
                contentText: mark,
                color: new vscode.ThemeColor('editorWarning.foreground'),
                border: '1px solid',
                margin: '0 1px',
              },
            },
          };
        }),
    );
  }
}
