// SPDX-License-Identifier: Apache-2.0
// A database on the page: read only until the person enables editing, with edits that can be undone before writing, and questions drawn by
// the view. The viewer outlives a change of view.

import { signal } from '@preact/signals';
import type { HostGateway } from '../host';
import { words } from '../strings/views';
import type { Running } from './bridge';
import { Database } from './database';
import type { Form } from './exported';
import type { Turn } from './pending_edits';
import { SocketBridge } from './socket';
import { ViewerService, confirmAndWrite, type Content, type Question, type ViewerPlace } from './viewer_service';
import { ViewerStore, type ViewerLink } from './viewer_store';
import type { Asked, Cmd, Edit, Requests, Told } from './wire';

const PAGE_ROWS = 200;
const KEPT = 'parlance.sqlite.';

/** A question to the person, and the possible answers; undefined: the person chose none. */
export interface Asking {
  title: string;
  detail: string;
  answers: readonly string[];
  answer: (chosen: string | undefined) => void;
}
export type Saver = (blob: Blob, name: string) => void;

export class PageViewer implements ViewerLink {
  readonly asking = signal<Asking | undefined>(undefined);
  readonly store: ViewerStore;
  readonly #bridge: SocketBridge;
  readonly #database: Database;
  readonly #service: ViewerService;
  #told: (message: Told) => void = () => {};
  #editing = false;
  #made: Turn[] = [];
  #unmade: Turn[] = [];

  constructor(
    readonly path: string,
    gateway: HostGateway,
    private readonly saver: Saver,
  ) {
    this.#bridge = new SocketBridge(
      () => gateway.socket(`/sqlite?path=${encodeURIComponent(path)}${this.#editing ? '&edit=1' : ''}`),
      () => this.#service.changed(),
    );
    this.#database = new Database(path, this.#bridge, () => PAGE_ROWS);
    this.#service = new ViewerService(this.#database, this.#place(), (message) => this.#told(message));
    this.store = new ViewerStore(this);
    void this.store.refresh();
  }

  get unsaved(): boolean {
    return this.#database.edits.all.length > 0;
  }
  close(): void {
    this.#bridge.close();
  }

  // ---- the way of the viewer

  ask<C extends Cmd>(cmd: C, params: Requests[C]['params']): Asked<Requests[C]['value']> {
    let running: Running<unknown> | undefined;
    return {
      answer: this.#service.perform(cmd, params, (piece) => {
        running = piece;
      }),
      cancel: () => running?.cancel(),
    };
  }
  listen(told: (message: Told) => void): void {
    this.#told = told;
  }
  kept(): unknown {
    try {
      return JSON.parse(sessionStorage.getItem(KEPT + this.path) ?? 'null');
    } catch {
      return null;
    }
  }
  keep(state: unknown): void {
    try {
      sessionStorage.setItem(KEPT + this.path, JSON.stringify(state));
    } catch {
      /* storage is full or forbidden: the view begins at its first table again */
    }
  }

  // ---- features of the page only

  #place(): ViewerPlace {
    return {
      confirm: (question) => this.#confirm(question),
      save: async (name, _, content) => this.#save(name, content()),
      saveRows: async (name, title, content) => {
        const form = await this.#choose({ title, detail: words().which_form, answers: ['CSV', 'JSON'] });
        return form !== undefined && this.#save(`${name}.${form.toLowerCase()}`, content(form.toLowerCase() as Form));
      },
      copy: (text) => navigator.clipboard.writeText(text),
      edited: (edit) => this.#edited(edit),
      writeEdits: () => this.#writeEdits(),
      step: (step) => this.#step(step),
      allowEdits: async (on) => this.#allowEdits(on),
      pending: () => ({
        history: { undo: this.#made.length > 0, redo: this.#unmade.length > 0 },
        switch: this.#editing,
      }),
    };
  }

  #choose(asked: Omit<Asking, 'answer'>): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.asking.value = {
        ...asked,
        answer: (chosen) => {
          this.asking.value = undefined;
          resolve(chosen);
        },
      };
    });
  }
  async #confirm({ title, detail, yes }: Question): Promise<boolean> {
    return (await this.#choose({ title, detail, answers: [yes] })) !== undefined;
  }

  async #save(name: string, content: Content): Promise<boolean> {
    const pieces: BlobPart[] = [];
    for await (const piece of content) pieces.push(piece);
    this.saver(new Blob(pieces), name.replace(/[/\\]/g, '_'));
    return true;
  }

  #edited(edit: Edit): void {
    this.#made.push(this.#database.edits.add(edit));
    this.#unmade = [];
    void this.#service.tellPending();
  }
  #step(step: 'undo' | 'redo' | 'drop'): void {
    const turn = (step === 'undo' ? this.#made : this.#unmade).pop();
    if (step === 'drop') {
      this.#database.edits.drop();
      this.#forgetTurns();
    } else if (turn && step === 'undo') {
      turn.undo();
      this.#unmade.push(turn);
    } else if (turn) {
      turn.redo();
      this.#made.push(turn);
    }
    void this.#service.tellPending();
  }
  #forgetTurns(): void {
    this.#made = [];
    this.#unmade = [];
  }

  async #writeEdits(): Promise<void> {
    const edits = this.#database.edits.all; // further edits may follow during the write
    const turns = this.#made.length;
    if (!this.unsaved || !(await confirmAndWrite(this.#database, await this.#database.editsSql(edits), this.#place())))
      return;
    this.#database.edits.done(edits);
    this.#made = this.#made.slice(turns);
    this.#unmade = [];
    await this.#service.tellPending();
    this.#service.changed();
  }

  /** The mode of a helper (reading or writing) is fixed, so a change starts another helper. Earlier writes remain. */
  #allowEdits(on: boolean): void {
    this.#editing = on;
    this.#database.saved = 0;
    this.#bridge.close();
  }
}
