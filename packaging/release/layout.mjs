// SPDX-License-Identifier: Apache-2.0
// Files below the prefix of an installation: programs, manual pages, completions, a unit for systemd --user, and documents.
import { cpSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { read, root, run, write } from './common.mjs';

// Where shells look for completions: below /usr, and below a prefix of a user.
const completionPlaces = {
  bash: 'share/bash-completion/completions/parlance',
  fish: 'share/fish/vendor_completions.d/parlance.fish',
};

/**
 * Fills `prefix`. `program` is the path of parlance in the unit; `zsh` the folder of zsh completions; `unit` the folder of units; `native` a
 * folder with programs of this machine.
 */
export function fillPrefix(prefix, { bin, native, program, zsh, unit, compressed = false }) {
  for (const name of ['parlance', 'sqlite-helper']) cpSync(path.join(bin, name), path.join(prefix, 'bin', name));
  for (const page of ['parlance.1', 'sqlite-helper.1']) {
    const text = read(`docs/man/${page}`);
    if (compressed) write(path.join(prefix, `share/man/man1/${page}.gz`), gzipSync(text, { level: 9 }));
    else write(path.join(prefix, `share/man/man1/${page}`), text);
  }
  for (const [shell, place] of Object.entries({ ...completionPlaces, zsh: path.join(zsh, '_parlance') }))
    write(path.join(prefix, place), run(path.join(native, 'parlance'), ['completion', shell]));
  write(
    path.join(prefix, unit, 'parlance.service'),
    read('packaging/systemd/user/parlance.service').replace('@PROGRAM@', program),
  );
}

/** Paths of all files below a folder, sorted. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort();
}

export const examples = [
  'packaging/systemd/parlance.env',
  'packaging/systemd/parlance.service',
  'packaging/haproxy/haproxy.cfg',
  'packaging/nginx/parlance.conf',
].map((name) => path.join(root, name));
