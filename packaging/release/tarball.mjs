// SPDX-License-Identifier: Apache-2.0
// The archive for any distribution: tar -xzf FILE --strip-components=1 -C ~/.local installs it, share/parlance/uninstall.sh removes it.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fresh, make_tarball, read, root, version, write } from './common.mjs';
import { files_below, fill_prefix } from './layout.mjs';

export const tarball_name = (platform) => `parlance-${version}-${platform}`;

/** `files` maps names in share/doc/parlance to files. */
export function make_program_tarball({ platform, stripped, files, scratch, out }) {
  const prefix = fresh(path.join(scratch, tarball_name(platform)));
  fill_prefix(prefix, {
    bin: stripped,
    program: '%h/.local/bin/parlance',
    zsh: 'share/zsh/site-functions',
    unit: 'share/systemd/user',
  });
  const documents = path.join(prefix, 'share/doc/parlance');
  mkdirSync(documents, { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE'])
    copyFileSync(path.join(root, name), path.join(documents, name));
  for (const [name, file] of Object.entries(files)) copyFileSync(file, path.join(documents, name));
  write(path.join(prefix, 'share/parlance/files'), `${files_below(prefix).join('\n')}\n`);
  write(path.join(prefix, 'share/parlance/uninstall.sh'), read('packaging/release/uninstall.sh'), 0o755);
  return make_tarball(prefix, path.join(out, `${tarball_name(platform)}.tar.gz`));
}
