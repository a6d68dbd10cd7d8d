// SPDX-License-Identifier: Apache-2.0
// The packages of a release, installed in empty systems: each package goes to the first answered approval, prints seconds and megabytes, and
// leaves the state folder after its removal. `scripts/release --check` runs this file.
//   PARLANCE_PACKAGES=build/packages node --test tests/package/installed_test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

import {
  approve,
  assertWithin,
  fileOf,
  megabytes,
  packages,
  skip,
  startedGateway,
  state,
  system,
  timed,
  work,
} from './installed_system.mjs';
import { servePackages } from './npm_registry.mjs';

const debian = { x64: 'amd64', arm64: 'arm64' }[process.arch];
const debName = new RegExp(`_${debian}\\.deb$`);

/** Starts an MCP server with the command, and returns its name. */
async function serverOf(root, command, options) {
  const child = root.start(command, options);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(child, 'close');
  return JSON.parse(text.split('\n')[0]).result.serverInfo.name;
}

/** Regular files below a folder of the system, without those of the state folder. */
function leftBelow(root, folder) {
  return root
    .run(['find', folder, '-type', 'f', '-not', '-path', `${state}/*`])
    .split('\n')
    .filter(Boolean)
    .sort();
}

for (const suite of ['bookworm', 'trixie']) {
  test(`the Debian package in ${suite}`, { skip }, async (t) => {
    const root = system(t, suite);
    const deb = `/packages/${path.basename(fileOf(debName))}`;
    root.run(['apt-get', 'update']);
    const before = root.run(['dpkg-query', '-W']);
    let seconds = await timed(() => root.run(['apt-get', 'install', '--yes', '--no-install-recommends', deb]));
    seconds += await timed(() => approve(root, ['parlance', 'serve-acp']));
    t.diagnostic(`${seconds.toFixed(1)} s from apt install to the answered approval, ${megabytes(fileOf(debName))} MB`);
    assertWithin(15, seconds, 'from apt install to the answered approval');
    assert.match(root.run(['sqlite-helper', '--version']), /^sqlite-helper /);
    for (const file of [
      'man/man1/parlance.1.gz',
      'man/man1/sqlite-helper.1.gz',
      'zsh/vendor-completions/_parlance',
      'fish/vendor_completions.d/parlance.fish',
      'doc/parlance/THIRD_PARTY_NOTICES',
      'doc/parlance/examples/parlance.service',
    ])
      root.run(['test', '-s', `/usr/share/${file}`]);
    root.run(['bash', '-n', '/usr/share/bash-completion/completions/parlance']);
    assert.match(root.run(['cat', '/usr/lib/systemd/user/parlance.service']), /^ExecStart=\/usr\/bin\/parlance up$/m);
    const systemUnits = ['/etc/systemd', '/usr/lib/systemd/system', '/etc/init.d'];
    root.run(['mkdir', '-p', ...systemUnits]);
    assert.equal(root.run(['find', ...systemUnits, '-name', '*parlance*']), ''); // no daemon of root, and no enabled unit
    const removed = root.run(['apt-get', 'autoremove', '--yes', '--purge', 'parlance']);
    assert.match(removed, /Conversations stay in the folder \.local\/state\/parlance of each user/);
    assert.equal(root.run(['dpkg-query', '-W']), before);
    const ours = ['(', '-name', '*parlance*', '-o', '-name', '*sqlite-helper*', ')'];
    assert.equal(root.run(['find', '/usr', '/etc', '/var/lib/systemd', ...ours]), '');
    assert.ok(existsSync(root.written(state)));
  });
}

test('the Debian package uses the shared libraries of the distribution', { skip }, () => {
  const depends = execFileSync('dpkg-deb', ['--field', fileOf(debName), 'Depends'], { encoding: 'utf8' });
  for (const library of ['libc6', 'libedit2', 'libsqlite3-0', 'libssl3', 'libstdc++6'])
    assert.ok(depends.split(/[ ,\n]+/).includes(library), `${library}: ${depends}`);
});

