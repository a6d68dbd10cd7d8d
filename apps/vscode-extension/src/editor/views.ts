// SPDX-License-Identifier: Apache-2.0
// What VS Code has, in the words of the bridge.

import * as vscode from 'vscode';
import type { TextEdit } from '../bridge/edits';
import type { Diagnostic, DocumentView, FileView, OpenEditor, SelectionView, Severity } from '../bridge/editor';

const severities: Record<vscode.DiagnosticSeverity, Severity> = {
  [vscode.DiagnosticSeverity.Error]: 'Error',
  [vscode.DiagnosticSeverity.Warning]: 'Warning',
  [vscode.DiagnosticSeverity.Information]: 'Information',
  [vscode.DiagnosticSeverity.Hint]: 'Hint',
};

export const positionOf = ({ line, character }: vscode.Position) => ({ line, character });
const rangeOf = ({ start, end }: vscode.Range) => ({ start: positionOf(start), end: positionOf(end) });

export function fileView(document: vscode.TextDocument): FileView {
  return {
    path: document.uri.fsPath,
    content: document.getText(),
    language: document.languageId,
    lineCount: document.lineCount,
  };
}
export function selectionView({ document, selection }: vscode.TextEditor): SelectionView {
  return { path: document.uri.fsPath, text: document.getText(selection), ...rangeOf(selection) };
}
/** Of what is in it: VS Code counts from 1 whenever a document is opened. */
function versionOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}

export function documentView(document: vscode.TextDocument): DocumentView {
  const content = document.getText();
  return { content, version: versionOf(content), isDirty: document.isDirty, isUntitled: document.isUntitled };
}

export function diagnosticView(diagnostic: vscode.Diagnostic): Diagnostic {
  const code = typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
  return {
    message: diagnostic.message,
    severity: severities[diagnostic.severity],
    range: rangeOf(diagnostic.range),
    source: diagnostic.source ?? '',
    code: code === undefined ? '' : String(code),
  };
}

const openOf = (uri: vscode.Uri) =>
  vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
const uriOf = (input: unknown): vscode.Uri | undefined =>
  input instanceof vscode.TabInputText ||
  input instanceof vscode.TabInputCustom ||
  input instanceof vscode.TabInputNotebook
    ? input.uri
    : undefined;

export function openEditors(): OpenEditor[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const uri = uriOf(tab.input);
      if (!uri) return [];
      return [
        {
          path: uri.fsPath,
          uri: uri.toString(),
          label: tab.label,
          language: openOf(uri)?.languageId ?? '',
          isActive: tab.isActive && group.isActive,
          isDirty: tab.isDirty,
          isPinned: tab.isPinned,
          group: group.viewColumn,
        },
      ];
    }),
  );
}

export function toRange({ range: { start, end } }: TextEdit): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** A file of the person's: not a diff's other side, an output channel, or a terminal. */
export const isFile = (document: vscode.TextDocument): boolean =>
  document.uri.scheme === 'file' || document.uri.scheme === 'untitled' || document.uri.scheme === 'vscode-remote';
