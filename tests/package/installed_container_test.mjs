// SPDX-License-Identifier: Apache-2.0
// The container image: built and started by buildah. Without buildah, its commands run in an empty Debian by chroot.
//   PARLANCE_PACKAGES=build/packages node --test tests/package/installed_container_test.mjs
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { read } from '../../packaging/release/common.mjs';
import { firstApproval } from './first_approval.mjs';
import { cache, untouched } from './installed_root.mjs';
import { checkHealth, packages, skip, startedGateway, system, timed } from './installed_system.mjs';

const debian = { x64: 'amd64', arm64: 'arm64' }[process.arch];
const hasEngine = existsSync('/usr/bin/buildah');
const base = 'docker.io/library/debian:13-slim';

/** A command for a list of the user's files that go with the container. Some folders belong to root alone. */
const search = "find / -xdev -user 1000 -type f -not -path '/state/*' -not -path '/tmp/*' 2>/dev/null || :";
const unkept = ['sh', '-c', search];

/** buildah with own images and containers for one test. */
function engine(t) {
  const folder = mkdtempSync(path.join(cache, 'engine_')); // no overlay holds the changes of another
  const words = ['--root', `${folder}/root`, '--runroot', `${folder}/run`, '--storage-driver', 'overlay'];
  const run = (...args) => execFileSync('buildah', [...words, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  t.after(() => {
    run('rm', '--all');
    rmSync(folder, { recursive: true });
  });
  return { run, start: (...args) => spawn('buildah', [...words, ...args], { stdio: 'pipe' }) };
}

test(
  'the container image reaches the approval without root',
  { skip: skip || (!hasEngine && 'needs buildah') },
  async (t) => {
    const { run, start } = engine(t);
    const empty = run('from', 'scratch');
    execFileSync('cp', ['--archive', `${untouched('trixie')}/.`, run('mount', empty)]);
    run('umount', empty);
    run('commit', '--disable-compression=true', '--rm', empty, base);
    const isolated = ['--isolation', 'chroot'];
    const [, options] = /^podman build (.* --tag parlance) /m.exec(read('docs/howto/install.md'));
    const context = path.join(packages, 'container');
    const built = await timed(() => run('build', ...isolated, '--pull=never', ...options.split(' '), context));
    const { config } = JSON.parse(run('inspect', '--type', 'image', 'parlance')).Docker;
    assert.deepEqual(
      [config.User, config.Volumes, config.Entrypoint, config.Cmd],
      ['parlance', { '/state': {} }, ['parlance'], ['up']],
    );
    const container = run('from', '--pull=never', 'parlance');
    const inside = ['run', ...isolated, container, '--'];
    assert.match(run(...inside, 'sh', '-c', 'id -u; printf "one\\n" >a.txt'), /^1000$/);
    const before = run(...inside, ...unkept);
    const seconds = await timed(() => firstApproval(start(...inside, 'parlance', 'serve-acp'), '/work'));
    assert.equal(run(...inside, 'cat', 'a.txt'), 'two');
    assert.equal(run(...inside, ...unkept), before); // only /state, the volume, survives the container
    const health = config.Healthcheck.Test.slice(1);
    const script = `parlance up --listen 127.0.0.1:0 --embed-listen 127.0.0.1:0 --ready-file /tmp/ready.json >&2 & gateway=$!
    trap 'kill $gateway 2>/dev/null || :' EXIT
    until [ -e /tmp/ready.json ]; do kill -0 $gateway; sleep 0.05; done
    export PARLANCE_LISTEN=$(sed -nE 's#.*"url": ?"http://([0-9.:]+).*#\\1#p' /tmp/ready.json)
    "$@"
    kill $gateway
    wait $gateway || [ $? = 143 ]
    echo healthy`;
    assert.match(run(...inside, 'bash', '-ec', script, 'gateway', ...health), /healthy$/);
    const [, size, unit] = /([\d.]+) ([MG]B)$/m.exec(run('images', 'localhost/parlance'));
    t.diagnostic(`${built.toFixed(1)} s to build, ${seconds.toFixed(1)} s to the answered approval, ${size} ${unit}`);
  },
);

test(
  'the root of the container image passes its health check',
  { skip: skip || (hasEngine && 'buildah builds the image') },
  async (t) => {
    const containerfile = readFileSync(path.join(packages, 'container/Containerfile'), 'utf8');
    const [, build] = /^RUN ((?:.*\\\n)*.*)/m.exec(containerfile);
    const root = system(t, 'trixie');
    root.run(['cp', `/packages/container/parlance_${debian}.deb`, '/tmp/parlance.deb']);
    root.run(['sh', '-ec', build.replaceAll('\\\n', ' ')]);
    const before = root.run(unkept);
    const env = { PARLANCE_LISTEN: '127.0.0.1:0', HOME: '/home/parlance' };
    const { url, seconds } = await startedGateway(t, root, 'parlance', '/state', { user: '1000:1000', env });
    checkHealth(url);
    assert.equal(root.run(unkept), before); // only /state, the volume, survives the container
    assert.ok(existsSync(root.written('/state/hub.db')));
    t.diagnostic(`${seconds.toFixed(1)} s from start to ready`);
  },
);
