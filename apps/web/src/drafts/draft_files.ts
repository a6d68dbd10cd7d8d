// SPDX-License-Identifier: Apache-2.0
// The files of drafts: kept with the text of each draft, and across a reload in the browser's database. The entries belong to one tab;
// entries of a closed tab are deleted after a week.

import { signal } from '@preact/signals';
import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import { isPicture, mediaTypeOf, UNKNOWN, type Attached, type NamedBlob } from '../attachments';
import type { AttachmentLimits } from '../protocol';
import { t } from '../strings';

const KEPT_MS = 7 * 86_400_000;

interface Kept {
  at: number;
  files: Omit<Attached, 'id'>[];
}
type Shrink = (picture: Blob, mostBytes: number) => Promise<Blob | undefined>;
const none: readonly Attached[] = [];

export class DraftFiles {
  /** By conversation, '' for the new conversation. */
  readonly all = signal<Readonly<Record<string, readonly Attached[]>>>({});
  #lastId = 0;
  readonly #held = new Map<number, { key: string; files: readonly Attached[] }>(); // by message
  readonly #store: UseStore | undefined;

  constructor(
    private readonly tab: string,
    private readonly shrink: Shrink,
  ) {
    if (typeof indexedDB === 'undefined') return; // a reload loses the files
    this.#store = createStore('parlance', 'draft_files');
    void this.#load(this.#store);
  }

  of(key: string): readonly Attached[] {
    return this.all.value[key] ?? none;
  }

  async add(key: string, files: readonly NamedBlob[], limits: AttachmentLimits): Promise<void> {
    const made = await Promise.all(files.map((file) => this.#attach(file, limits)));
    this.put(key, [...this.of(key), ...made]);
  }

  async #attach(file: NamedBlob, limits: AttachmentLimits): Promise<Attached> {
    const about = { id: ++this.#lastId, name: file.name || t.unnamed_file };
    try {
      const mediaType = await mediaTypeOf(file, limits);
      const blob = isPicture(mediaType) ? await this.shrink(file, limits.picture_bytes) : file;
      if (!blob) return { ...about, mediaType: UNKNOWN, blob: file };
      if (blob === file) return { ...about, mediaType, blob };
      return {
        ...about,
        name: about.name.replace(/\.\w+$/, '') + '.jpg',
        mediaType: blob.type,
        blob,
        wasBytes: file.size,
      };
    } catch {
      return { ...about, mediaType: file.type, blob: file, unread: true };
    }
  }

  remove(key: string, id: number): void {
    this.put(
      key,
      this.of(key).filter((attached) => attached.id !== id),
    );
  }

  /** Takes the files out of the draft for sending. */
  take(key: string): readonly Attached[] {
    const taken = this.of(key);
    if (taken.length > 0) this.put(key, none);
    return taken;
  }

  put(key: string, files: readonly Attached[]): void {
    const { [key]: _, ...others } = this.all.value;
    this.all.value = files.length > 0 ? { ...others, [key]: files } : others;
    this.#keep(key);
  }

  /** Holds the files of an unconfirmed message: a reload returns the files to the draft. */
  hold(message: number, key: string, files: readonly Attached[]): void {
    if (files.length === 0) return;
    this.#held.set(message, { key, files });
    this.#keep(key);
  }
  letGo(message: number): void {
    const held = this.#held.get(message);
    if (this.#held.delete(message)) this.#keep(held!.key);
  }

  #keep(key: string): void {
    if (!this.#store) return;
    const files = [
      ...[...this.#held.values()].filter((entry) => entry.key === key).flatMap((entry) => entry.files),
      ...this.of(key),
    ];
    const kept: Kept = { at: Date.now(), files: files.map(({ id: _, ...file }) => file) };
    const written =
      files.length > 0 ? set(`${this.tab}/${key}`, kept, this.#store) : del(`${this.tab}/${key}`, this.#store);
    written.catch(() => {}); // full: the files stay in memory
  }

  async #load(store: UseStore): Promise<void> {
    try {
      const found = await entries<string, Kept>(store);
      await delMany(
        found.filter(([, kept]) => kept.at < Date.now() - KEPT_MS).map(([key]) => key),
        store,
      );
      for (const [key, kept] of found) {
        if (!key.startsWith(`${this.tab}/`)) continue;
        const draft = key.slice(this.tab.length + 1);
        const files = kept.files.map((file) => ({ ...file, id: ++this.#lastId }));
        this.all.value = { ...this.all.value, [draft]: [...files, ...this.of(draft)] };
      }
    } catch {
      /* an unreadable database counts as empty */
    }
  }
}
