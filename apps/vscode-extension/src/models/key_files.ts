// SPDX-License-Identifier: Apache-2.0
// Keys of models for running programs: one private file for each connection, in a file system in memory. VS Code's secret storage keeps the
// keys; the agent reads a file before each chat. Throws Error with a remedy, and never with a key.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statfsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const TMPFS = 0x01021994; // TMPFS_MAGIC of statfs(2)

function inMemory(folder: string): boolean {
  try {
    return statfsSync(folder).type === TMPFS;
  } catch {
    return false;
  }
}

/** The person's runtime folder, or the shared memory of the machine. Neither of them reaches a disk. */
export function memoryFolder(candidates: readonly (string | undefined)[], fits = inMemory): string {
  const found = candidates.find((folder) => folder?.startsWith('/') && fits(folder));
  if (found) return found;
  throw new Error(
    'There is no file system in memory for the key. Set XDG_RUNTIME_DIR to one, or run "parlance model add" in a terminal.',
  );
}

export class KeyFiles {
  private folder: string | undefined;

  /** `scope`: files of different scopes, such as state folders, never meet. */
  constructor(
    private readonly scope: string,
    private readonly base = () => memoryFolder([process.env.XDG_RUNTIME_DIR, '/dev/shm']),
  ) {}

  pathOf(name: string): string {
    return join(this.made(), createHash('sha256').update(name).digest('hex').slice(0, 16));
  }

  async write(name: string, key: string): Promise<string> {
    const path = this.pathOf(name);
    await writeFile(`${path}.new`, key, { mode: 0o600 });
    await rename(`${path}.new`, path); // a reader sees the old key or the new key
    return path;
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  /** Removes all files of this scope, if there are any. */
  async clear(): Promise<void> {
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  private made(): string {
    if (this.folder) return this.folder;
    const scope = createHash('sha256').update(this.scope).digest('hex').slice(0, 16);
    const folder = join(this.base(), `parlance-keys-${userInfo().uid}-${scope}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    if (uid !== userInfo().uid || (mode & 0o170077) !== 0o040000)
      throw new Error(`${folder} is open to other users, or belongs to one: delete it, and try again.`);
    this.folder = folder;
    return folder;
  }
}
