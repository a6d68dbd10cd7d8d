// SPDX-License-Identifier: Apache-2.0
// The archive for any distribution: tar -xzf FILE --strip-components=1 -C ~/.local installs it, share/parlance/uninstall.sh removes it.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fresh, makeTarball, read, root, version, write } from './common.mjs';
import { filesBelow, fillPrefix } from './layout.mjs';

export const tarballName = (platform) => `parlance-${version}-${platform}`;

/** `files` maps names in share/doc/parlance to files. */
export function makeProgramTarball({ platform, stripped, native, files, scratch, out }) {
  const prefix = fresh(path.join(scratch, tarballName(platform)));
  fillPrefix(prefix, {
    bin: stripped,
    native,
    program: '%h/.local/bin/parlance',
    zsh: 'share/zsh/site-functions',
    unit: 'share/systemd/user',
  });
  const documents = path.join(prefix, 'share/doc/parlance');
  mkdirSync(documents, { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE'])
    copyFileSync(path.join(root, name), path.join(documents, name));
  for (const [name, file] of Object.entries(files)) copyFileSync(file, path.join(documents, name));
  write(path.join(prefix, 'share/parlance/files'), `${filesBelow(prefix).join('\n')}\n`);
  write(path.join(prefix, 'share/parlance/uninstall.sh'), read('packaging/release/uninstall.sh'), 0o755);
  return makeTarball(prefix, path.join(out, `${tarballName(platform)}.tar.gz`));
}
