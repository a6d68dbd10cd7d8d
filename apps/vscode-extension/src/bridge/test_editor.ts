// SPDX-License-Identifier: Apache-2.0
// An editor in memory, for tests of the handlers: a map of files, and a person whose answers are given in advance.

import type { TextEdit } from './edits';
import type {
  DocumentView,
  Editor,
  FileDiagnostics,
  FileEdit,
  FileView,
  Folder,
  OpenEditor,
  Outcome,
  Proposal,
  Question,
  SelectionView,
} from './editor';
import { Unable } from './editor';
import { handlersFor } from './methods';
import type { Json, Message } from './framing';
import { Rpc, RpcError } from './rpc';

export class MemoryEditor implements Editor {
  files = new Map<string, DocumentView>();
  active: FileView | undefined;
  selected: SelectionView | undefined;
  latest: SelectionView | undefined;
  problems: FileDiagnostics[] = [];
  shown: string[] = [];
  changes: TextEdit[] = [];
  applied: FileEdit[] = [];
  questions: string[] = [];
  choice: string | undefined;
  answer: (proposal: Proposal, signal: AbortSignal) => Promise<Outcome> = async (p) => ({
    outcome: 'accepted',
    finalContent: p.newContent,
    edited: false,
  });
  diffClosed: ((outcome: Outcome) => void) | undefined;

  put(path: string, content: string, more: Partial<DocumentView> = {}): void {
    this.files.set(path, { content, version: 1, isDirty: false, isUntitled: false, ...more });
  }
  activeFile() {
    return this.active;
  }
  selection() {
    return this.selected;
  }
  latestSelection() {
    return this.latest;
  }
  openEditors(): OpenEditor[] {
    return [];
  }
  folders(): Folder[] {
    return [{ name: 'w', path: '/w', uri: 'file:///w' }];
  }
  trusted() {
    return true;
  }
  diagnostics(path?: string) {
    return this.problems.filter((problem) => path === undefined || problem.path === path);
  }
  async inside(path: string) {
    return path.startsWith('/w/');
  }
  openDocument(path: string) {
    return this.files.get(path);
  }
  async read(path: string) {
    const file = this.files.get(path);
    if (!file) throw new Unable(`No such file: ${path}`);
    return file;
  }
  async save() {
    return true;
  }
  async reveal(path: string, line: number, column: number) {
    this.shown.push(`${path}:${line}:${column}`);
  }
  async showDiff(proposal: Proposal, closed: (outcome: Outcome) => void) {
    this.shown.push(proposal.title);
    this.diffClosed = closed;
  }
  async openDiff(proposal: Proposal, signal: AbortSignal) {
    return this.answer(proposal, signal);
  }
  async closeDiff() {
    return this.diffClosed !== undefined;
  }
  async closeAllDiffs() {
    return 3;
  }
  async change(_path: string, edit: TextEdit) {
    this.changes.push(edit);
    return true;
  }
  async apply(_label: string, edits: FileEdit[]) {
    this.applied.push(...edits);
    return true;
  }
  async confirm({ title, detail }: Question) {
    this.questions.push(`${title} ${detail}`);
    return this.choice;
  }
  showMessage(level: string, message: string) {
    this.shown.push(`${level}: ${message}`);
  }
}

/** Both ends of a bridge in one process. `call` is what the agent's side sends. */
export function bridgeTo(editor: Editor) {
  const sent: Message[] = [];
  const waiting = new Map<number, { resolve(value: Json): void; reject(error: Error): void }>();
  const { handlers, added } = handlersFor({ name: 'Test', version: '1' }, editor);
  const rpc = new Rpc(
    (line) => {
      const message = JSON.parse(line) as Message;
      sent.push(message);
      const waiter = waiting.get(message.id as number);
      const error = message.error as Message | undefined;
      if (error) waiter?.reject(new RpcError(error.code as number, error.message as string));
      else waiter?.resolve(message.result ?? null);
    },
    handlers,
    { text: () => {}, note: () => {}, notified: () => {} },
  );
  let last = 0;
  const say = (message: Message) => rpc.receive(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`));
  const call = (method: string, params: Message = {}): Promise<Json> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      say({ id: last, method, params });
    });
  return { rpc, added, sent, say, call, last: () => last };
}
