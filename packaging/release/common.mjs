// SPDX-License-Identifier: Apache-2.0
// Shared by the scripts that make packages: version, time and platform of a release, and archives with reproducible bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.umask(0o022); // modes of files are a part of archives

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const read = (name) => readFileSync(path.join(root, name), 'utf8');
export const [, version] = /project\(parlance VERSION (\d+\.\d+\.\d+)/.exec(read('CMakeLists.txt'));
export const programs = ['parlance', 'sqlite-helper'];

/** Names of one platform in npm and VS Code, Debian, the ACP registry and compilers. */
export const platforms = {
  'linux-x64': { cpu: 'x64', debian: 'amd64', acp: 'linux-x86_64', triplet: 'x86_64-linux-gnu' },
  'linux-arm64': { cpu: 'arm64', debian: 'arm64', acp: 'linux-aarch64', triplet: 'aarch64-linux-gnu' },
};
export const platform = `linux-${process.arch}`;
/** Headers and libraries of a platform: a folder of scripts/sysroot.sh, or '' for this machine. */
export const sysrootOf = (name) => (name === platform ? '' : path.join(root, 'build/sysroot', platforms[name].debian));

/** The output of a command. Throws with the command's own error text. */
export function run(command, args, options = {}) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
}

/** The time of all files in all packages, in seconds: SOURCE_DATE_EPOCH, or the time of the commit. */
export const releaseTime = Number(
  process.env.SOURCE_DATE_EPOCH ?? run('git', ['-C', root, 'log', '-1', '--format=%ct']).trim(),
);
process.env.SOURCE_DATE_EPOCH = String(releaseTime);
export const releaseDate = new Date(releaseTime * 1000);

export const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** An empty folder. */
export function fresh(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function write(file, text, mode = 0o644) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

/** A .tar.gz of `folder`, with the folder's name as the first part of each path. */
export function makeTarball(folder, out) {
  const bytes = run(
    'tar',
    [
      ...['--sort=name', `--mtime=@${releaseTime}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'],
      ...['--mode=u+rwX,go+rX,go-w', '-C', path.dirname(folder), '-cf', '-', path.basename(folder)],
    ],
    { encoding: 'buffer' },
  );
  writeFileSync(out, run('gzip', ['-6', '-n', '-c'], { input: bytes, encoding: 'buffer' }));
  return out;
}
