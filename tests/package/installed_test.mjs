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

import { first_approval } from './first_approval.mjs';
import { DebianRoot } from './installed_root.mjs';
import { serve_packages } from './npm_registry.mjs';

const packages = process.env.PARLANCE_PACKAGES && path.resolve(process.env.PARLANCE_PACKAGES);
const file_of = (pattern) => path.join(packages, readdirSync(packages).find((name) => pattern.test(name)) ?? assert.fail(`no ${pattern}`));
const is_root = process.getuid() === 0;
const skip = !packages ? 'PARLANCE_PACKAGES names no folder' : !is_root && 'needs root for chroot';
const state = '/home/ada/.local/state/parlance';
const work = '/home/ada/work';

async function timed(action) {
  const begun = performance.now();
  await action();
  return (performance.now() - begun) / 1000;
}

const megabytes = (file) => (statSync(file).size / 1e6).toFixed(1);

/** A system for one test, with a folder for the scripted agent. */
function system(t, suite, shared = {}) {
  const root = new DebianRoot(suite, { [packages]: '/packages', ...shared });
  t.after(() => root.remove());
  root.run(['sh', '-c', `mkdir -p ${work} && printf 'one\\n' >${work}/a.txt`]);
  return root;
}

/** The name of an MCP server that the command starts. */
async function server_of(root, command, options) {
  const child = root.start(command, options);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(child, 'close');
  return JSON.parse(text.split('\n')[0]).result.serverInfo.name;
}

/** Starts `parlance up` for the rest of the test, and waits until it is ready. */
async function started_gateway(t, root, program, folder, options = {}) {
  const ready = `${folder}/ready.json`;
  const places = ['--state', folder, '--agent-socket', `${folder}/agent.sock`, '--agent-socket-link', 'none', '--ready-file', ready];
  const child = root.start([program, 'up', '--listen', '127.0.0.1:0', '--embed-listen', '127.0.0.1:0', ...places], options);
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'close').then(() => assert.fail('the gateway ended'));
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  const seconds = await timed(async () => {
    while (!existsSync(root.written(ready))) await Promise.race([pause(), exited]);
  });
  exited.catch(() => {}); // the end of the test kills the gateway
  const { url, token } = JSON.parse(readFileSync(root.written(ready), 'utf8'));
  return { url: new URL(url), token, seconds };
}

async function approve(root, command, options) {
  await first_approval(root.start(command, options), work);
  assert.equal(readFileSync(root.written(`${work}/a.txt`), 'utf8'), 'two\n');
}

/** Regular files below a folder of the system, without those of the state folder. */
function left_below(root, folder) {
  return root.run(['find', folder, '-type', 'f', '-not', '-path', `${state}/*`]).split('\n').filter(Boolean).sort();
}

for (const suite of ['bookworm', 'trixie']) {
  test(`the Debian package in ${suite}`, { skip }, async (t) => {
    const root = system(t, suite);
    const deb = `/packages/${path.basename(file_of(/\.deb$/))}`;
    root.run(['apt-get', 'update']);
    const before = root.run(['dpkg-query', '-W']);
    let seconds = await timed(() => root.run(['apt-get', 'install', '--yes', '--no-install-recommends', deb]));
    seconds += await timed(() => approve(root, ['parlance', 'serve-acp']));
    t.diagnostic(`${seconds.toFixed(1)} s from apt install to the answered approval, ${megabytes(file_of(/\.deb$/))} MB`);
    assert.match(root.run(['sqlite-helper', '--version']), /^sqlite-helper /);
    assert.match(root.run(['sh', '-c', 'test -s /usr/share/man/man1/parlance.1.gz; bash -n /usr/share/bash-completion/completions/parlance; parlance doctor || true']), /\w/);
    const removed = root.run(['apt-get', 'autoremove', '--yes', '--purge', 'parlance']);
    assert.match(removed, /Conversations stay in the folder \.local\/state\/parlance of each user/);
    assert.equal(root.run(['dpkg-query', '-W']), before);
    assert.equal(root.run(['find', '/usr', '/etc', '-name', '*parlance*']), '');
    assert.ok(existsSync(root.written(state)));
  });
}

test('lintian accepts the Debian package', { skip }, () => {
  const printed = execFileSync('lintian', ['--fail-on', 'error,warning', '--allow-root', file_of(/\.deb$/)], { encoding: 'utf8' });
  assert.equal(printed, '');
});

