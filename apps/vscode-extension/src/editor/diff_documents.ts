// SPDX-License-Identifier: Apache-2.0
// The right side of a proposal: editable documents in memory, one for each proposal, registered once for their scheme. The left side of a
// new file is such a document too.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export const SCHEME = 'parlance-proposal';

interface Entry {
  bytes: Uint8Array;
  mtime: number;
  fixed: boolean;
}

export class DiffDocuments implements vscode.FileSystemProvider {
  private readonly entries = new Map<string, Entry>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly ours = randomBytes(6).toString('hex'); // VS Code restores tabs with the names of an earlier run
  private last = 0;
  readonly onDidChangeFile = this.changed.event;

  /** A separate document; its name determines the language. */
  add(path: string, text: string, fixed: boolean): vscode.Uri {
    const uri = vscode.Uri.file(path).with({ scheme: SCHEME, query: `${this.ours}-${++this.last}` });
    this.entries.set(uri.toString(), { bytes: Buffer.from(text), mtime: this.last, fixed });
    return uri;
  }
  /** True for removed documents too. */
  made(uri: vscode.Uri): boolean {
    return uri.query.startsWith(this.ours);
  }
  remove(uri: vscode.Uri): void {
    this.entries.delete(uri.toString());
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, mtime, fixed } = this.entry(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size: bytes.length,
      ...(fixed && { permissions: vscode.FilePermission.Readonly }),
    };
  }
  readFile(uri: vscode.Uri): Uint8Array {
    return this.entry(uri).bytes;
  }
  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    const entry = this.entry(uri);
    if (entry.fixed) throw vscode.FileSystemError.NoPermissions('This proposal cannot be changed.');
    entry.bytes = bytes;
    ++entry.mtime;
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
  watch(): vscode.Disposable {
    return { dispose: () => {} };
  }
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions('Proposals have no folders.');
  }
  delete(): void {
    throw vscode.FileSystemError.NoPermissions('A proposal is closed, not deleted.');
  }
  rename(): void {
    throw vscode.FileSystemError.NoPermissions('A proposal cannot be renamed.');
  }

  private entry(uri: vscode.Uri): Entry {
    const entry = this.entries.get(uri.toString());
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}
