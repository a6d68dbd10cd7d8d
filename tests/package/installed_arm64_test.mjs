// SPDX-License-Identifier: Apache-2.0
// The packages for arm64 on another processor: qemu-user runs their programs in the unpacked Debian of scripts/sysroot.sh.
//   PARLANCE_PACKAGES=build/packages node --test tests/package/installed_arm64_test.mjs
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

import { emulateArm64 } from './installed_root.mjs';
import {
  approve,
  checkHealth,
  fileOf,
  megabytes,
  packages,
  skip,
  startedGateway,
  system,
  timed,
  work,
} from './installed_system.mjs';

const sysroot = fileURLToPath(new URL('../../build/sysroot/arm64', import.meta.url));
const prefix = '/home/ada/.local';

function skipArm64() {
  if (skip) return skip;
  const released = readdirSync(packages).some((name) => /linux-arm64\.tar\.gz$/.test(name));
  if (process.arch === 'arm64' || !released) return 'no packages of another architecture';
  return existsSync(sysroot) ? emulateArm64() : 'needs build/sysroot/arm64: scripts/sysroot.sh arm64';
}
const skipped = skipArm64();

/** Starts a gateway and goes to the answered approval. `user` and `env` are those of the gateway. */
async function approveUnderQemu(t, root, program, { user, env } = {}) {
  // parlance starts programs with CLONE_PIDFD, which qemu-user lacks: a shell starts agent and gateway.
  const agent = `${program} agent --agent-socket /tmp/up/agent.sock --agent-socket-link none --state /tmp/up`;
  const command = ['sh', '-c', `${agent} & exec ${program} gateway --folder ${work} "$@"`, 'gateway'];
  root.run(['sh', '-c', `mkdir -p /tmp/up; chmod 0700 /tmp/up; ${user ? `chown -R ${user} /tmp/up ${work}` : ':'}`]);
  const { url, token } = await startedGateway(t, root, program, '/tmp/up', { command, user, env });
  await approve(root, [program, 'serve-acp', '--to', `ws://${url.host}`], { env: { PARLANCE_TOKEN: token } });
  assert.match(await (await fetch(url)).text(), /<title>/);
  return url;
}

test('the tarball for arm64', { skip: skipped }, async (t) => {
  const root = system(t, sysroot);
  const tarball = fileOf(/linux-arm64\.tar\.gz$/);
  const seconds = await timed(async () => {
    root.run(['mkdir', '-p', prefix]);
    root.run(['tar', '-xzf', `/packages/${path.basename(tarball)}`, '--strip-components=1', '-C', prefix]);
    await approveUnderQemu(t, root, `${prefix}/bin/parlance`);
  });
  t.diagnostic(`${seconds.toFixed(1)} s from tar to the answered approval, ${megabytes(tarball)} MB`);
  assert.match(root.run([`${prefix}/bin/sqlite-helper`, '--version']), /^sqlite-helper /);
  const error = root.start([`${prefix}/bin/parlance`, 'memory', 'get']); // an exception reaches its handler
  assert.equal((await once(error, 'close'))[0], 2);
});

test('the Debian package for arm64, in the place of the container image', { skip: skipped }, async (t) => {
  const root = system(t, sysroot);
  const deb = fileOf(/_arm64\.deb$/);
  assert.deepEqual(readFileSync(path.join(packages, 'container/parlance_arm64.deb')), readFileSync(deb));
  let url;
  const seconds = await timed(async () => {
    root.run(['dpkg', '--install', `/packages/${path.basename(deb)}`]); // refuses a package with an absent library
    url = await approveUnderQemu(t, root, '/usr/bin/parlance', { user: '1000:1000' });
  });
  t.diagnostic(`${seconds.toFixed(1)} s from dpkg to the answered approval, ${megabytes(deb)} MB`);
  checkHealth(url);
  assert.match(root.run(['sqlite-helper', '--version']), /^sqlite-helper /);
  assert.match(root.run(['dpkg', '--purge', 'parlance']), /Conversations stay in the folder \.local\/state\/parlance/);
  assert.equal(root.run(['find', '/usr', '/etc', '-name', '*parlance*']), '');
});
