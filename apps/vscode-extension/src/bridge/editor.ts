// SPDX-License-Identifier: Apache-2.0
// The editor for the handlers of the bridge. VS Code is one implementation (`editor/`), a table in memory is another (tests). Paths are
// absolute; positions count from 0.

import type { Position, Range, TextEdit } from './edits';

export interface FileView {
  path: string;
  content: string;
  language: string;
  lineCount: number;
}
export interface SelectionView {
  path: string;
  text: string;
  start: Position;
  end: Position;
}
export interface OpenEditor {
  path: string;
  uri: string;
  label: string;
  language: string;
  isActive: boolean;
  isDirty: boolean;
  isPinned: boolean;
  group: number;
}
export interface Folder {
  name: string;
  path: string;
  uri: string;
}
export interface DocumentView {
  content: string;
  version: number;
  isDirty: boolean;
  isUntitled: boolean;
}
export type Severity = 'Error' | 'Warning' | 'Information' | 'Hint';
export interface Diagnostic {
  message: string;
  severity: Severity;
  range: Range;
  source: string;
  code: string;
}
export interface FileDiagnostics {
  path: string;
  diagnostics: Diagnostic[];
}
export interface FileEdit {
  path: string;
  create: boolean;
  delete: boolean;
  renameTo: string | undefined;
  textEdits: TextEdit[];
}
export interface DialogOption {
  id: string;
  label: string;
  isDefault: boolean;
  isDanger: boolean;
}
export interface Question {
  title: string;
  message: string;
  detail: string;
  options: DialogOption[];
}
/** `fixed`: the person can accept the proposal only unchanged. */
export interface Proposal {
  path: string;
  newContent: string;
  title: string;
  fixed?: boolean;
}
export type Outcome =
  | { outcome: 'accepted'; finalContent: string; edited: boolean }
  | { outcome: 'rejected'; reason: 'button' | 'closed' | 'cancelled' };

export interface Editor {
  /** The last focused text editor, also while a webview has the focus. */
  activeFile(): FileView | undefined;
  selection(): SelectionView | undefined;
  latestSelection(): SelectionView | undefined;
  openEditors(): OpenEditor[];
  folders(): Folder[];
  trusted(): boolean;
  diagnostics(path?: string): FileDiagnostics[];

  /** Whether a file lies inside a folder of the workspace, once links are followed. */
  inside(path: string): Promise<boolean>;
  openDocument(path: string): DocumentView | undefined;
  /** The buffer of an open document, else the file. */
  read(path: string): Promise<DocumentView>;
  save(path: string): Promise<boolean>;
  reveal(path: string, line: number, column: number): Promise<void>;

  /** Shows the change without waiting; `closed` is called once after the diff has closed. */
  showDiff(proposal: Proposal, closed: (outcome: Outcome) => void): Promise<void>;
  /** Waits for the person. */
  openDiff(proposal: Proposal, signal: AbortSignal): Promise<Outcome>;
  closeDiff(path?: string): Promise<boolean>;
  closeAllDiffs(): Promise<number>;

  /** Changes the buffer, and saves the buffer if it was saved before. False: no change. */
  change(path: string, edit: TextEdit): Promise<boolean>;
  apply(label: string, edits: FileEdit[]): Promise<boolean>;
  /** The id of the person's option; undefined: none, or the signal came first. */
  confirm(question: Question, signal: AbortSignal): Promise<string | undefined>;
  showMessage(level: 'info' | 'warning' | 'error', message: string): void;
}

/** An action that the editor cannot do now. The answer is `success: false`, not a failed call. */
export class Unable extends Error {}
