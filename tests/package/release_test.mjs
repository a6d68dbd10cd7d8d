// SPDX-License-Identifier: Apache-2.0
// Parts of the scripts that make packages, without a build.
//   node --test tests/package/release_test.mjs
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { makeTarball, read, sha256 } from '../../packaging/release/common.mjs';
import { sbomOf } from '../../packaging/release/notices.mjs';
import { programFaults } from '../../packaging/release/program_faults.mjs';
import { agentEntry, serverEntries } from '../../packaging/release/registry.mjs';
import { agentFaults, serverFaults } from '../../packaging/release/registry_schema.mjs';
import { sbomFaults } from '../../packaging/release/sbom_schema.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'release_test_'));
test.after(() => rmSync(folder, { recursive: true }));
const repository = 'https://github.com/example/parlance';

test('a program with other libraries than those of glibc has faults', () => {
  const faults = programFaults(process.execPath); // Node needs libstdc++ or libnode
  assert.ok(
    faults.some((fault) => /needs lib(stdc\+\+|node)\.so\S* \(NEEDED\): link the archive/.test(fault)),
    faults.join('\n'),
  );
});

const versionsOf = (program) => spawnSync('readelf', ['-VW', program], { encoding: 'utf8' }).stdout;
const newer = ['/bin/bash', '/usr/bin/python3'].find((program) =>
  /GLIBC_2\.(3[5-9]|[4-9]\d)/.test(versionsOf(program)),
);
test(
  'a program for a newer glibc than 2.34 has a fault',
  { skip: newer ? false : 'no program needs a newer glibc' },
  () => {
    const faults = programFaults(newer);
    assert.ok(
      faults.some((fault) => /needs GLIBC_2\.\d+: define the function in apps\/older_glibc\.cpp/.test(fault)),
      faults.join('\n'),
    );
  },
);

test('a program with a path of its build has a fault', () => {
  const folderOfLoader = process.arch === 'x64' ? '/lib64' : '/lib';
  const [fault] = programFaults(process.execPath, [folderOfLoader]).slice(-1);
  assert.match(fault, /contains the path \/lib\w*: build with the preset dist/);
});

test('archives of the same files have the same bytes', () => {
  const made = ['one', 'two'].map((name) => {
    const files = path.join(folder, name, 'parlance');
    mkdirSync(files, { recursive: true });
    writeFileSync(path.join(files, 'b'), 'text', { mode: name === 'one' ? 0o600 : 0o644 });
    writeFileSync(path.join(files, 'a'), 'more');
    return sha256(makeTarball(files, path.join(folder, `${name}.tar.gz`)));
  });
  assert.equal(made[0], made[1]);
});

test('entries for registries follow the schemas', () => {
  const archive = path.join(folder, 'parlance-1.2.3-linux-x64.tar.gz');
  writeFileSync(archive, 'programs');
  assert.deepEqual(agentFaults(agentEntry(repository, { 'linux-x64': archive })), []);
  for (const server of Object.values(serverEntries(repository))) assert.deepEqual(serverFaults(server), []);
});

test('an entry that breaks a schema has a fault for each rule', () => {
  const agent = {
    id: 'Parlance',
    name: 'p',
    version: '1',
    description: 'd',
    distribution: { snap: {}, binary: { linux: { cmd: 'p' } } },
  };
  assert.deepEqual(agentFaults(agent), [
    'id has other characters than a-z, 0-9 and -',
    'version is no semantic version',
    'distribution.snap is unknown',
    'distribution.binary.linux is no known platform',
    'distribution.binary.linux.archive is no address of an archive',
  ]);
  const server = {
    $schema: 'https://example.org',
    name: 'no-namespace',
    description: 'x'.repeat(101),
    version: 'latest',
    packages: [{ registryType: 'npm', size: 1 }],
  };
  assert.equal(serverFaults(server).length, 7, serverFaults(server).join('\n'));
});

test('the registry of MCP servers needs a repository on GitHub', () => {
  assert.throws(() => serverEntries('https://example.org/parlance'), /needs https:\/\/github\.com\/OWNER\/NAME/);
});

const parts = [{ name: '@a/b', version: '1+2', relation: 'STATIC_LINK', purl: 'pkg:npm/%40a/b@1' }];

test('the SBOM follows the schema, and has no random part', () => {
  const sbom = sbomOf(parts, 'linux-x64', 'ab'.repeat(32));
  assert.deepEqual(sbomFaults(sbom), []);
  assert.deepEqual(sbom, sbomOf(parts, 'linux-x64', 'ab'.repeat(32)));
});

test('an SBOM that breaks the schema has a fault for each rule', () => {
  const sbom = sbomOf(parts, 'linux-x64', 'ab'.repeat(32));
  sbom.documentNamespace = 'no address';
  sbom.creationInfo.created = '2026';
  sbom.files = [];
  sbom.packages.push({ ...sbom.packages[1], externalRefs: [{ referenceType: 'purl', referenceLocator: 'a/b' }] });
  sbom.relationships.pop();
  assert.deepEqual(sbomFaults(sbom), [
    'documentNamespace is no URI',
    'created is no time in UTC',
    'an SPDXID occurs twice',
    'a package has no relationship',
    'sbom.files is unknown',
    'package @a/b: externalRefs has no purl',
  ]);
});

