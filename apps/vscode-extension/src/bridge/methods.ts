// SPDX-License-Identifier: Apache-2.0
// The methods of the editor for agents, one declaration for each.

import { AddedMethods } from './added';
import { applyChanges, applyEdits, guard } from './approval';
import { linesOf } from './edits';
import {
  Unable,
  type Diagnostic,
  type Editor,
  type FileDiagnostics,
  type SelectionView,
  type Severity,
} from './editor';
import { handlersOf, method, plain, type Method } from './method';
import type { Handler } from './rpc';
import { count, flag, line as numberOfLine, list, object, oneOf, optional, path, text } from './params';

export const PROTOCOL = 1;
export const DIAGNOSTICS_MOST = 1000; // for all files together: the most that a model can use
export const notifications = [
  'userInput',
  'contextChanged',
  'diffClosed',
  'atMentioned',
  'documentSaved',
  'cancel',
  'shutdown',
];

const position = object({ line: count, character: count });
const textEdit = object({ range: object({ start: position, end: position }), newText: text });
const severity = oneOf('Error', 'Warning', 'Information', 'Hint');

const existing = <T>(value: T | undefined, otherwise: string): T => {
  if (value === undefined) throw new Unable(otherwise);
  return value;
};
const withoutPath = ({ text: selected, start, end }: SelectionView) => ({ text: selected, start, end });

function most(files: FileDiagnostics[], only: Severity | undefined): { files: FileDiagnostics[]; truncated?: true } {
  let room = DIAGNOSTICS_MOST;
  let truncated = false;
  const wanted = (diagnostic: Diagnostic) => only === undefined || diagnostic.severity === only;
  const kept = files.flatMap(({ path: file, diagnostics }) => {
    const all = diagnostics.filter(wanted);
    const shown = all.slice(0, room);
    truncated ||= shown.length < all.length;
    room -= shown.length;
    return shown.length > 0 ? [{ path: file, diagnostics: shown }] : [];
  });
  return truncated ? { files: kept, truncated: true } : { files: kept };
}

export interface About {
  name: string;
  version: string;
}

/** The methods of the bridge, and the registry for further methods. `about`: the editor's name and version, for `initialize`. */
export function handlersFor(about: About, editor: Editor): { handlers: Map<string, Handler>; added: AddedMethods } {
  const own: Method[] = [
    plain('ping', {}, () => ({ pong: true })),
    plain('initialize', { protocol: optional(count) }, () => ({
      protocol: PROTOCOL,
      editor: { ...about },
      methods: [...handlers.keys()],
      notifications,
    })),
    ...looking,
    ...diffs,
    ...changing,
    ...asking,
  ];
  const handlers = handlersOf(own, editor);
  const added = new AddedMethods(handlers);
  for (const [name, handler] of handlersOf(added.methods(), editor)) handlers.set(name, handler);
  return { handlers, added };
}

const looking: Method[] = [
  method('getActiveFile', {}, (editor) => ({ file: existing(editor.activeFile(), 'No active file') })),
  method('getSelection', {}, (editor) => ({
    selection: withoutPath(existing(editor.selection(), 'No active editor')),
  })),
  method('getLatestSelection', {}, (editor) => ({
    selection: existing(editor.latestSelection(), 'No selection yet'),
  })),
  method('getOpenEditors', {}, (editor) => ({ editors: editor.openEditors() })),
  method('getWorkspaceFolder', {}, (editor) => ({
    folder: existing(editor.folders()[0], 'No workspace folder open').path,
  })),
  method('getWorkspaceFolders', {}, (editor) => ({ folders: editor.folders(), trusted: editor.trusted() })),
  method('getDiagnostics', { path: optional(path), severity: optional(severity) }, (editor, p) =>
    most(editor.diagnostics(p.path), p.severity),
  ),
  method('openFile', { path, line: optional(count), column: optional(count) }, async (editor, p, call) => {
    await guard(editor, p.path, 'read', call); // getActiveFile reports the opened file
    await editor.reveal(p.path, Math.max(0, (p.line ?? 1) - 1), p.column ?? 0); // clients write 0 for the first line
    return { message: `Opened file: ${p.path}` };
  }),
  method(
    'readDocument',
    { path, startLine: optional(numberOfLine), endLine: optional(numberOfLine) },
    async (editor, p, call) => {
      await guard(editor, p.path, 'read', call);
      const { content, version, isDirty } = await editor.read(p.path);
      return {
        content: linesOf(content, (p.startLine ?? 1) - 1, p.endLine === undefined ? undefined : p.endLine - 1),
        version,
        isDirty,
      };
    },
  ),
  method('checkDocumentDirty', { path }, (editor, p) => {
    const { isDirty, isUntitled } = existing(editor.openDocument(p.path), `Document not open: ${p.path}`);
    return { isDirty, isUntitled };
  }),
];

