// SPDX-License-Identifier: Apache-2.0
// The files that docs/howto/team.md tells people to install work unchanged: HAProxy's configuration, the unit, its settings; and ./run
// --cluster.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Child, outputOf, plainEnvironment, until } from '../../scripts/cluster/child.mjs';
import { HaProxy, packaged } from '../../scripts/cluster/haproxy.mjs';
import { Cluster, needs, program } from './cluster.mjs';
import { WebSocket } from './page.mjs';

needs(HaProxy.missing());
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'parlance-packaged-'));
chmodSync(folder, 0o711); // the database's account passes through
after(() => rmSync(folder, { recursive: true }));
const read = (name) => readFileSync(join(root, name), 'utf8');

async function certificate() {
  const [key, cert, both] = ['key.pem', 'cert.pem', 'parlance.pem'].map((name) => join(folder, name));
  if (!existsSync(both)) {
    await outputOf([
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=parlance.example.org',
      '-keyout',
      key,
      '-out',
      cert,
    ]);
    writeFileSync(both, readFileSync(cert) + readFileSync(key), { mode: 0o600 });
  }
  return both;
}

test('HAProxy takes its configuration, without a warning', async () => {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, readFileSync(packaged, 'utf8').replace('/etc/haproxy/parlance.pem', await certificate()));
  assert.equal(await HaProxy.complaints(file), '');
});

const noSystemd = existsSync('/usr/bin/systemd-analyze') ? false : 'there is no systemd-analyze here';
test('systemd takes the unit', { skip: noSystemd }, async () => {
  const file = join(folder, 'parlance.service');
  writeFileSync(file, read('packaging/systemd/parlance.service').replace('/usr/local/bin/parlance', program));
  const child = new Child(['systemd-analyze', '--man=no', 'verify', file]);
  assert.equal((await child.end).code, 0, child.said);
  assert.doesNotMatch(child.said, /parlance\.service/);
});

test('systemd never gives up, however long the database is away', () => {
  const unit = read('packaging/systemd/parlance.service');
  assert.match(unit.slice(0, unit.indexOf('[Service]')), /^StartLimitIntervalSec=0$/m);
  assert.match(unit, /^Restart=always$/m);
});

// Read by a shell, as before `parlance users`: a shell may reject values that systemd accepts.
test('every line of its settings is valid, also for a shell, and the program knows every setting', async () => {
  const lines = read('packaging/systemd/parlance.env')
    .split('\n')
    .map((line) => line.replace(/^#(?=PARLANCE_)/, ''))
    .filter((line) => /^PARLANCE_/.test(line));
  const set = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const file = join(folder, 'parlance.env');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const shown = await outputOf(['sh', '-ec', `set -a; . '${file}'; set +a; exec '${program}' config --origin`], {
    env: plainEnvironment({ HOME: folder }),
  });
  assert.ok(lines.length >= 8);
  for (const name of Object.keys(set))
    assert.ok(shown.includes(`environment ${name}`), `${name} is no setting:\n${shown}`);
  assert.doesNotMatch(shown, /PASSWORD|A_LONG_RANDOM/);
});

test('behind TLS a page of this name is admitted, and a page of another name is not', { timeout: 60_000 }, async () => {
  const cluster = new Cluster();
  try {
    const database = await cluster.database();
    await cluster.machine(database.address(), { flags: ['--allow-host', 'parlance.example.org'] });
    const proxy = await cluster.haproxy(await certificate());
    const comesIn = (host) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/ws`, ['parlance.v1', `token.${cluster.token}`], {
          rejectUnauthorized: false,
          origin: `https://${host}`,
          headers: { Host: 'parlance.example.org' },
        });
        socket.on('open', () => {
          socket.terminate();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      });
    await until(() => comesIn('parlance.example.org'), 'a page to get in');
    assert.equal(await comesIn('elsewhere.example.org'), false);
  } finally {
    await cluster.end();
  }
});

test('./run --cluster starts everything, and leaves no process', { timeout: 120_000 }, async () => {
  const env = plainEnvironment({ TMPDIR: folder });
  const child = new Child([process.execPath, join(root, 'scripts/cluster/run.mjs'), program], { env });
  const said = (what) =>
    until(() => {
      if (child.ended) throw new Error(`it ended: ${child.said}`);
      return child.said.match(what);
    }, String(what));
  const [, at] = await said(/in (\/\S*parlance-cluster-[^\s:]*):/);
  const [, address, token] = await said(/Open {2}(http:\/\/\S+\/)#token=(\S+)/);
  const health = await (await fetch(`${address}health`, { headers: { Authorization: `Bearer ${token}` } })).json();
  assert.match(health.gateway.hub, /^hub_/);
  child.signal('SIGINT');
  assert.equal((await child.end).code, 0, child.said);
  assert.ok(!existsSync(at), 'its folder is gone');
  const left = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(at);
      } catch {
        return false;
      }
    });
  assert.deepEqual(left, [], 'no process is left');
});
