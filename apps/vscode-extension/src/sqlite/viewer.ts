// SPDX-License-Identifier: Apache-2.0
// One viewer: passes the requests of its webview to the service, and reports changes of the file.

import { realpathSync, watch, type FSWatcher } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import { SqliteError, type Running } from '../../../web/src/sqlite/bridge';
import type { Database } from '../../../web/src/sqlite/database';
import { ViewerService, type Content, type Question, type ViewerPlace } from '../../../web/src/sqlite/viewer_service';
import type { Edit } from '../../../web/src/sqlite/wire';
import type { ToExtension, ToViewer } from './messages';

const QUIET_MS = 250; // after the last write of a burst

export interface ViewerHooks {
  edited(edit: Edit): void;
  save(): Promise<void>;
  allowEdits(on: boolean): Promise<void>;
  allowed(): boolean;
}

export class Viewer implements vscode.Disposable {
  private readonly running = new Map<number, Running<unknown>>();
  private readonly parts: vscode.Disposable[];
  private readonly watcher: FSWatcher | undefined;
  private readonly service: ViewerService;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly webview: vscode.Webview,
    database: Database,
    hooks: ViewerHooks,
  ) {
    this.service = new ViewerService(database, windowOf(hooks), (message) => this.post(message));
    this.parts = [webview.onDidReceiveMessage((message: ToExtension) => void this.take(message))];
    try {
      const real = realpathSync(database.path); // where a link leads, its write-ahead log lies, too
      const name = basename(real);
      this.watcher = watch(dirname(real), (_, file) => {
        if (file === name || file === `${name}-wal`) this.changedSoon();
      });
      this.watcher.on('error', () => {});
    } catch {
      /* a folder without watching: the person can use the button */
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watcher?.close();
    for (const request of this.running.values()) request.cancel();
    vscode.Disposable.from(...this.parts).dispose();
  }

  tellPending(): Promise<void> {
    return this.service.tellPending();
  }
  changed(): void {
    this.service.changed();
  }

  private changedSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed(), QUIET_MS);
  }
  private post(message: ToViewer): void {
    void this.webview.postMessage(message);
  }

  private async take(message: ToExtension): Promise<void> {
    if (typeof message !== 'object' || message === null) return;
    if ('cancel' in message) {
      this.running.get(message.cancel)?.cancel();
      return;
    }
    const { request, cmd, params } = message;
    if (!this.service.knows(cmd) || typeof request !== 'number') return;
    try {
      this.post({
        type: 'done',
        request,
        value: await this.service.perform(cmd, params, (running) => this.running.set(request, running)),
      });
    } catch (error) {
      const { code, offset } = error instanceof SqliteError ? error : { code: 'INTERNAL', offset: undefined };
      this.post({
        type: 'failed',
        request,
        code,
        message: error instanceof Error ? error.message : String(error),
        ...(offset !== undefined && { offset }),
      });
    } finally {
      this.running.delete(request);
    }
  }
}

export async function confirm({ title, detail, yes }: Question): Promise<boolean> {
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, yes)) !== undefined;
}

async function save(to: vscode.Uri | undefined, content: (path: string) => Content): Promise<boolean> {
  if (!to) return false;
  await pipeline(content(to.fsPath), createWriteStream(to.fsPath));
  return true;
}

/** A window of the editor as the place of a viewer. The editor provides undo. */
function windowOf(hooks: ViewerHooks): ViewerPlace {
  return {
    confirm,
    save: async (_, title, content) => save(await vscode.window.showSaveDialog({ title }), content),
    saveRows: async (_, title, content) =>
      save(await vscode.window.showSaveDialog({ title, filters: { CSV: ['csv'], JSON: ['json'] } }), (path) =>
        content(path.endsWith('.json') ? 'json' : 'csv'),
      ),
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
    },
    edited: (edit) => hooks.edited(edit),
    writeEdits: () => hooks.save(),
    allowEdits: (on) => hooks.allowEdits(on),
    pending: () => ({ switch: hooks.allowed() }),
  };
}
