// SPDX-License-Identifier: Apache-2.0
// Prompts of this page that the transcript does not hold yet: on their way, or not sent.

import { signal } from '@preact/signals';
import { toWire, type Attached } from '../attachments';
import type { DraftFiles } from '../drafts/draft_files';
import type { AttachedFile, AttachmentInfo, PromptContext } from '../protocol';
import { t } from '../strings';
import type { LiveStore } from './live_store';

export interface Outgoing {
  id: number;
  conversation: string;
  text: string;
  files: readonly Attached[];
  state: 'sending' | 'unsure' | 'unsent';
  after: number;
  why: string;
}

export class Outbox {
  readonly prompts = signal<readonly Outgoing[]>([]);
  #lastId = 0;
  #encoding: Promise<void> | undefined; // of files; later prompts wait for it, to keep the order

  constructor(
    private readonly store: LiveStore,
    private readonly files: DraftFiles,
  ) {}

  send(conversation: string, text: string, files: readonly Attached[], context: readonly PromptContext[]): void {
    const id = ++this.#lastId;
    const after = this.store.state.peek().opened[conversation]?.transcript.lastSeq ?? 0;
    this.prompts.value = [...this.prompts.peek(), { id, conversation, text, files, state: 'sending', after, why: '' }];
    this.files.hold(id, conversation, files);
    const become = (state: Outgoing['state'], why: string) => {
      this.prompts.value = this.prompts.peek().map((prompt) => (prompt.id === id ? { ...prompt, state, why } : prompt));
    };
    const post = (attachments: AttachedFile[]) => {
      this.store.request(
        {
          type: 'prompt',
          conversation,
          text,
          ...(attachments.length > 0 && { attachments }),
          ...(context.length > 0 && { context: [...context] }),
        },
        () => this.discard(id),
        (error) => {
          if (error.code === 'disconnected') become('unsure', t.not_sent);
          else become('unsent', error.message);
        },
      );
    };
    if (files.length === 0 && !this.#encoding) {
      post([]);
      return;
    }
    const encoding = (this.#encoding ?? Promise.resolve())
      .then(() => toWire(files))
      .then(post, (error: Error) => become('unsent', error.message))
      .finally(() => {
        if (this.#encoding === encoding) this.#encoding = undefined;
      });
    this.#encoding = encoding;
  }

  discard(id: number): void {
    this.files.letGo(id);
    this.prompts.value = this.prompts.peek().filter((prompt) => prompt.id !== id);
  }

  /** After a reconnect: removes prompts that arrived before the cut, and marks the others as unsent. */
  reconcile(conversation: string): void {
    const { opened, conversations } = this.store.state.peek();
    const log = opened[conversation]?.transcript.log ?? [];
    const queued = conversations[conversation]?.queued ?? [];
    const same = (prompt: Outgoing, told: { text: string; attachments?: readonly AttachmentInfo[] }) =>
      told.text === prompt.text &&
      (told.attachments ?? []).map((file) => file.name).join('/') === prompt.files.map((file) => file.name).join('/');
    const arrived = (prompt: Outgoing) =>
      queued.some((told) => same(prompt, told)) ||
      log.some((event) => event.kind === 'user_message' && event.seq > prompt.after && same(prompt, event));
    const unsure = (prompt: Outgoing) => prompt.conversation === conversation && prompt.state === 'unsure';
    const list = this.prompts.peek();
    if (!list.some(unsure)) return;
    this.prompts.value = list
      .filter((prompt) => {
        const done = unsure(prompt) && arrived(prompt);
        if (done) this.files.letGo(prompt.id);
        return !done;
      })
      .map((prompt) => (unsure(prompt) ? { ...prompt, state: 'unsent' as const } : prompt));
  }
}
