// SPDX-License-Identifier: Apache-2.0
// The Debian package, with programs for the distribution's shared libraries. The package starts no service: a person enables the
// unit for systemd --user, or installs the example of a unit for a cluster.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { fresh, platforms, read, releaseDate, run, version, write } from './common.mjs';
import { examples, filesBelow, fillPrefix } from './layout.mjs';

const maintainer = 'parlance <parlance@users.noreply.github.com>';
// libcurl and libpq load at run time, invisible for dpkg-shlibdeps.
const recommends = ['ca-certificates', 'libcurl4', 'git'];
const suggests = ['libpq5', 'postgresql'];

const description = `connects AI coding agents to browsers, editors and terminals
 parlance shows the work of AI coding agents in a browser, a terminal, VS Code
 or any OpenAI-, ACP- or MCP-compatible client. Each change waits as a diff
 until a person allows it, and an open request survives a restart.
 .
 sqlite-helper gives editors and agents safe access to SQLite databases.`;

const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: parlance

Files: *
Copyright: 2026 the parlance authors
Comment: THIRD_PARTY_NOTICES has the notices of other software in the programs.
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
`;

const changelog = () => `parlance (${version}) stable; urgency=medium

  * Release ${version}. NEWS.md lists the changes.

 -- ${maintainer}  ${releaseDate.toUTCString().replace('GMT', '+0000')}
`;

const afterRemoval = `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
  echo "Conversations stay in the folder .local/state/parlance of each user. To delete them, remove this folder."
fi
`;

/** Packages of the shared libraries of this machine's programs, from dpkg-shlibdeps. Other architectures have the same names. */
function neededPackages(native, scratch) {
  const folder = fresh(path.join(scratch, 'shlibdeps'));
  write(path.join(folder, 'debian/control'), `Source: parlance\n\nPackage: parlance\nArchitecture: any\n`);
  const programs = ['parlance', 'sqlite-helper'].map((name) => path.join(native, name));
  const printed = run('dpkg-shlibdeps', ['-O', ...programs.flatMap((program) => ['-e', program])], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // Packed relocations need glibc 2.36 (apps/parlance/CMakeLists.txt); dpkg-shlibdeps reads symbols only.
  return /^shlibs:Depends=(.*)$/m.exec(printed)[1].replace(/libc6 \(>= [\d.]+\)/, 'libc6 (>= 2.36)');
}

/** `notices` is the text about software in the programs besides shared libraries: headers of C++ libraries, and parts of the page. */
export function makeDeb({ platform, stripped, native, notices, scratch, out }) {
  const { debian } = platforms[platform];
  const tree = fresh(path.join(scratch, 'deb'));
  const documents = path.join(tree, 'usr/share/doc/parlance');
  fillPrefix(path.join(tree, 'usr'), {
    bin: stripped,
    native,
    program: '/usr/bin/parlance',
    zsh: 'share/zsh/vendor-completions',
    unit: 'lib/systemd/user',
    compressed: true,
  });
  for (const file of examples) {
    const text = readFileSync(file, 'utf8').replaceAll('/usr/local/bin/', '/usr/bin/');
    write(path.join(documents, 'examples', path.basename(file)), text);
  }
  write(path.join(documents, 'copyright'), copyright);
  write(path.join(documents, 'THIRD_PARTY_NOTICES'), notices);
  write(path.join(documents, 'changelog.gz'), gzipSync(changelog(), { level: 9 }));
  write(path.join(documents, 'NEWS.md.gz'), gzipSync(read('CHANGELOG.md'), { level: 9 }));
  const size = run('du', ['--apparent-size', '-sk', tree]).split('\t')[0];
  const control = [
    'Package: parlance',
    `Version: ${version}`,
    `Architecture: ${debian}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${size}`,
    `Depends: ${neededPackages(native, scratch)}`,
    `Recommends: ${recommends.join(', ')}`,
    `Suggests: ${suggests.join(', ')}`,
    'Section: devel',
    'Priority: optional',
    `Description: ${description}`,
    '',
  ].join('\n');
  const sums = filesBelow(tree).map((name) => `${run('md5sum', [path.join(tree, name)]).split(' ')[0]}  ${name}\n`);
  write(path.join(tree, 'DEBIAN/control'), control);
  write(path.join(tree, 'DEBIAN/md5sums'), sums.join(''));
  write(path.join(tree, 'DEBIAN/postrm'), afterRemoval, 0o755);
  run('chmod', ['-R', 'u+rwX,go+rX,go-w', tree]);
  const file = path.join(out, `parlance_${version}_${debian}.deb`);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, file], { stdio: 'ignore' });
  return file;
}