for (const suite of ['bookworm', 'trixie']) {
  test(`the tarball in ${suite}, without libraries of parlance`, { skip }, async (t) => {
    const root = system(t, suite);
    const tarball = file_of(/linux-\w+\.tar\.gz$/);
    assert.doesNotMatch(root.run(['dpkg-query', '-W']), /^lib(edit2|simdjson|curl4)/m);
    const bare = left_below(root, '/home');
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
    const { url, token } = await started_gateway(t, root, `${prefix}/bin/parlance`, '/tmp/up');
    assert.match(await (await fetch(url)).text(), /<title>/);
    const session = await fetch(new URL('/session', url), { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    assert.match(session.headers.get('set-cookie') ?? '', /HttpOnly/); // signed with the linked OpenSSL
    const model = { PARLANCE_MODEL: 'openai', PARLANCE_MODEL_URL: 'http://127.0.0.1:9/v1', PARLANCE_MODEL_NAME: 'none' };
    const without_curl = root.run(['sh', '-c', `cd ${work}; ${prefix}/bin/parlance run parlance hello 2>&1 || :`], { env: model });
    assert.match(without_curl, /HTTP requests need libcurl: .* Install it: `apt-get install libcurl4`/);
    assert.match(root.run(['sh', `${prefix}/share/parlance/uninstall.sh`]), new RegExp(`conversations stay in ${state}\\.`));
    assert.deepEqual(left_below(root, '/home'), bare);
    assert.ok(existsSync(root.written(state)));
  });
}

test('the programs of the VSIX in bookworm, without libraries of parlance', { skip }, async (t) => {
  const vsix = file_of(/\.vsix$/);
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
  const registry = await serve_packages(packages);
  t.after(registry.close);
  const npm = path.dirname(path.dirname(execFileSync('readlink', ['-f', execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()], { encoding: 'utf8' }).trim()));
  if (/libnode/.test(execFileSync('ldd', [process.execPath], { encoding: 'utf8' }))) return t.skip('needs Node from another source than Debian');
  const root = system(t, 'bookworm', { [process.execPath]: '/usr/local/bin/node', [npm]: '/opt/npm' });
  const env = { npm_config_registry: registry.address, npm_config_update_notifier: 'false' };
  const npx = ['node', '/opt/npm/bin/npx-cli.js', '--yes', 'parlance'];
  const seconds = await timed(() => approve(root, [...npx, 'serve-acp'], { env }));
  const size = readdirSync(packages).filter((name) => name.endsWith('.tgz')).reduce((sum, name) => sum + statSync(path.join(packages, name)).size, 0);
  t.diagnostic(`${seconds.toFixed(1)} s from npx to the answered approval, ${(size / 1e6).toFixed(1)} MB`);
  for (const name of ['memory', 'sqlite-helper']) {
    const { packages: [entry] } = JSON.parse(readFileSync(path.join(packages, `registry/mcp/${name}/server.json`), 'utf8'));
    const args = entry.packageArguments.filter((each) => each.isRequired !== true && !each.isRepeated).map((each) => each.value ?? each.name);
    const command = ['node', '/opt/npm/bin/npx-cli.js', '--yes', `${entry.identifier}@${entry.version}`, ...args];
    assert.match(await server_of(root, command, { env }), /parlance|sqlite/, name);
  }
  root.run(['rm', '-r', '/home/ada/.npm']);
  assert.deepEqual(left_below(root, '/home'), [`${work}/a.txt`]);
  t.diagnostic(`conversations stay in ${state}`);
});

test('the root of the container image starts without root, and its health check passes', { skip }, async (t) => {
  const containerfile = readFileSync(path.join(packages, 'container/Containerfile'), 'utf8');
  const [, build] = /^RUN ((?:.*\\\n)*.*)/m.exec(containerfile);
  const [, health] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(containerfile);
  const root = system(t, 'trixie');
  root.run(['cp', '/packages/container/parlance.deb', '/tmp/parlance.deb']);
  root.run(['sh', '-ec', build.replaceAll('\\\n', ' ')]);
  const env = { PARLANCE_LISTEN: '127.0.0.1:0', HOME: '/home/parlance' };
  const { url, seconds } = await started_gateway(t, root, 'parlance', '/state', { user: '1000:1000', env });
  const [program, ...args] = JSON.parse(health);
  execFileSync(program, args, { env: { ...process.env, PARLANCE_LISTEN: url.host } });
  t.diagnostic(`${seconds.toFixed(1)} s from start to ready`);
});

test('SHA256SUMS lists every package', { skip }, () => {
  execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: packages });
  const listed = readFileSync(path.join(packages, 'SHA256SUMS'), 'utf8').match(/(?<= {2}).+$/gm);
  const files = readdirSync(packages).filter((name) => name !== 'SHA256SUMS' && statSync(path.join(packages, name)).isFile());
  assert.deepEqual(listed.sort(), files.sort());
});
