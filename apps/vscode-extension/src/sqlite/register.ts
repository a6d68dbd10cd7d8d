import * as vscode from 'vscode';
import type { Settings } from '../editor/settings';
export interface Sqlite extends vscode.Disposable { open(uri?: vscode.Uri): Promise<void>; stop(): Promise<void> }
export function register_sqlite(_context: vscode.ExtensionContext, _settings: Settings, _log: vscode.LogOutputChannel): Sqlite {
  return { open: async () => {}, stop: async () => {}, dispose: () => {} };
}
