// SPDX-License-Identifier: Apache-2.0
// The page in an editor's webview: the extension is the host, and passes on what belongs to the gateway. Beside that it tells what the
// person looks at, and opens files and diffs.

import { signal } from '@preact/signals';
import type { EditorContext, FromPage, ToPage } from './editor_wire';
import { fromTheEditor } from './from_the_editor';
import type { Host, HostEditor } from '../host';
import type { HostMessage, PageMessage } from '../protocol';
import type { Link } from '../store';

export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export class EditorHost implements Host {
  readonly editor: HostEditor;
  readonly #attachments = new Map<number, { resolve(blob: Blob): void; reject(error: Error): void }>();
  #last = 0;
  #online = false;
  #message: (message: HostMessage) => void = () => {};
  #link: (link: Link) => void = () => {};
  #used: boolean;

  constructor(
    private readonly api: WebviewApi,
    from: EventTarget = globalThis,
  ) {
    this.#used = wasUsed(api.getState()) || (globalThis.document?.hasFocus() ?? false);
    this.editor = {
      context: signal<EditorContext>({ activeFile: null, selection: null }),
      folders: signal<readonly string[]>([]),
      excluded: signal<string[]>([]),
      folder: signal(''),
      diffs: signal(true),
      compose: signal(undefined),
      show: signal(undefined),
      open: (path, line) => this.#say({ type: 'open', path, line }),
      diff: (ask) => this.#say({ type: 'diff', ask }),
      insert: (text) => this.#say({ type: 'insert', text }),
      external: (url) => this.#say({ type: 'external', url }),
    };
    fromTheEditor<ToPage>(from, (message) => this.#take(message));
    for (const use of ['focus', 'pointerdown', 'keydown']) from.addEventListener(use, () => this.#use());
  }

  onMessage(listener: (message: HostMessage) => void): void {
    this.#message = listener;
  }
  onLink(listener: (link: Link) => void): void {
    this.#link = listener;
  }
  getState(): unknown {
    return this.api.getState() ?? null;
  }
  setState(state: unknown): void {
    this.api.setState(state);
  }
  connect(): void {
    this.#say({ type: 'connect', used: this.#used });
  }

  #use(): void {
    if (this.#used) return;
    this.#used = true;
    this.connect();
  }

  post(message: PageMessage): boolean {
    if (this.#online) this.#say({ type: 'host', text: JSON.stringify(message) });
    return this.#online;
  }

  attachment(id: string): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.#attachments.set(++this.#last, { resolve, reject });
      this.#say({ type: 'attachment', request: this.#last, id });
    });
  }

  #say(message: FromPage): void {
    this.api.postMessage(message);
  }

  #take(message: ToPage): void {
    switch (message.type) {
      case 'host':
        this.#message(JSON.parse(message.text) as HostMessage);
        break;
      case 'link':
        this.#online = message.link.state === 'online';
        this.#link(message.link);
        break;
      case 'attachment':
        this.#attached(message);
        break;
      case 'context':
        this.editor.context.value = message.context;
        break;
      case 'folders':
        this.editor.folders.value = message.folders;
        this.editor.folder.value = message.current;
        this.editor.excluded.value = message.excluded ?? [];
        break;
      case 'diffs':
        this.editor.diffs.value = message.wanted;
        break;
      case 'compose':
        this.#use();
        this.editor.compose.value = message;
        break;
      case 'show':
        this.#use();
        this.editor.show.value = message.view;
        break;
    }
  }

  #attached({ request, mediaType, base64, error }: Extract<ToPage, { type: 'attachment' }>): void {
    const waiter = this.#attachments.get(request);
    this.#attachments.delete(request);
    if (base64 === undefined) waiter?.reject(new Error(error ?? 'not there'));
    else waiter?.resolve(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: mediaType ?? '' }));
  }
}

/** It had a conversation in front, or something half written, when it was last there: that is to come back. */
function wasUsed(kept: unknown): boolean {
  const { current, drafts } = (kept ?? {}) as { current?: string; drafts?: object };
  return !!current || Object.keys(drafts ?? {}).length > 0;
}
