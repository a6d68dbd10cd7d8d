// SPDX-License-Identifier: Apache-2.0
// The settings, and where the programs are.

import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Program } from '../bridge/child';
import type { GatewayProgram } from '../gateway/gateway';
import { KeyFiles } from '../models/key_files';
import { ModelKeys } from '../models/model_keys';
import { folderOf, type Focus } from './focus';
import type { Ports } from './other_agents';
import { olderFlags, type Inspect, type Mover } from './older_settings';

export type DiffStyle = 'inline' | 'editor' | 'off';

const get = <T>(name: string, otherwise: T): T =>
  vscode.workspace.getConfiguration('parlance').get<T>(name) ?? otherwise;

const inspect: Inspect = (section, name) => {
  const found = vscode.workspace.getConfiguration(section).inspect(name);
  return { user: found?.globalValue, workspace: found?.workspaceValue };
};

/** Moves the settings of another extension, whose role this extension has taken. */
export function moverOf(context: vscode.ExtensionContext): Mover {
  const kept = 'iflow.offered';
  return {
    inspect,
    offered: () => context.globalState.get(kept, false),
    keepOffered: async () => {
      await context.globalState.update(kept, true);
    },
    ask: async (names) =>
      (await vscode.window.showInformationMessage(
        `Settings of iFlow count for parlance as well: ${names.join(', ')}. Move them to parlance.*?`,
        'Move them',
        'Leave them',
      )) === 'Move them',
    write: async (section, name, where, value) => {
      await vscode.workspace
        .getConfiguration(section)
        .update(
          name,
          value,
          where === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
        );
    },
  };
}

export const diffStyle = (): DiffStyle => get<DiffStyle>('diff', 'editor');
export const otherAgentsWanted = (): boolean => vscode.workspace.isTrusted && get('otherAgents', true);
export const maxRows = (): number => get('sqlite.pageRows', 200);

const MODEL_MS = 30_000; // `parlance model` waits for a lock at most

export class Settings {
  private kept: { state: string; keys: ModelKeys } | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly focus: Focus,
    private readonly editorEnv: () => NodeJS.ProcessEnv,
  ) {}

  /** The bundled program, or the program of a setting. */
  binary(name: 'parlance' | 'sqlite-helper'): string {
    const named = get(name === 'parlance' ? 'path' : 'sqlite.path', '');
    if (named) return named;
    const carried = join(
      this.context.extensionPath,
      'bin',
      `${platform()}-${arch()}`,
      platform() === 'win32' ? `${name}.exe` : name,
    );
    if (!existsSync(carried))
      throw new Error(
        `This VSIX carries no ${name} for ${platform()}-${arch()}. Set parlance.${name === 'parlance' ? 'path' : 'sqlite.path'} to one.`,
      );
    try {
      chmodSync(carried, 0o755);
    } catch {
      /* not permitted: the file is executable already, or the start reports the error */
    }
    return carried;
  }

  /** The folder of the person's current file, else the first folder. */
  folder(): string {
    return (
      folderOf(this.focus.editor?.document.uri) ??
      vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ??
      process.env.HOME ??
      '/'
    );
  }

  bridge(): Program {
    void this.keys()
      .publish()
      .catch(() => {}); // each chat of the program reads its key, and reports a missing one
    return {
      command: this.binary('parlance'),
      args: get('bridge.arguments', ['chat']),
      cwd: this.folder(),
      env: this.environment(),
    };
  }

  /** For other vendors' agents in the terminals. These agents look for the editor, the parent of this process. */
  otherAgents({ claude, gemini }: Ports): Program {
    const args = [
      'editor',
      'serve',
      '--name',
      vscode.env.appName,
      '--editor-process',
      String(process.ppid),
      '--claude-port',
      String(claude),
      '--gemini-port',
      String(gemini),
    ];
    return { command: this.binary('parlance'), args, cwd: this.folder(), env: this.environment() };
  }

  gateway(): GatewayProgram {
    const storage = this.context.globalStorageUri.fsPath;
    mkdirSync(storage, { recursive: true, mode: 0o700 });
    const readyFile = join(storage, `ready-${process.pid}.json`);
    const model = ['model', 'modelUrl', 'modelName'].flatMap((name) => {
      const value = get(name, '');
      return value ? [`--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`, value] : [];
    });
    const state = get('state', '');
    const args = [
      'up',
      '--listen',
      '127.0.0.1:0',
      '--embed-listen',
      '127.0.0.1:0',
      '--folder',
      this.folder(),
      '--ready-file',
      readyFile,
      ...model,
      ...(state ? ['--state', state] : []),
      ...olderFlags(inspect),
      ...get<string[]>('arguments', []),
    ];
    return { command: this.binary('parlance'), args, cwd: this.folder(), env: this.environment(), readyFile };
  }

  /** Keys of models for the present state folder. */
  keys(): ModelKeys {
    const state = get('state', '');
    if (this.kept?.state !== state)
      this.kept = {
        state,
        keys: new ModelKeys(
          this.context.secrets,
          `models:${state}`,
          new KeyFiles(`${this.context.globalStorageUri.fsPath}\n${state}`),
          (args) => this.model(args, state),
        ),
      };
    return this.kept.keys;
  }

  /** Runs `parlance model …`, and returns the output. */
  private async model([command, action, ...args]: readonly string[], state: string): Promise<string> {
    const words = [command!, action!, ...(state ? [`--state=${state}`] : []), ...args];
    try {
      const options = { env: this.environment(), timeout: MODEL_MS };
      return (await promisify(execFile)(this.binary('parlance'), words, options)).stdout;
    } catch (error) {
      const printed = (error as { stderr?: string }).stderr?.trim();
      throw printed ? new Error(printed) : error;
    }
  }

  private environment(): NodeJS.ProcessEnv {
    return { ...process.env, ...this.editorEnv() };
  }
}
