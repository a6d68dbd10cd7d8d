// SPDX-License-Identifier: Apache-2.0
// Entries for the registry of ACP agents and the registry of MCP servers.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { platforms, root, sha256, version, write } from './common.mjs';
import { serverName } from './npm.mjs';
import { agentFaults, serverFaults } from './registry_schema.mjs';
import { tarballName } from './tarball.mjs';

const serverSchema = 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json';

/** agent.json. `tarballs` maps platforms to files. */
export function agentEntry(repository, tarballs) {
  const binary = Object.entries(tarballs).map(([platform, file]) => [
    platforms[platform].acp,
    {
      archive: `${repository}/releases/download/v${version}/${path.basename(file)}`,
      sha256: sha256(file),
      cmd: `./${tarballName(platform)}/bin/parlance`,
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

const packageOf = (identifier, packageArguments) => ({
  registryType: 'npm',
  identifier,
  version,
  runtimeHint: 'npx',
  transport: { type: 'stdio' },
  packageArguments,
});

function serverEntry(repository, server, description, npmPackage) {
  return {
    $schema: serverSchema,
    name: serverName(repository, server),
    description,
    repository: { url: repository, source: 'github' },
    version,
    packages: [npmPackage],
  };
}

/** server.json of each MCP server. */
export function serverEntries(repository) {
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
    'sqlite-helper': serverEntry(
      repository,
      'sqlite-helper',
      'SQLite databases: reading that cannot write, writing with preview and undo',
      packageOf('parlance-sqlite-helper', [{ type: 'named', name: '--mcp' }, database, folder]),
    ),
    memory: serverEntry(
      repository,
      'memory',
      'A memory that agents share: search, store and forget, in a file of this machine',
      packageOf('parlance', [
        { type: 'positional', value: 'memory' },
        { type: 'positional', value: 'serve' },
      ]),
    ),
  };
}

/** Writes the entries below `out`. Throws if an entry breaks the schema of its registry. */
export function writeRegistryEntries({ repository, tarballs, out }) {
  const agent = agentEntry(repository, tarballs);
  const servers = serverEntries(repository);
  const faults = [...agentFaults(agent), ...Object.values(servers).flatMap(serverFaults)];
  if (faults.length) throw new Error(`registry entries: ${faults.join('; ')}. Correct packaging/release/registry.mjs`);
  const text = (value) => `${JSON.stringify(value, undefined, 2)}\n`;
  write(path.join(out, 'acp/parlance/agent.json'), text(agent));
  cpSync(path.join(root, 'packaging/registry/icon.svg'), path.join(out, 'acp/parlance/icon.svg'));
  for (const [name, server] of Object.entries(servers)) write(path.join(out, `mcp/${name}/server.json`), text(server));
}