/** An installed npm package whose program is a shell script. */
function installedLauncher(script) {
  const modules = path.join(mkdtempSync(path.join(folder, 'npm_')), 'node_modules');
  const program = path.join(modules, `parlance-linux-${process.arch}/bin/parlance`);
  mkdirSync(path.join(modules, 'parlance'), { recursive: true });
  copyFileSync(new URL('../../packaging/npm/launch.mjs', import.meta.url), path.join(modules, 'parlance/launch.mjs'));
  writeFileSync(
    path.join(modules, 'parlance/package.json'),
    '{"name":"parlance","type":"module","parlance":{"program":"parlance"}}',
  );
  if (script === undefined) return path.join(modules, 'parlance/launch.mjs');
  mkdirSync(path.dirname(program), { recursive: true });
  writeFileSync(path.join(path.dirname(program), '../package.json'), '{}');
  writeFileSync(program, `#!/bin/sh\n${script}`);
  chmodSync(program, 0o755);
  return path.join(modules, 'parlance/launch.mjs');
}

async function launched(script, args = []) {
  const child = spawn(process.execPath, [installedLauncher(script), ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (child.text += text));
  child.ended = once(child, 'close');
  return child;
}

test('the launcher passes arguments and the exit status', async () => {
  const child = await launched('echo "$1 $2"; exit 3', ['a b', 'c']);
  const [code] = await child.ended;
  assert.deepEqual([code, child.text], [3, 'a b c\n']);
});

test('the launcher forwards a signal, and ends as the program ends', async () => {
  const child = await launched('trap "echo stopped; exit 5" TERM; echo ready; while :; do read -r line || :; done');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  child.stdin.end('\n');
  const [code] = await child.ended;
  assert.deepEqual([code, child.text], [5, 'ready\nstopped\n']);
});

const canGuard = process.execve || existsSync('/usr/bin/setpriv') ? false : 'needs setpriv of util-linux';
test('no program outlives a killed launcher', { skip: canGuard }, async () => {
  const child = await launched('echo $$; exec tail -f /dev/null');
  const [pid] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await child.ended; // the pipes close when the last process ends
  assert.equal(existsSync(`/proc/${pid.trim()}/exe`), false);
});

test('the launcher names the remedy if the package of the platform is absent', async () => {
  const child = await launched(undefined);
  const [code] = await child.ended;
  assert.equal(code, 1);
  assert.match(
    child.text,
    /parlance: the package parlance-linux-\w+ is not installed\. Install again without --omit=optional/,
  );
});

test('uninstall.sh removes the listed files only, and prints the state folder', async () => {
  const prefix = path.join(folder, 'prefix');
  for (const name of ['bin/parlance', 'bin/other', 'share/parlance/uninstall.sh', 'share/parlance/files']) {
    mkdirSync(path.dirname(path.join(prefix, name)), { recursive: true });
    writeFileSync(path.join(prefix, name), 'bin/parlance\n');
  }
  copyFileSync(
    new URL('../../packaging/release/uninstall.sh', import.meta.url),
    path.join(prefix, 'share/parlance/uninstall.sh'),
  );
  const child = spawn('sh', [path.join(prefix, 'share/parlance/uninstall.sh')], {
    env: { ...process.env, XDG_STATE_HOME: '/home/ada/state' },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
  await once(child, 'close');
  assert.match(text, /conversations stay in \/home\/ada\/state\/parlance/);
  assert.deepEqual(
    ['bin/parlance', 'bin/other', 'share/parlance'].map((name) => existsSync(path.join(prefix, name))),
    [false, true, false],
  );
});

const canVerify = existsSync('/usr/bin/systemd-analyze') ? false : 'needs systemd-analyze of systemd';
test('the removal of a container names the volume that holds its state', () => {
  const [, volume] = /--volume (\w+):\/state /.exec(read('docs/howto/install.md'));
  assert.match(read('packaging/container/Containerfile'), /^ENV PARLANCE_STATE=\/state .*\nVOLUME \/state$/m);
  assert.ok(read('docs/howto/uninstall.md').includes(`podman volume rm ${volume}`));
});

test('systemd accepts the units of a person and of a cluster', { skip: canVerify }, () => {
  for (const name of ['systemd/user/parlance.service', 'systemd/parlance.service']) {
    const text = readFileSync(new URL(`../../packaging/${name}`, import.meta.url), 'utf8');
    const unit = path.join(mkdtempSync(path.join(folder, 'unit_')), 'parlance.service');
    writeFileSync(unit, text.replace(/@PROGRAM@|\/usr\/local\/bin\/parlance/, '/bin/true'));
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    assert.deepEqual(stderr.match(/^.*parlance\.service.*$/gm), null); // other lines are about units of this machine
  }
});

test('the icon of the registry of ACP agents has the colour of its surroundings', () => {
  const icon = readFileSync(new URL('../../packaging/registry/icon.svg', import.meta.url), 'utf8');
  assert.match(icon, /width="16" height="16"/);
  assert.deepEqual(
    [...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map((match) => match[1]),
    ['none', 'currentColor'],
  );
});
