// SPDX-License-Identifier: Apache-2.0
// The viewer as a custom editor: its edits belong to the editor, so undo, redo, the dot on the tab and Save work as for any file.

import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Database } from '../../../web/src/sqlite/database';
import { confirmAndWrite } from '../../../web/src/sqlite/viewer_service';
import type { Edit } from '../../../web/src/sqlite/wire';
import { language, languageFor, setLanguage } from '../../../web/src/strings/language';
import { words } from '../../../web/src/strings/views';
import type { Settings } from '../editor/settings';
import { maxRows } from '../editor/settings';
import { pageHtml } from '../page/html';
import { SqliteHelper } from './helper';
import { confirm, Viewer } from './viewer';

export const VIEW_TYPE = 'parlance.sqlite';

class SqliteDocument implements vscode.CustomDocument {
  readonly viewers = new Set<Viewer>();
  editing = false; // read only until the person enables editing
  constructor(
    readonly uri: vscode.Uri,
    readonly database: Database,
  ) {}
  dispose(): void {
    void this.database.close().catch(() => {});
  }
  get writable(): boolean {
    return this.editing || this.database.edits.all.length > 0;
  }
  async pendingChanged(): Promise<void> {
    for (const viewer of this.viewers) await viewer.tellPending();
  }
}

class SqliteProvider implements vscode.CustomEditorProvider<SqliteDocument> {
  private readonly changed = new vscode.EventEmitter<vscode.CustomDocumentEditEvent<SqliteDocument>>();
  readonly onDidChangeCustomDocument = this.changed.event;

  constructor(
    private readonly root: vscode.Uri,
    private readonly helper: SqliteHelper,
  ) {}

  async openCustomDocument(uri: vscode.Uri, context: vscode.CustomDocumentOpenContext): Promise<SqliteDocument> {
    this.helper.reset();
    const document = new SqliteDocument(uri, new Database(uri.fsPath, this.helper, maxRows));
    if (context.backupId)
      document.database.edits.restore(
        JSON.parse(
          Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.parse(context.backupId))).toString(),
        ) as Edit[],
      );
    return document;
  }

  resolveCustomEditor(document: SqliteDocument, panel: vscode.WebviewPanel): void {
    const media = vscode.Uri.joinPath(this.root, 'media', 'viewer');
    panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    const viewer = new Viewer(panel.webview, document.database, {
      edited: (edit) => this.edit(document, edit),
      save: async () => {
        // through the workbench, which must learn that no edit is unsaved
        panel.reveal(undefined, false);
        await vscode.commands.executeCommand('workbench.action.files.save');
      },
      allowEdits: (on) => {
        document.editing = on;
        return document.pendingChanged();
      },
      allowed: () => document.writable,
    });
    document.viewers.add(viewer);
    panel.onDidDispose(() => {
      document.viewers.delete(viewer);
      viewer.dispose();
    });
    const at = (name: string) => panel.webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
    panel.webview.html = pageHtml({
      script: at('viewer.js'),
      style: at('viewer.css'),
      source: panel.webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      title: 'SQLite',
      language,
    });
  }

  private edit(document: SqliteDocument, edit: Edit): void {
    const { database } = document;
    const turn = database.edits.add(edit);
    const taken = async (again: boolean) => {
      if (!again) void vscode.window.showInformationMessage(words().is_written);
      await document.pendingChanged();
    };
    const label = words().edit_kind[edit.kind];
    this.changed.fire({
      document,
      label,
      undo: () => taken(turn.undo()),
      redo: () => taken(turn.redo()),
    });
    void document.pendingChanged();
  }

  async saveCustomDocument(document: SqliteDocument): Promise<void> {
    const { database } = document;
    const edits = database.edits.all; // further edits may follow during the write
    if (edits.length > 0 && !(await confirmAndWrite(database, await database.editsSql(edits), { confirm })))
      throw new vscode.CancellationError();
    database.edits.done(edits);
    await document.pendingChanged();
    for (const viewer of document.viewers) viewer.changed();
  }

  async saveCustomDocumentAs(document: SqliteDocument, to: vscode.Uri): Promise<void> {
    const { database } = document;
    const sql = await database.editsSql(database.edits.all); // a copy includes unsaved edits, as for any file
    const copy = `${to.fsPath}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      await this.helper.ask('snapshot', { path: database.path, to: copy });
      if (sql !== '') await this.helper.ask('execute', { path: copy, sql });
      await this.helper.ask('close', { path: copy });
      // SQLite would apply these files of the replaced database to the copy.
      await Promise.all(['-wal', '-shm', '-journal'].map((ending) => rm(to.fsPath + ending, { force: true })));
      await rename(copy, to.fsPath);
    } catch (error) {
      await rm(copy, { force: true });
      throw error;
    }
  }

  async revertCustomDocument(document: SqliteDocument): Promise<void> {
    document.database.edits.drop();
    await document.pendingChanged();
  }

  async backupCustomDocument(
    document: SqliteDocument,
    { destination }: vscode.CustomDocumentBackupContext,
  ): Promise<vscode.CustomDocumentBackup> {
    await vscode.workspace.fs.writeFile(destination, Buffer.from(JSON.stringify(document.database.edits.all)));
    return {
      id: destination.toString(),
      delete: () =>
        void vscode.workspace.fs.delete(destination).then(
          () => {},
          () => {},
        ),
    };
  }
}

export interface Sqlite extends vscode.Disposable {
  open(uri?: vscode.Uri): Promise<void>;
  stop(): Promise<void>;
}

export function registerSqlite(
  context: vscode.ExtensionContext,
  settings: Settings,
  log: vscode.LogOutputChannel,
): Sqlite {
  setLanguage(languageFor([vscode.env.language]));
  const program = () => {
    if (!vscode.workspace.isTrusted) throw new Error('The workspace is not trusted: nothing is started here.');
    return settings.binary('sqlite-helper');
  };
  const helper = new SqliteHelper(program, (line) => log.info(line));
  const registration = vscode.window.registerCustomEditorProvider(
    VIEW_TYPE,
    new SqliteProvider(context.extensionUri, helper),
    { supportsMultipleEditorsPerDocument: true },
  );
  return {
    open: async (uri) => {
      const chosen =
        uri ??
        (
          await vscode.window.showOpenDialog({
            title: 'Open a SQLite database',
            filters: { SQLite: ['db', 'sqlite', 'sqlite3', 'db3'], 'All files': ['*'] },
          })
        )?.[0];
      if (chosen) await vscode.commands.executeCommand('vscode.openWith', chosen, VIEW_TYPE);
    },
    stop: () => helper.stop(),
    dispose: () => registration.dispose(),
  };
}
