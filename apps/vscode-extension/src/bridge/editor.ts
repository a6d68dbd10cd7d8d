// SPDX-License-Identifier: Apache-2.0
// The editor as the handlers of the bridge see it. VS Code is one (`editor/`), a table in memory another (tests). Paths are absolute;
// positions count from 0.

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
/** `fixed`: it can be taken as it is or not at all. */
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
  /** The last text editor that had the focus, also while a webview has it. */
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
  /** The buffer where it is open, else the file. */
  read(path: string): Promise<DocumentView>;
  save(path: string): Promise<boolean>;
  reveal(path: string, line: number, column: number): Promise<void>;

  /** Shows the change and does not wait; `closed` is called once when it has gone. */
  showDiff(proposal: Proposal, closed: (outcome: Outcome) => void): Promise<void>;
  /** Waits for the person. */
  openDiff(proposal: Proposal, signal: AbortSignal): Promise<Outcome>;
  closeDiff(path?: string): Promise<boolean>;
  closeAllDiffs(): Promise<number>;

  /** Changes the buffer, and saves it if there was nothing unsaved in it. False: nothing was changed. */
  change(path: string, edit: TextEdit): Promise<boolean>;
  apply(label: string, edits: FileEdit[]): Promise<boolean>;
  /** The id of the option that the person chose; undefined: none, or the signal came first. */
  confirm(question: Question, signal: AbortSignal): Promise<string | undefined>;
  showMessage(level: 'info' | 'warning' | 'error', message: string): void;
}

/** What the editor cannot do now. It is an answer (`success: false`), no broken call. */
export class Unable extends Error {}
