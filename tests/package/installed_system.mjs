// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of installed packages: the folder of packages, systems for tests, and a gateway in a system.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { firstApproval } from './first_approval.mjs';
import { DebianRoot } from './installed_root.mjs';

export const packages = process.env.PARLANCE_PACKAGES && path.resolve(process.env.PARLANCE_PACKAGES);
export const fileOf = (pattern) =>
  path.join(packages, readdirSync(packages).find((name) => pattern.test(name)) ?? assert.fail(`no ${pattern}`));
const isRoot = process.getuid() === 0;
export const skip = !packages ? 'PARLANCE_PACKAGES names no folder' : !isRoot && 'needs root for chroot';
export const state = '/home/ada/.local/state/parlance';
export const work = '/home/ada/work';

/** Seconds of an action. */
export async function timed(action) {
  const begun = performance.now();
  await action();
  return (performance.now() - begun) / 1000;
}

/** Fails if a person has to wait longer than the limit, in seconds. */
export function assertWithin(limit, seconds, what) {
  assert.ok(seconds <= limit, `${what}: ${seconds.toFixed(1)} s, more than ${limit} s`);
}

export const megabytes = (file) => (statSync(file).size / 1e6).toFixed(1);

/** A system for one test, with a folder for the scripted agent. */
export function system(t, suite, shared = {}) {
  const root = new DebianRoot(suite, { [packages]: '/packages', ...shared });
  t.after(() => root.remove());
  root.run(['sh', '-c', `mkdir -p ${work} && printf 'one\\n' >${work}/a.txt`]);
  return root;
}

/** Starts `parlance up` for the rest of the test, and waits until it is ready. */
export async function startedGateway(t, root, program, folder, options = {}) {
  const up = [program, 'up', '--embed-listen', '127.0.0.1:0', '--agent-socket-link', 'none'];
  const { command = up, ...settings } = options;
  const ready = `${folder}/ready.json`;
  const places = ['--state', folder, '--agent-socket', `${folder}/agent.sock`, '--ready-file', ready];
  const child = root.start([...command, '--listen', '127.0.0.1:0', ...places], settings);
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

/** Goes to the first answered approval with a started `parlance serve-acp`. */
export async function approve(root, command, options) {
  await firstApproval(root.start(command, options), work);
  assert.equal(readFileSync(root.written(`${work}/a.txt`), 'utf8'), 'two\n');
}

/** Runs the container's health check against a gateway. Throws if it fails. */
export function checkHealth(url) {
  const containerfile = readFileSync(path.join(packages, 'container/Containerfile'), 'utf8');
  const [program, ...args] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(containerfile)[1]);
  execFileSync(program, args, { env: { ...process.env, PARLANCE_LISTEN: url.host } });
}
