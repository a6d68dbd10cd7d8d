// SPDX-License-Identifier: Apache-2.0
// Entries for the registry of ACP agents and the registry of MCP servers.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { platforms, root, sha256, version, write } from './common.mjs';
import { server_name } from './npm.mjs';
import { agent_faults, server_faults } from './registry_schema.mjs';
import { tarball_name } from './tarball.mjs';

const server_schema = 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json';

/** agent.json. `tarballs` maps platforms to files. */
export function agent_entry(repository, tarballs) {
  const binary = Object.entries(tarballs).map(([platform, file]) => [
    platforms[platform].acp,
    {
      archive: `${repository}/releases/download/v${version}/${path.basename(file)}`,
      sha256: sha256(file),
      cmd: `./${tarball_name(platform)}/bin/parlance`,
      args: ['serve-acp'],
    },
  ]);
  return {
    id: 'parlance',
    name: 'parlance',
    version,
    description: 'Any agent of your machine for editors with ACP, with rules, requests for approval and one inbox',
    repository,
    authors: ['the parlance authors'],
    license: 'Apache-2.0',
    distribution: {
      binary: Object.fromEntries(binary),
      npx: { package: `parlance@${version}`, args: ['serve-acp'] },
    },
  };
}

const package_of = (identifier, packageArguments) => ({
  registryType: 'npm',
  identifier,
  version,
  runtimeHint: 'npx',
  transport: { type: 'stdio' },
  packageArguments,
});

function server_entry(repository, server, description, npm_package) {
  return {
    $schema: server_schema,
    name: server_name(repository, server),
    description,
    repository: { url: repository, source: 'github' },
    version,
    packages: [npm_package],
  };
}

/** server.json of each MCP server. */
export function server_entries(repository) {
  const database = {
    type: 'named',
    name: '--db',
    description: 'A SQLite database that the server opens.',
    format: 'filepath',
    isRequired: true,
    isRepeated: true,
  };
  const folder = {
    type: 'named',
    name: '--allowed-dir',
    description: 'Only databases in this folder may be opened.',
    format: 'filepath',
    isRepeated: true,
  };
  return {
    'sqlite-helper': server_entry(
      repository,
      'sqlite-helper',
      'SQLite databases: reading that cannot write, writing with preview and undo',
      package_of('parlance-sqlite-helper', [{ type: 'named', name: '--mcp' }, database, folder]),
    ),
    memory: server_entry(
      repository,
      'memory',
      'A memory that agents share: search, store and forget, in a file of this machine',
      package_of('parlance', [
        { type: 'positional', value: 'memory' },
        { type: 'positional', value: 'serve' },
      ]),
    ),
  };
}

/** Writes the entries below `out`. Throws if an entry breaks the schema of its registry. */
export function write_registry_entries({ repository, tarballs, out }) {
  const agent = agent_entry(repository, tarballs);
  const servers = server_entries(repository);
  const faults = [...agent_faults(agent), ...Object.values(servers).flatMap(server_faults)];
  if (faults.length) throw new Error(`registry entries: ${faults.join('; ')}. Correct packaging/release/registry.mjs`);
  const text = (value) => `${JSON.stringify(value, undefined, 2)}\n`;
  write(path.join(out, 'acp/parlance/agent.json'), text(agent));
  cpSync(path.join(root, 'packaging/registry/icon.svg'), path.join(out, 'acp/parlance/icon.svg'));
  for (const [name, server] of Object.entries(servers)) write(path.join(out, `mcp/${name}/server.json`), text(server));
}
