// SPDX-License-Identifier: Apache-2.0
// npm packages: one with the programs of a platform, and for each command one launcher. No package has an install script.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fresh, platforms, programs, root, run, version, write } from './common.mjs';

const launchers = [
  {
    name: 'parlance',
    program: 'parlance',
    server: 'memory',
    readme: 'README.md',
    description: 'See, approve and continue the work of AI coding agents in a browser, a terminal or an editor',
  },
  {
    name: 'parlance-sqlite-helper',
    program: 'sqlite-helper',
    server: 'sqlite-helper',
    readme: 'README-sqlite-helper.md',
    description: 'MCP server for SQLite databases: safe reading, writing with preview and undo',
  },
];

/** Names of MCP servers in the registry of MCP servers: the account of the repository on GitHub, and the server. */
export function serverName(repository, server) {
  const [, owner] = /^https:\/\/github\.com\/([\w.-]+)\/[\w.-]+$/.exec(repository) ?? [];
  if (!owner) throw new Error(`--repository ${repository}: the MCP registry needs https://github.com/OWNER/NAME`);
  return `io.github.${owner}/parlance-${server}`;
}

const common = (repository) => ({
  version,
  license: 'Apache-2.0',
  repository: { type: 'git', url: `git+${repository}.git` },
  homepage: repository,
  bugs: `${repository}/issues`,
});

function pack(folder, out) {
  run('chmod', ['-R', 'u+rwX,go+rX,go-w', folder]); // the modes of a checkout depend on its umask
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', out], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return path.join(out, filename);
}

const about = (folder, value) =>
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(value, undefined, 2)}\n`);

/** The package with the programs of a platform. `files` maps names in the package to files. */
export function platformPackage({ platform, stripped, files, repository, scratch, out }) {
  const name = `parlance-${platform}`;
  const folder = fresh(path.join(scratch, name));
  for (const program of programs)
    write(path.join(folder, 'bin', program), readFileSync(path.join(stripped, program)), 0o755);
  for (const [file, source] of Object.entries(files)) copyFileSync(source, path.join(folder, file));
  write(
    path.join(folder, 'README.md'),
    `# ${name}\n\nThe programs of parlance for ${platform}. Install \`parlance\`, which contains the command.\n`,
  );
  about(folder, {
    name,
    description: `Programs of parlance for ${platform}`,
    ...common(repository),
    os: ['linux'],
    cpu: [platforms[platform].cpu],
    libc: ['glibc'],
    files: ['bin', ...Object.keys(files)],
    preferUnplugged: true,
  });
  return pack(folder, out);
}

/** The packages with commands. `released` lists the platforms of this release. */
export function launcherPackages({ released, repository, scratch, out }) {
  return launchers.map(({ name, program, server, readme, description }) => {
    const folder = fresh(path.join(scratch, name));
    write(path.join(folder, 'launch.mjs'), readFileSync(path.join(root, 'packaging/npm/launch.mjs')), 0o755);
    copyFileSync(path.join(root, 'packaging/npm', readme), path.join(folder, 'README.md'));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
    about(folder, {
      name,
      description,
      ...common(repository),
      keywords: ['agent', 'acp', 'mcp', 'claude', 'sqlite'],
      type: 'module',
      bin: { [name]: 'launch.mjs' },
      files: ['launch.mjs'],
      engines: { node: '>=18' },
      os: ['linux'],
      optionalDependencies: Object.fromEntries(released.map((platform) => [`parlance-${platform}`, version])),
      mcpName: serverName(repository, server),
      parlance: { program },
    });
    return pack(folder, out);
  });
}