test('lintian accepts the Debian package', { skip }, () => {
  const printed = execFileSync('lintian', ['--fail-on', 'error,warning', '--allow-root', fileOf(debName)], {
    encoding: 'utf8',
  });
  assert.equal(printed, '');
});

for (const suite of ['bookworm', 'trixie']) {
  test(`the tarball in ${suite}, without libraries of parlance`, { skip }, async (t) => {
    const root = system(t, suite);
    const tarball = fileOf(new RegExp(`linux-${process.arch}\\.tar\\.gz$`));
    assert.doesNotMatch(root.run(['dpkg-query', '-W']), /^lib(edit2|simdjson|curl4)/m);
    const bare = leftBelow(root, '/home');
    const prefix = '/home/ada/.local';
    const seconds = await timed(async () => {
      root.run(['mkdir', '-p', prefix]);
      root.run(['tar', '-xzf', `/packages/${path.basename(tarball)}`, '--strip-components=1', '-C', prefix]);
      await approve(root, [`${prefix}/bin/parlance`, 'serve-acp']);
    });
    t.diagnostic(`${seconds.toFixed(1)} s from tar to the answered approval, ${megabytes(tarball)} MB`);
    assert.match(root.run([`${prefix}/bin/sqlite-helper`, '--version']), /^sqlite-helper /);
    const error = root.start([`${prefix}/bin/parlance`, 'memory', 'get']); // an exception reaches its handler
    assert.equal((await once(error, 'close'))[0], 2);
    const { url, token } = await startedGateway(t, root, `${prefix}/bin/parlance`, '/tmp/up');
    assert.match(await (await fetch(url)).text(), /<title>/);
    const session = await fetch(new URL('/session', url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    });
    assert.match(session.headers.get('set-cookie') ?? '', /HttpOnly/); // signed with the linked OpenSSL
    const model = {
      PARLANCE_MODEL: 'openai',
      PARLANCE_MODEL_URL: 'http://127.0.0.1:9/v1',
      PARLANCE_MODEL_NAME: 'none',
    };
    const withoutCurl = root.run(['sh', '-c', `cd ${work}; ${prefix}/bin/parlance run parlance hello 2>&1 || :`], {
      env: model,
    });
    assert.match(withoutCurl, /HTTP requests need libcurl: .* Install it: `apt-get install libcurl4`/);
    const withoutPq = root.run(['sh', '-c', `${prefix}/bin/parlance memory list 2>&1 || :`], {
      env: { PARLANCE_STORE: 'postgresql://127.0.0.1:9/none' },
    });
    assert.match(withoutPq, /PostgreSQL needs libpq: .*Install it: `apt-get install libpq5`/);
    assert.match(
      root.run(['sh', `${prefix}/share/parlance/uninstall.sh`]),
      new RegExp(`conversations stay in ${state}\\.`),
    );
    assert.deepEqual(leftBelow(root, '/home'), bare);
    assert.ok(existsSync(root.written(state)));
  });
}

test('the programs of the VSIX in bookworm, without libraries of parlance', { skip }, async (t) => {
  const vsix = fileOf(new RegExp(`linux-${process.arch}-.*\\.vsix$`));
  const unpacked = mkdtempSync(path.join(os.tmpdir(), 'parlance_vsix_'));
  t.after(() => rmSync(unpacked, { recursive: true }));
  execFileSync('python3', ['-m', 'zipfile', '-e', vsix, unpacked]);
  const bin = path.join(unpacked, 'extension/bin', `linux-${process.arch}`);
  execFileSync('chmod', ['-R', 'a+rx', bin]); // VS Code keeps the modes, Python does not
  const root = system(t, 'bookworm', { [bin]: '/vsix' });
  const seconds = await timed(() => approve(root, ['/vsix/parlance', 'serve-acp']));
  t.diagnostic(`${seconds.toFixed(1)} s to the answered approval, ${megabytes(vsix)} MB`);
});

