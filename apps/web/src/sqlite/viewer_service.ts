// SPDX-License-Identifier: Apache-2.0
// The service behind a viewer of a database. It answers the viewer's requests, and asks a person before each write.

import { words } from '../strings/views';
import { SqliteError, type Running } from './bridge';
import { told, type Database } from './database';
import { exported, type Form } from './exported';
import type { Cmd, Edit, Look, Pending, Requests, Told, Value } from './wire';

export interface Question {
  title: string;
  detail: string;
  yes: string;
}
/** The contents of a file, piece by piece. */
export type Content = AsyncIterable<string | Uint8Array<ArrayBuffer>>;

/** Abilities of the viewer's place: an editor's window, or a page. */
export interface ViewerPlace {
  confirm(question: Question): Promise<boolean>; // True: the person agreed.
  /** Asks the person for the place of the file. False: no place. */
  save(name: string, title: string, content: () => Content): Promise<boolean>;
  /** Saves rows like `save`, in the form of the person's choice. */
  saveRows(name: string, title: string, content: (form: Form) => Content): Promise<boolean>;
  copy(text: string): Promise<void>;
  edited(edit: Edit): void;
  writeEdits(): Promise<void>; // Writes the unsaved edits.
  step?(step: 'undo' | 'redo' | 'drop'): void;
  allowEdits(on: boolean): Promise<void>;
  /** The additions to the pending edits. */
  pending(): Pick<Pending, 'history' | 'switch'>;
}

export type Watch = (running: Running<unknown>) => void; // For a cancellation.
type Handlers = { [C in Cmd]: (params: Requests[C]['params'], watch: Watch) => Promise<Requests[C]['value']> };

export class ViewerService {
  constructor(
    private readonly database: Database,
    private readonly place: ViewerPlace,
    private readonly tell: (message: Told) => void,
  ) {}

  async tellPending(): Promise<void> {
    const { edits, saved } = this.database;
    const added = this.place.pending();
    this.tell({
      type: 'pending',
      pending: {
        edits: [...edits.all],
        sql: await this.database.editsSql(this.database.edits.all),
        undoable: added.switch ? saved : 0,
        ...added,
      },
    });
  }
  changed(): void {
    this.tell({ type: 'changed' });
  }

  /** Rejects with the reason of the failure. */
  perform<C extends Cmd>(cmd: C, params: Requests[C]['params'], watch: Watch): Promise<Requests[C]['value']> {
    return this.#handlers[cmd](params, watch);
  }
  knows(cmd: string): cmd is Cmd {
    return Object.hasOwn(this.#handlers, cmd);
  }

  readonly #handlers: Handlers = {
    schema: async () => {
      const schema = await this.database.schema();
      await this.tellPending();
      return schema;
    },
    page: ({ look, after, skip }, watch) => this.database.page(look, after, skip, watch),
    count: ({ look }, watch) => this.database.count(look, watch),
    cell: ({ table, key, column }, watch) => this.database.cell(table, key, column, watch),
    save_cell: ({ table, key, column }) => this.#saveCell(table, key, column),
    run: ({ sql }, watch) => this.#run(sql, watch),
    edit: async ({ edit }) => {
      this.#mustBeOn();
      this.place.edited(edit);
      return null;
    },
    save: async () => {
      await this.place.writeEdits();
      return null;
    },
    history: async ({ step }) => {
      this.place.step?.(step);
      return null;
    },
    allow_edits: async ({ on }) => {
      await this.place.allowEdits(on);
      await this.tellPending();
      return null;
    },
    undo_saved: () => this.#undoSaved(),
    export: ({ look }) => this.#exportRows(look),
    copy: async ({ text }) => {
      await this.place.copy(text);
      return null;
    },
  };

  /** Reading statements run at once; writing statements are previewed and need approval. */
  async #run(sql: string, watch: Watch): Promise<Requests['run']['value']> {
    try {
      return await this.database.run(sql, watch);
    } catch (error) {
      const writes =
        error instanceof SqliteError &&
        (error.code === 'NOT_READONLY' ||
          /more than one statement|second statement|one statement/i.test(error.message));
      if (!writes) throw error;
    }
    this.#mustBeOn();
    const result = await confirmAndWrite(this.database, sql, this.place);
    if (!result) throw new SqliteError('CANCELLED', words().nothing_written);
    await this.tellPending();
    return result;
  }

  #mustBeOn(): void {
    if (!this.place.pending().switch) throw new SqliteError('NOT_READONLY', words().switch_first);
  }

  async #undoSaved(): Promise<boolean> {
    this.#mustBeOn();
    const w = words();
    if (!(await this.place.confirm({ title: w.take_back_question, detail: '', yes: w.take_back }))) return false;
    await this.database.undoSaved();
    await this.tellPending();
    this.changed();
    return true;
  }

  #saveCell(table: string, key: Value[], column: string): Promise<boolean> {
    return this.place.save(column, words().save_what(column), () => this.database.bytes(table, key, column));
  }

  async #exportRows(look: Look): Promise<number | null> {
    let rows = 0;
    const done = await this.place.saveRows(look.table, words().export_what(look.table), (form) =>
      exported(this.database, look, form, (n) => {
        rows += n;
      }),
    );
    return done ? rows : null;
  }
}

const SHOWN_SQL = 3000; // Characters of the statements in a question.

/** Shows the effect. Undefined: the person refused. */
export async function confirmAndWrite(database: Database, sql: string, place: Pick<ViewerPlace, 'confirm'>) {
  const w = words();
  const preview = await database.preview(sql);
  const detail = `${told(preview)}\n\n${sql.length > SHOWN_SQL ? `${sql.slice(0, SHOWN_SQL)}\n…` : sql}`;
  return (await place.confirm({ title: w.write_question(database.path.replace(/^.*[/\\]/, '')), detail, yes: w.write }))
    ? database.write(sql, preview)
    : undefined;
}
