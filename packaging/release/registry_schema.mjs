// SPDX-License-Identifier: Apache-2.0
// Checks entries against the rules of their registries: agent.schema.json of the registry of ACP agents, and server.schema.json
// (2025-09-29) of the registry of MCP servers. Written by hand, because neither registry offers its schema as a package.

const is_text = (value) => typeof value === 'string' && value.length > 0;
const is_address = (value) => is_text(value) && /^https?:\/\/[^\s]+$/.test(value);
const is_list = (value, each) => Array.isArray(value) && value.every(each);
const acp_platforms = /^(darwin|linux|windows)-(aarch64|x86_64)$/;
const archives = /\.(zip|tar\.gz|tgz|tar\.bz2|tbz2)$/;
const formats = ['string', 'number', 'boolean', 'filepath'];

/** Reports each rule that does not hold. */
const failed = (rules) => rules.filter(([holds]) => !holds).map(([, fault]) => fault);

function unknown_names(where, value, known) {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => `${where}.${name} is unknown`);
}

function launch_faults(where, { args = [], env = {} }) {
  return failed([
    [is_list(args, (each) => typeof each === 'string'), `${where}.args is no list of texts`],
    [Object.values(env).every((each) => typeof each === 'string'), `${where}.env has a value that is no text`],
  ]);
}

function binary_faults(platform, target) {
  const where = `distribution.binary.${platform}`;
  return [
    ...failed([
      [acp_platforms.test(platform), `${where} is no known platform`],
      [is_address(target.archive) && archives.test(target.archive), `${where}.archive is no address of an archive`],
      [target.sha256 === undefined || /^[0-9a-f]{64}$/i.test(target.sha256), `${where}.sha256 is no checksum`],
      [is_text(target.cmd), `${where}.cmd is missing`],
    ]),
    ...launch_faults(where, target),
    ...unknown_names(where, target, ['archive', 'sha256', 'cmd', 'args', 'env']),
  ];
}

/** Faults of an agent.json. */
export function agent_faults(agent) {
  const { binary = {}, npx, uvx } = agent.distribution ?? {};
  return [
    ...failed([
      [/^[a-z][a-z0-9-]*$/.test(agent.id), 'id has other characters than a-z, 0-9 and -'],
      [is_text(agent.name), 'name is missing'],
      [/^\d+\.\d+\.\d+/.test(agent.version), 'version is no semantic version'],
      [is_text(agent.description), 'description is missing'],
      [agent.repository === undefined || is_address(agent.repository), 'repository is no address'],
      [is_list(agent.authors ?? [], is_text), 'authors is no list of texts'],
      [Object.keys(agent.distribution ?? {}).length > 0, 'distribution is empty'],
      [!npx || is_text(npx.package), 'distribution.npx.package is missing'],
      [!npx || !/@(latest|next)$/.test(npx.package), 'distribution.npx.package has no fixed version'],
    ]),
    ...unknown_names('distribution', agent.distribution ?? {}, ['binary', 'npx', 'uvx']),
    ...Object.entries(binary).flatMap(([platform, target]) => binary_faults(platform, target)),
    ...[npx, uvx]
      .filter(Boolean)
      .flatMap((each) => [
        ...launch_faults('distribution.npx', each),
        ...unknown_names('distribution.npx', each, ['package', 'args', 'env']),
      ]),
  ];
}

function argument_faults(argument, index) {
  const where = `packageArguments[${index}]`;
  return failed([
    [['named', 'positional'].includes(argument.type), `${where}.type is neither named nor positional`],
    [argument.type !== 'named' || is_text(argument.name), `${where}.name is missing`],
    [
      argument.type !== 'positional' || argument.valueHint || argument.value,
      `${where} has neither value nor valueHint`,
    ],
    [argument.format === undefined || formats.includes(argument.format), `${where}.format is unknown`],
  ]);
}

function package_faults(each) {
  return [
    ...failed([
      [['npm', 'pypi', 'oci', 'nuget', 'mcpb'].includes(each.registryType), 'packages.registryType is unknown'],
      [is_text(each.identifier), 'packages.identifier is missing'],
      [/^\d+\.\d+\.\d+/.test(each.version), 'packages.version is no fixed version'],
      [
        each.transport?.type === 'stdio' || is_address(each.transport?.url),
        'packages.transport is neither stdio nor an address',
      ],
    ]),
    ...(each.packageArguments ?? []).flatMap(argument_faults),
    ...unknown_names('packages', each, [
      ...['registryType', 'registryBaseUrl', 'identifier', 'version', 'fileSha256', 'runtimeHint', 'transport'],
      ...['runtimeArguments', 'packageArguments', 'environmentVariables'],
    ]),
  ];
}

/** Faults of a server.json. */
export function server_faults(server) {
  return [
    ...failed([
      [is_address(server.$schema), '$schema is no address'],
      [
        /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(server.name) && server.name.length <= 200,
        'name is no NAMESPACE/SERVER',
      ],
      [
        is_text(server.description) && server.description.length <= 100,
        'description has 0 or more than 100 characters',
      ],
      [/^\d+\.\d+\.\d+/.test(server.version), 'version is no fixed version'],
      [
        !server.repository || (is_address(server.repository.url) && is_text(server.repository.source)),
        'repository lacks url or source',
      ],
    ]),
    ...(server.packages ?? []).flatMap(package_faults),
  ];
}
