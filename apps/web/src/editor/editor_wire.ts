// SPDX-License-Identifier: Apache-2.0
// Messages between the page in an editor's webview and the editor's extension. Messages of the gateway pass through unchanged; the others
// are for the editor. Types only: the page (editor_host.ts) and apps/vscode-extension are the two sides.

export interface EditorSelection {
  filePath: string;
  fileName: string;
  text: string;
  lineStart: number;
  lineEnd: number;
}
/** Lines count from 1. */
export interface EditorContext {
  activeFile: { path: string; name: string } | null;
  selection: EditorSelection | null;
}

/** idle: no gateway runs, because the page is unused so far. */
export type PageLink =
  { state: 'idle' } | { state: 'connecting' } | { state: 'online' } | { state: 'lost'; why: string; retryAt: number };

export type ToPage =
  | { type: 'link'; link: PageLink }
  | { type: 'host'; text: string } // a message of the gateway
  | { type: 'attachment'; request: number; mediaType?: string; base64?: string; error?: string }
  | { type: 'context'; context: EditorContext }
  | { type: 'folders'; folders: string[]; current: string; excluded?: string[] }
  | { type: 'diffs'; wanted: boolean } // in the editor; otherwise cards offer no diff there
  | { type: 'compose'; text: string; send: boolean; fresh: boolean }
  | { type: 'show'; view: 'mcp' };

export type FromPage =
  | { type: 'connect'; used: boolean } // used: by a person, now or earlier; a merely visible page starts no program
  | { type: 'host'; text: string }
  | { type: 'attachment'; request: number; id: string }
  | { type: 'open'; path: string; line: number }
  | { type: 'diff'; ask: string }
  | { type: 'insert'; text: string } // where the cursor stands
  | { type: 'external'; url: string }; // http or https, in the person's browser