const diffs: Method[] = [
  method('showDiff', { title: text, originalPath: path, modifiedContent: text }, async (editor, p, call) => {
    await editor.showDiff({ path: p.originalPath, newContent: p.modifiedContent, title: p.title }, (outcome) => {
      call.rpc.notify('diffClosed', {
        path: p.originalPath,
        outcome: outcome.outcome,
        ...(outcome.outcome === 'accepted' && { finalContent: outcome.finalContent }),
      });
    });
    return { message: `Diff shown: ${p.title}` };
  }),
  method('openDiff', { path, newContent: text, title: optional(text) }, async (editor, p, call) => ({
    ...(await editor.openDiff({ path: p.path, newContent: p.newContent, title: p.title ?? '' }, call.signal)),
  })),
  method('closeDiff', { originalPath: optional(path) }, async (editor, p) => {
    if (!(await editor.closeDiff(p.originalPath))) throw new Unable('No diff to close');
    return { message: 'Diff closed' };
  }),
  method('closeAllDiffs', {}, async (editor) => ({ closed: await editor.closeAllDiffs() })),
];

const changing: Method[] = [
  method('applyChanges', { path, oldStr: text, newStr: text, replaceAll: optional(flag) }, async (editor, p, call) => {
    await applyChanges(editor, p, call);
    return { message: `Applied changes to ${p.path}` };
  }),
  method('saveDocument', { path }, async (editor, p, call) => {
    existing(editor.openDocument(p.path), `Document not open: ${p.path}`);
    await guard(editor, p.path, 'save', call);
    return { saved: await editor.save(p.path) };
  }),
  method(
    'applyEdits',
    {
      label: optional(text),
      edits: list(
        object({
          path,
          create: optional(flag),
          delete: optional(flag),
          renameTo: optional(path),
          textEdits: optional(list(textEdit)),
        }),
      ),
      version: optional(count),
    },
    async (editor, p, call) => {
      const edits = p.edits.map((edit) => ({
        path: edit.path,
        create: edit.create ?? false,
        delete: edit.delete ?? false,
        renameTo: edit.renameTo,
        textEdits: edit.textEdits ?? [],
      }));
      return { applied: true, files: await applyEdits(editor, p.label ?? '', edits, p.version, call) };
    },
  ),
];

const option = object({ id: text, label: text, isDefault: optional(flag), isDanger: optional(flag) });

const asking: Method[] = [
  method(
    'confirmDialog',
    { title: text, message: text, detail: optional(text), options: list(option) },
    async (editor: Editor, p, call) => {
      const options = p.options.map((choice) => ({
        id: choice.id,
        label: choice.label,
        isDefault: choice.isDefault ?? false,
        isDanger: choice.isDanger ?? false,
      }));
      return {
        choice:
          (await editor.confirm(
            { title: p.title, message: p.message, detail: p.detail ?? '', options },
            call.signal,
          )) ?? null,
      };
    },
  ),
  method('showMessage', { level: oneOf('info', 'warning', 'error'), message: text }, (editor, p) =>
    editor.showMessage(p.level, p.message),
  ),
];
