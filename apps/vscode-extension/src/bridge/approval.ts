// SPDX-License-Identifier: Apache-2.0
// Actions that need a person's approval: edits, and any access outside the folders of the workspace. Without an answer, the action is
// refused.

import type { Call } from './rpc';
import { linesOf, occurrences, replaced, smallestEdit, withLf, type TextEdit } from './edits';
import { Unable, type Editor, type FileEdit } from './editor';

const ALLOW = 'allow';

async function allowed(editor: Editor, title: string, message: string, detail: string, call: Call): Promise<boolean> {
  const options = [
    { id: ALLOW, label: 'Allow', isDefault: false, isDanger: true },
    { id: 'reject', label: 'Reject', isDefault: true, isDanger: false },
  ];
  return (await editor.confirm({ title, message, detail, options }, call.signal)) === ALLOW;
}

/** Permits access inside the workspace, and access approved by a person. */
export async function guard(editor: Editor, path: string, what: 'read' | 'change' | 'save', call: Call): Promise<void> {
  if (await editor.inside(path)) return;
  if (
    !(await allowed(
      editor,
      `Let the agent ${what} this file?`,
      path,
      'This file is outside the folders of this workspace.',
      call,
    ))
  )
    throw new Unable('Rejected by user');
}

function placesOf(content: string, what: string, all: boolean): number[] {
  const found = occurrences(content, what);
  if (found.length === 0) throw new Unable('Old string not found in file');
  if (found.length > 1 && !all) throw new Unable(`Old string is not unique (${found.length} matches)`);
  return found;
}

export interface Change {
  path: string;
  oldStr: string;
  newStr: string;
  replaceAll: boolean | undefined;
}

/** Shows the change, and applies the person's version if the file is unchanged since the preview. */
export async function applyChanges(editor: Editor, wanted: Change, call: Call): Promise<void> {
  await guard(editor, wanted.path, 'change', call);
  const [from, to] = [withLf(wanted.oldStr), withLf(wanted.newStr)];
  const change = (content: string) => replaced(content, from, to, placesOf(content, from, wanted.replaceAll ?? false));
  const before = withLf((await editor.read(wanted.path)).content);
  const proposed = change(before);
  const answer = await editor.openDiff({ path: wanted.path, newContent: proposed, title: '' }, call.signal);
  if (answer.outcome === 'rejected') throw new Unable('Rejected by user');
  const now = withLf((await editor.read(wanted.path)).content);
  if (now !== before && answer.edited) throw new Unable('The file changed meanwhile: the edit was not applied');
  const after = answer.edited ? withLf(answer.finalContent) : change(now);
  const edit = smallestEdit(now, after);
  if (edit && !(await editor.change(wanted.path, edit))) throw new Unable('The editor did not apply the change');
}

const marked = (mark: string, text: string): string =>
  text === ''
    ? ''
    : text
        .split('\n')
        .map((line) => `\n${mark} ${line}`)
        .join('');

/** The complete old and new text: the person has to see the whole change. */
function changeInWords(content: string, { range: { start, end }, newText }: TextEdit): string {
  const lines = linesOf(content, start.line, end.line).split('\n');
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, end.line === start.line + last ? end.character : undefined);
  lines[0] = lines[0]!.slice(start.character);
  const where = end.line > start.line ? `lines ${start.line + 1} to ${end.line + 1}` : `line ${start.line + 1}`;
  return `  ${where}:${marked('-', lines.join('\n'))}${marked('+', newText)}`;
}

async function inWords(editor: Editor, edit: FileEdit): Promise<string> {
  if (edit.delete) return `Delete ${edit.path}`;
  const content = edit.create || edit.textEdits.length === 0 ? '' : withLf((await editor.read(edit.path)).content);
  const texts = edit.textEdits.map((textEdit) => changeInWords(content, textEdit)).join('\n');
  return [
    edit.create ? `Create ${edit.path}` : `Edit ${edit.path}`,
    edit.renameTo ? `  and rename it to ${edit.renameTo}` : '',
    texts,
  ]
    .filter(Boolean)
    .join('\n');
}

export async function applyEdits(
  editor: Editor,
  label: string,
  edits: FileEdit[],
  version: number | undefined,
  call: Call,
): Promise<string[]> {
  const files = [...new Set(edits.flatMap((edit) => (edit.renameTo ? [edit.path, edit.renameTo] : [edit.path])))];
  const outside: string[] = [];
  for (const file of files) if (!(await editor.inside(file))) outside.push(file);
  const check = async () => {
    for (const edit of edits) {
      if (version === undefined || edit.create) continue;
      if ((await editor.read(edit.path)).version !== version)
        throw new Unable('The document has changed since the request');
    }
  };
  await check();
  const words = (await Promise.all(edits.map((edit) => inWords(editor, edit)))).join('\n');
  const warning = outside.length > 0 ? `\n\nOutside this workspace: ${outside.join(', ')}` : '';
  if (
    !(await allowed(
      editor,
      label || 'Let the agent make these edits?',
      `${files.length} ${files.length === 1 ? 'file' : 'files'}`,
      words + warning,
      call,
    ))
  )
    throw new Unable('Rejected by user');
  await check();
  if (!(await editor.apply(label, edits))) throw new Unable('The editor did not apply the edits');
  return files;
}
