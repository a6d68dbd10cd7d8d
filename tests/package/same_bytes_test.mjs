// SPDX-License-Identifier: Apache-2.0
// All packages of a release have the same bytes after a second run, and npm packages and VSIX contain the programs of the tarball.
//   PARLANCE_PACKAGES=build/packages node --test tests/package/same_bytes_test.mjs
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'node:test';

import { programs, root, run, sha256 } from '../../packaging/release/common.mjs';
import { filesBelow } from '../../packaging/release/layout.mjs';
import { fileOf, packages, skip, timed } from './installed_system.mjs';

const main = fileURLToPath(new URL('../../packaging/release/main.mjs', import.meta.url));
const released = packages
  ? ['linux-x64', 'linux-arm64'].filter((name) => readdirSync(packages).includes(path.basename(tarballOf(name))))
  : [];

function tarballOf(platform) {
  return readdirSync(packages).find((name) => name.endsWith(`-${platform}.tar.gz`)) ?? platform;
}

function temporary(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parlance_bytes_'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Compiles a source in a link to the checkout with the flags of a build, without the cache. Returns the checksum of the object. */
function compiled(build, source, folder) {
  const commands = JSON.parse(readFileSync(path.join(build, 'compile_commands.json'), 'utf8'));
  const { command, file } = commands.find((each) => each.file.endsWith(`/${source}`));
  const checkout = file.slice(0, -source.length - 1);
  const link = path.join(folder, 'checkout');
  symlinkSync(root, link);
  const words = command
    .slice(command.search(/\S*(clang|g)\+\+/)) // after the cache
    .replace(/-Xclang -include(-pch)? -Xclang \S+|-Winvalid-pch/g, '')
    .replaceAll(`${checkout}/src`, `${link}/src`)
    .replace(`-ffile-prefix-map=${checkout}=`, `-ffile-prefix-map=${link}=`);
  const object = path.join(folder, 'object.o');
  execFileSync('sh', ['-c', words.replace(/ -o \S+/, ' -o "$0"'), object], { cwd: link, stdio: 'pipe' });
  return sha256(object);
}

/** Links a program of a build again, in a folder with links to the objects and with one thread. Returns the checksum. */
function linked(build, program, folder) {
  for (const name of readdirSync(build).filter((each) => each !== 'bin'))
    symlinkSync(path.join(build, name), path.join(folder, name));
  mkdirSync(path.join(folder, 'bin'));
  const commands = run('ninja', ['-C', build, '-t', 'commands', `bin/${program}`])
    .trim()
    .split('\n');
  execFileSync('sh', ['-c', commands.at(-1)], { cwd: folder, env: { ...process.env, MOLD_JOBS: '1' } });
  return sha256(path.join(folder, 'bin', program));
}

const sums = (folder) => filesBelow(folder).map((name) => `${sha256(path.join(folder, name))}  ${name}`);

test('packages made again elsewhere have the same bytes', { skip }, async (t) => {
  const again = temporary(t);
  const agent = JSON.parse(readFileSync(path.join(packages, 'registry/acp/parlance/agent.json'), 'utf8'));
  const words = [
    main,
    '--out',
    again,
    '--repository',
    agent.repository,
    ...released.map((name) => `--platform=${name}`),
  ];
  const env = { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'C.UTF-8', HOME: again };
  const shell = `umask 0077; exec "$0" "$@"`;
  const seconds = await timed(() =>
    promisify(execFile)('sh', ['-c', shell, process.execPath, ...words], { env, cwd: '/' }),
  );
  assert.deepEqual(
    sums(again).filter((line) => !line.includes('  .npm/')),
    sums(packages),
  );
  t.diagnostic(`${seconds.toFixed(1)} s for ${sums(packages).length} files`);
});

const buildOf = (platform) =>
  path.join(root, 'build', platform === `linux-${process.arch}` ? 'dist' : `dist-${platform.slice(6)}`);

for (const platform of released)
  test(`objects for ${platform} from two folders have the same bytes`, { skip }, (t) => {
    for (const source of ['src/parlance/transport/tls/hmac.cpp', 'src/parlance/memory/builtin_embedder.cpp']) {
      const objects = [temporary(t), temporary(t)].map((folder) => compiled(buildOf(platform), source, folder));
      assert.equal(objects[0], objects[1], source);
    }
  });

for (const platform of released)
  test(`programs for ${platform} linked in two folders have the same bytes`, { skip }, (t) => {
    for (const program of programs)
      assert.equal(
        linked(buildOf(platform), program, temporary(t)),
        sha256(path.join(buildOf(platform), 'bin', program)),
        program,
      );
  });

for (const platform of released)
  test(`the debug archive for ${platform} has the symbols of the stripped programs`, { skip }, (t) => {
    const folder = temporary(t);
    for (const name of [tarballOf(platform), tarballOf(platform).replace('.tar', '-debug.tar')])
      execFileSync('tar', ['-xzf', path.join(packages, name), '--strip-components=1', '-C', folder]);
    for (const program of ['parlance', 'sqlite-helper']) {
      const stripped = path.join(folder, 'bin', program);
      assert.doesNotMatch(execFileSync('readelf', ['-SW', stripped], { encoding: 'utf8' }), /\.(symtab|debug_info)\b/);
      const link = execFileSync('readelf', ['--string-dump=.gnu_debuglink', stripped], { encoding: 'utf8' });
      assert.ok(link.includes(`${program}.debug`), link);
      const checksum =
        'import sys, zlib; print(zlib.crc32(open(sys.argv[1], "rb").read()).to_bytes(4, "little").hex())';
      const crc = execFileSync('python3', ['-c', checksum, path.join(folder, `${program}.debug`)], {
        encoding: 'utf8',
      });
      const section = execFileSync('readelf', ['--hex-dump=.gnu_debuglink', stripped], { encoding: 'utf8' });
      const bytes = [...section.matchAll(/^ +0x\S+ ((?:[0-9a-f]+ )+)/gm)]
        .map((line) => line[1].replaceAll(' ', ''))
        .join('');
      assert.ok(bytes.endsWith(crc.trim()), `${program}: ${section}`);
    }
  });

for (const platform of released)
  test(`npm package and VSIX for ${platform} contain the programs of the tarball`, { skip }, (t) => {
    const folder = temporary(t);
    const unpack = (name, command) => {
      const place = path.join(folder, name);
      execFileSync('mkdir', [place]);
      execFileSync(command[0], command.slice(1), { cwd: place });
      return place;
    };
    const version = JSON.parse(readFileSync(path.join(packages, 'registry/acp/parlance/agent.json'), 'utf8')).version;
    const tarball = unpack('tarball', [
      'tar',
      '-xzf',
      path.join(packages, tarballOf(platform)),
      '--strip-components=1',
    ]);
    const npm = unpack('npm', ['tar', '-xzf', path.join(packages, `parlance-${platform}-${version}.tgz`)]);
    const vsix = unpack('vsix', ['python3', '-m', 'zipfile', '-e', fileOf(new RegExp(`${platform}-.*\\.vsix$`)), '.']);
    for (const program of ['parlance', 'sqlite-helper']) {
      const wanted = sha256(path.join(tarball, 'bin', program));
      assert.equal(sha256(path.join(npm, 'package/bin', program)), wanted);
      assert.equal(sha256(path.join(vsix, 'extension/bin', platform, program)), wanted);
    }
    const about = JSON.parse(readFileSync(path.join(npm, 'package/package.json'), 'utf8'));
    assert.deepEqual(
      [about.os, about.cpu, about.libc, about.scripts],
      [['linux'], [platform.slice(6)], ['glibc'], undefined],
    );
    assert.match(
      readFileSync(path.join(vsix, 'extension.vsixmanifest'), 'utf8'),
      new RegExp(`TargetPlatform="${platform}"`),
    );
    const documents = path.join(tarball, 'share/doc/parlance');
    const notices = readFileSync(path.join(documents, 'THIRD_PARTY_NOTICES'), 'utf8');
    const [, ...parts] = JSON.parse(readFileSync(path.join(documents, 'sbom.spdx.json'), 'utf8')).packages;
    assert.ok(parts.length > 10);
    for (const { name, versionInfo } of parts) assert.ok(notices.includes(`=\n${name} ${versionInfo}\n\n`), name);
    for (const copy of [path.join(npm, 'package'), path.join(vsix, 'extension')])
      assert.equal(readFileSync(path.join(copy, 'THIRD_PARTY_NOTICES'), 'utf8'), notices);
    for (const file of ['LICENSE', 'README.md', 'THIRD_PARTY_NOTICES', 'sbom.spdx.json'])
      assert.ok(existsSync(path.join(npm, 'package', file)), file);
  });
