// SPDX-License-Identifier: Apache-2.0
// Keys of model connections in VS Code's secret storage. `parlance model` stores the connection with the path of a file in memory, so that
// the state folder never holds the key. A running agent uses a change from its next turn on.

import type { GivenConnection } from '../../../web/src/protocol';
import type { KeyFiles } from './key_files';

/** The used part of vscode.SecretStorage. */
export interface Secrets {
  get(id: string): Thenable<string | undefined>;
  store(id: string, value: string): Thenable<void>;
  delete(id: string): Thenable<void>;
}
/** Runs `parlance ARGUMENTS…`, and returns the output. Rejects with the text of the program. */
export type Run = (args: readonly string[]) => Promise<string>;

export type KeyedConnection = GivenConnection & { key: string };

type Keys = Record<string, string>; // by the name of a connection

export class ModelKeys {
  private last: Promise<unknown> = Promise.resolve();

  /** `id`: of the secret, one for each state folder. */
  constructor(
    private readonly secrets: Secrets,
    private readonly id: string,
    private readonly files: KeyFiles,
    private readonly run: Run,
  ) {}

  /** Stores a connection with its key, and uses the connection. A failure of the program leaves the earlier key. */
  save(connection: KeyedConnection): Promise<void> {
    return this.inTurn(async () => {
      const { name, key } = connection;
      const before = await this.read();
      try {
        await this.run(addArguments(connection, await this.files.write(name, key)));
      } catch (error) {
        if (Object.hasOwn(before, name)) await this.files.write(name, before[name]!);
        else await this.files.remove(name);
        throw error;
      }
      await this.keep({ ...(await this.read()), [name]: key }); // last: `prune` takes a secret without a connection for a removed one
    });
  }

  /** Removes a connection with its key. */
  remove(name: string): Promise<void> {
    return this.inTurn(async () => {
      await this.run(['model', 'remove', '--', name]);
      const { [name]: removed, ...left } = await this.read();
      if (removed === undefined) return;
      await this.keep(left);
      await this.files.remove(name);
    });
  }

  /** Gives the keys to a program, before its start. */
  publish(): Promise<void> {
    return this.inTurn(async () => {
      for (const [name, key] of Object.entries(await this.read())) await this.files.write(name, key);
    });
  }

  /** Deletes the keys of connections that a terminal removed. Without a clear list of connections all keys stay. */
  prune(): Promise<void> {
    return this.inTurn(async () => {
      const before = await this.read();
      if (Object.keys(before).length === 0) return;
      const stored = namesIn(await this.run(['model', 'list', '--json']));
      const now = await this.read();
      for (const [name, key] of Object.entries(before)) {
        if (stored.has(name) || now[name] !== key) continue; // another window has changed the key meanwhile
        delete now[name];
        await this.keep(now);
        await this.files.remove(name);
      }
    });
  }

  /** Before the end of the program. The next start, in any window, publishes the keys again. */
  withdraw(): Promise<void> {
    return this.inTurn(() => this.files.clear());
  }

  private inTurn<T>(step: () => Promise<T>): Promise<T> {
    const done = this.last.then(step);
    this.last = done.catch(() => {});
    return done;
  }

  /** Reads the storage each time, because other windows change the keys, too. */
  private async read(): Promise<Keys> {
    const text = await this.secrets.get(this.id);
    return text === undefined ? {} : (JSON.parse(text) as Keys);
  }
  private async keep(keys: Keys): Promise<void> {
    if (Object.keys(keys).length > 0) await this.secrets.store(this.id, JSON.stringify(keys));
    else await this.secrets.delete(this.id);
  }
}

/** The names of `parlance model list --json`. Throws for any other text. */
function namesIn(text: string): ReadonlySet<string> {
  const { connections } = JSON.parse(text) as { connections?: unknown };
  if (!Array.isArray(connections)) throw new Error('The list of models has no connections.');
  const names = connections.map((connection: unknown) => (connection as { name?: unknown } | null)?.name);
  if (!names.every((name) => typeof name === 'string')) throw new Error('A connection of the list has no name.');
  return new Set(names);
}

function addArguments(connection: KeyedConnection, keyFile: string): string[] {
  const { name, vendor, url, dialect, model, unencrypted } = connection;
  const options = { name, url, dialect, model, 'key-file': keyFile };
  return [
    'model',
    'add',
    ...Object.entries(options).flatMap(([option, value]) => (value ? [`--${option}=${value}`] : [])),
    ...(unencrypted ? ['--allow-http'] : []),
    '--',
    vendor,
  ];
}
