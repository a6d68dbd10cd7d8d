// SPDX-License-Identifier: Apache-2.0
// Checks entries against the rules of their registries: agent.schema.json of the registry of ACP agents, and server.schema.json
// (2025-09-29) of the registry of MCP servers. Written by hand, because neither registry offers its schema as a package.
import { failed, isText, unknownNames } from './rules.mjs';

const isAddress = (value) => isText(value) && /^https?:\/\/[^\s]+$/.test(value);
const isList = (value, each) => Array.isArray(value) && value.every(each);
const acpPlatforms = /^(darwin|linux|windows)-(aarch64|x86_64)$/;
const archives = /\.(zip|tar\.gz|tgz|tar\.bz2|tbz2)$/;
const formats = ['string', 'number', 'boolean', 'filepath'];

function launchFaults(where, { args = [], env = {} }) {
  return failed([
    [isList(args, (each) => typeof each === 'string'), `${where}.args is no list of texts`],
    [Object.values(env).every((each) => typeof each === 'string'), `${where}.env has a value that is no text`],
  ]);
}

function binaryFaults(platform, target) {
  const where = `distribution.binary.${platform}`;
  return [
    ...failed([
      [acpPlatforms.test(platform), `${where} is no known platform`],
      [isAddress(target.archive) && archives.test(target.archive), `${where}.archive is no address of an archive`],
      [target.sha256 === undefined || /^[0-9a-f]{64}$/i.test(target.sha256), `${where}.sha256 is no checksum`],
      [isText(target.cmd), `${where}.cmd is missing`],
    ]),
    ...launchFaults(where, target),
    ...unknownNames(where, target, ['archive', 'sha256', 'cmd', 'args', 'env']),
  ];
}

/** Faults of an agent.json. */
export function agentFaults(agent) {
  const { binary = {}, npx, uvx } = agent.distribution ?? {};
  return [
    ...failed([
      [/^[a-z][a-z0-9-]*$/.test(agent.id), 'id has other characters than a-z, 0-9 and -'],
      [isText(agent.name), 'name is missing'],
      [/^\d+\.\d+\.\d+/.test(agent.version), 'version is no semantic version'],
      [isText(agent.description), 'description is missing'],
      [agent.repository === undefined || isAddress(agent.repository), 'repository is no address'],
      [isList(agent.authors ?? [], isText), 'authors is no list of texts'],
      [Object.keys(agent.distribution ?? {}).length > 0, 'distribution is empty'],
      [!npx || isText(npx.package), 'distribution.npx.package is missing'],
      [!npx || !/@(latest|next)$/.test(npx.package), 'distribution.npx.package has no fixed version'],
    ]),
    ...unknownNames('distribution', agent.distribution ?? {}, ['binary', 'npx', 'uvx']),
    ...Object.entries(binary).flatMap(([platform, target]) => binaryFaults(platform, target)),
    ...[npx, uvx]
      .filter(Boolean)
      .flatMap((each) => [
        ...launchFaults('distribution.npx', each),
        ...unknownNames('distribution.npx', each, ['package', 'args', 'env']),
      ]),
  ];
}

function argumentFaults(argument, index) {
  const where = `packageArguments[${index}]`;
  return failed([
    [['named', 'positional'].includes(argument.type), `${where}.type is neither named nor positional`],
    [argument.type !== 'named' || isText(argument.name), `${where}.name is missing`],
    [
      argument.type !== 'positional' || argument.valueHint || argument.value,
      `${where} has neither value nor valueHint`,
    ],
    [argument.format === undefined || formats.includes(argument.format), `${where}.format is unknown`],
  ]);
}

function packageFaults(each) {
  return [
    ...failed([
      [['npm', 'pypi', 'oci', 'nuget', 'mcpb'].includes(each.registryType), 'packages.registryType is unknown'],
      [isText(each.identifier), 'packages.identifier is missing'],
      [/^\d+\.\d+\.\d+/.test(each.version), 'packages.version is no fixed version'],
      [
        each.transport?.type === 'stdio' || isAddress(each.transport?.url),
        'packages.transport is neither stdio nor an address',
      ],
    ]),
    ...(each.packageArguments ?? []).flatMap(argumentFaults),
    ...unknownNames('packages', each, [
      ...['registryType', 'registryBaseUrl', 'identifier', 'version', 'fileSha256', 'runtimeHint', 'transport'],
      ...['runtimeArguments', 'packageArguments', 'environmentVariables'],
    ]),
  ];
}

/** Faults of a server.json. */
export function serverFaults(server) {
  return [
    ...failed([
      [isAddress(server.$schema), '$schema is no address'],
      [
        /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(server.name) && server.name.length <= 200,
        'name is no NAMESPACE/SERVER',
      ],
      [isText(server.description) && server.description.length <= 100, 'description has 0 or more than 100 characters'],
      [/^\d+\.\d+\.\d+/.test(server.version), 'version is no fixed version'],
      [
        !server.repository || (isAddress(server.repository.url) && isText(server.repository.source)),
        'repository lacks url or source',
      ],
    ]),
    ...(server.packages ?? []).flatMap(packageFaults),
  ];
}