test('npx from a registry, in bookworm without libraries of parlance', { skip }, async (t) => {
  const registry = await servePackages(packages);
  t.after(registry.close);
  const npm = path.dirname(
    path.dirname(
      execFileSync('readlink', ['-f', execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()], {
        encoding: 'utf8',
      }).trim(),
    ),
  );
  if (/libnode/.test(execFileSync('ldd', [process.execPath], { encoding: 'utf8' })))
    return t.skip('needs Node from another source than Debian');
  const root = system(t, 'bookworm', { [process.execPath]: '/usr/local/bin/node', [npm]: '/opt/npm' });
  const env = { npm_config_registry: registry.address, npm_config_update_notifier: 'false' };
  const npx = ['node', '/opt/npm/bin/npx-cli.js', '--yes', 'parlance'];
  const seconds = await timed(() => approve(root, [...npx, 'serve-acp'], { env }));
  const size = readdirSync(packages)
    .filter((name) => name.endsWith('.tgz'))
    .reduce((sum, name) => sum + statSync(path.join(packages, name)).size, 0);
  t.diagnostic(`${seconds.toFixed(1)} s from npx to the answered approval, ${(size / 1e6).toFixed(1)} MB`);
  assertWithin(20, seconds, 'from npx to the answered approval');
  for (const name of ['memory', 'sqlite-helper']) {
    const server = JSON.parse(readFileSync(path.join(packages, `registry/mcp/${name}/server.json`), 'utf8'));
    const [entry] = server.packages;
    const archive = fileOf(new RegExp(`^${entry.identifier}-\\d.*\\.tgz$`));
    const about = JSON.parse(execFileSync('tar', ['-xzOf', archive, 'package/package.json'], { encoding: 'utf8' }));
    assert.deepEqual([about.mcpName, about.version, about.scripts], [server.name, entry.version, undefined]);
    const args = entry.packageArguments
      .filter((each) => each.isRequired !== true && !each.isRepeated)
      .map((each) => each.value ?? each.name);
    const command = ['node', '/opt/npm/bin/npx-cli.js', '--yes', `${entry.identifier}@${entry.version}`, ...args];
    assert.match(await serverOf(root, command, { env }), /parlance|sqlite/, name);
  }
  const prefix = '/home/ada/.local';
  // Started, not run: the registry answers in this process.
  const npmGlobal = async (...words) => {
    const child = root.start(['node', '/opt/npm/bin/npm-cli.js', '--global', '--prefix', prefix, ...words], { env });
    assert.equal((await once(child, 'close'))[0], 0, words.join(' '));
  };
  await npmGlobal('install', 'parlance');
  assert.match(root.run([`${prefix}/bin/parlance`, '--version']), /^parlance /);
  await npmGlobal('uninstall', 'parlance');
  root.run(['rm', '-r', '/home/ada/.npm']);
  assert.deepEqual(leftBelow(root, '/home'), [`${work}/a.txt`]);
  const readme = execFileSync('tar', ['-xzOf', fileOf(/^parlance-\d.*\.tgz$/), 'package/README.md'], {
    encoding: 'utf8',
  });
  assert.ok(readme.includes(state.replace('/home/ada', '~'))); // npm runs no script that could print the folder
  assert.ok(existsSync(root.written(state)));
});

test('SHA256SUMS lists every package', { skip }, () => {
  execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: packages });
  const listed = readFileSync(path.join(packages, 'SHA256SUMS'), 'utf8').match(/(?<= {2}).+$/gm);
  const files = readdirSync(packages).filter(
    (name) => name !== 'SHA256SUMS' && statSync(path.join(packages, name)).isFile(),
  );
  assert.deepEqual(listed.sort(), files.sort());
});
