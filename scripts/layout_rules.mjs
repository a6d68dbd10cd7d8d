// SPDX-License-Identifier: Apache-2.0
// The layout rules as tables: allowed includes between folders, allowed places of libraries, forbidden texts.
// scripts/check_layout.mjs applies the rules; docs/architecture.md gives the reasons.

// The source folder. Folder names start here; includes start at src/.
export const house = 'src/parlance';

// Headers of programs that another program contains: `parlance sqlite` is sqlite-helper.
export const sharedAppHeaders = ['apps/sqlite-helper/helper.h'];

// Folder -> folders that it may include besides itself. Includes point down only. A file belongs to its longest folder in this table: with
// rows for 'codec' and 'codec/gob', each is a separate layer. A row 'protocol/*' makes each subfolder of protocol a layer. In the lists,
// 'face' means the folder with subfolders, 'face/*' only subfolders, 'face/.' only the folder.
export const arrows = {
  base: [],
  'base/regex': ['base'],
  wire: ['base'],
  'codec/json': ['base', 'wire'],
  'codec/gob': ['base', 'wire', 'codec/json'],
  'codec/schema': ['base', 'wire', 'codec/json'],
  async: ['base'],
  transport: ['base', 'async'],
  'transport/tls': ['base', 'async', 'transport/.'],
  'transport/http': ['base', 'async', 'transport'],
  // Logins at servers of strangers: authorization servers and tokens. Knows no protocol of agents.
  oauth: ['base', 'wire', 'async', 'codec/json', 'transport'],
  process: ['base', 'async', 'transport'],
  peer: ['base', 'wire', 'async', 'transport'],
  // A folder per dialect. Of other dialects, only protocol/jsonrpc is allowed: a shared envelope.
  'protocol/*': ['base', 'wire', 'codec', 'async', 'transport', 'process', 'peer', 'protocol/jsonrpc'],
  // The bridge is our own protocol: its values are the hub's, described for the wire here.
  'protocol/editor': [
    'base',
    'wire',
    'codec',
    'async',
    'transport',
    'process',
    'peer',
    'protocol/jsonrpc',
    'hub/editor',
  ],
  // So is the page's protocol: its requests carry the hub's commands.
  'protocol/page': ['base', 'wire', 'codec', 'hub/conversation', 'wire_form'],
  // Domain: plain structs, no wire, no codec, no protocol.
  sqlite: ['base', 'async'],
  // PostgreSQL: connections and pipelines; knows no table.
  pg: ['base'],
  'memory/text': ['base'],
  'memory/vector': ['base'],
  memory: ['base', 'async', 'memory/*'],
  'hub/team': ['base'],
  'hub/commands': ['base'],
  'hub/conversation': ['base', 'hub/team'],
  'hub/policy': ['base', 'hub/team', 'hub/commands', 'hub/conversation'],
  'hub/log': ['base', 'async', 'hub/team', 'hub/conversation', 'hub/policy'],
  'hub/editor': ['base', 'async'],
  hub: ['base', 'async', 'hub/*'],
  // The wire form of the hub's structs: the same JSON in stores and frontends.
  wire_form: ['base', 'wire', 'codec/json', 'hub/conversation', 'hub/policy', 'hub/team'],
  workspace: ['base', 'async', 'hub'],
  model: ['base', 'async', 'codec/json'],
  'model/rehearsal': ['base', 'async', 'codec/json', 'transport', 'model/.'],
  'model/provider': ['base', 'wire', 'async', 'codec/json', 'transport', 'model/.', 'model/rehearsal'],
  'model/connection': ['base', 'async', 'codec/json', 'transport', 'model/.', 'model/provider'],
  agent: ['base', 'async', 'memory', 'model'],
  // The only place where events become bytes on disk.
  store: ['base', 'async', 'sqlite'],
  'store/hub': ['base', 'async', 'wire', 'codec/json', 'sqlite', 'hub', 'wire_form', 'store/.'],
  'store/hub_pg': ['base', 'async', 'wire', 'codec/json', 'process', 'pg', 'hub', 'wire_form', 'store/hub'],
  'store/memory': ['base', 'async', 'wire', 'codec/json', 'sqlite', 'memory', 'store/.'],
  'store/memory_pg': ['base', 'async', 'pg', 'memory', 'store/memory'],
  // A token identifies a user of the team, or the person of this machine.
  gateway: ['base', 'async', 'codec/json', 'transport', 'hub/team'],
  // Messages to browsers without an open page.
  push: ['base', 'wire', 'async', 'codec/json', 'transport'],
  // Tools for agents, and their execution.
  'toolbox/mcp': ['base', 'async', 'codec', 'protocol/jsonrpc', 'protocol/mcp', 'hub', 'model'],
  toolbox: ['base', 'wire', 'async', 'codec', 'process', 'memory', 'hub', 'workspace', 'agent', 'toolbox/mcp'],
  // Shared code of frontend and driver of a protocol.
  'adapter/claude': [
    'base',
    'async',
    'codec',
    'transport',
    'protocol/jsonrpc',
    'protocol/claude',
    'protocol/mcp',
    'hub',
    'workspace',
    'model',
    'toolbox',
  ],
  'adapter/acp': ['base', 'codec/json'],
  // Drivers: never a frontend, never another driver.
  'driver/gorpc': [
    'base',
    'async',
    'codec',
    'transport',
    'peer',
    'protocol/gorpc',
    'hub',
    'workspace',
    'model',
    'agent',
    'toolbox',
  ],
  'driver/claude': [
    'base',
    'async',
    'codec',
    'transport',
    'process',
    'protocol/claude',
    'hub',
    'workspace',
    'toolbox',
    'adapter/claude',
  ],
  'driver/acp': [
    'base',
    'wire',
    'async',
    'codec',
    'transport',
    'process',
    'peer',
    'protocol/acp',
    'protocol/mcp',
    'hub',
    'workspace',
    'toolbox',
    'adapter/acp',
  ],
  'driver/iflow': ['base', 'async', 'codec/json', 'transport', 'process'],
  'driver/editor': ['base', 'wire', 'async', 'codec/json', 'transport', 'peer', 'protocol/editor', 'hub/editor'],
  'driver/page': ['base', 'wire', 'async', 'codec/json', 'transport', 'protocol/page', 'hub', 'wire_form'],
  // The surface of iFlow's SDK, for programs on the library; no hub.
  iflow: [
    'base',
    'wire',
    'async',
    'codec/json',
    'transport',
    'process',
    'peer',
    'protocol/acp',
    'workspace',
    'adapter/acp',
    'driver/iflow',
  ],
  // Services for own domains: no hub.
  'server/agent': ['base', 'async', 'codec', 'peer', 'protocol/gorpc', 'memory', 'model', 'agent', 'store/.'],
  'server/sqlite': [
    'base',
    'async',
    'codec',
    'transport',
    'protocol/jsonrpc',
    'protocol/mcp',
    'protocol/sqlite_bridge',
    'sqlite',
  ],
  'server/memory': ['base', 'async', 'codec', 'protocol/mcp', 'memory', 'agent'],
  'server/embed': ['base', 'async', 'codec', 'transport', 'protocol/openai', 'memory', 'model', 'gateway'],
  'server/database': ['base', 'wire', 'async', 'codec/json', 'transport', 'process', 'gateway'],
  // Frontends: never a driver, never another frontend.
  'face/page': [
    'base',
    'async',
    'codec',
    'transport',
    'protocol/page',
    'hub',
    'workspace',
    'model',
    'agent',
    'wire_form',
    'gateway',
    'push',
  ],
  'face/push': ['base', 'async', 'codec/json', 'hub', 'push'],
  'face/memory': ['base', 'async', 'codec', 'transport', 'memory', 'agent', 'gateway'],
  'face/openai': [
    'base',
    'wire',
    'async',
    'codec',
    'transport',
    'protocol/openai',
    'hub',
    'model',
    'agent',
    'gateway',
    'toolbox',
  ],
  'face/claude': [
    'base',
    'async',
    'codec',
    'transport',
    'protocol/claude',
    'hub',
    'workspace',
    'toolbox',
    'adapter/claude',
  ],
  'face/acp': [
    'base',
    'wire',
    'async',
    'codec',
    'transport',
    'peer',
    'protocol/acp',
    'protocol/jsonrpc',
    'hub',
    'workspace',
  ],
  'face/editor': ['base', 'wire', 'async', 'codec/json', 'transport', 'peer', 'protocol/editor', 'hub/editor'],
  'face/ide': [
    'base',
    'wire',
    'async',
    'codec/json',
    'transport',
    'peer',
    'protocol/editor',
    'protocol/jsonrpc',
    'protocol/mcp',
    'hub/editor',
  ],
  'face/terminal': ['base'],
  'face/webview': [
    'base',
    'wire',
    'async',
    'codec',
    'transport',
    'protocol/webview',
    'hub',
    'workspace',
    'adapter/acp',
  ],
};
// Additional includes of the tests of a folder: the other end, or a tool for checks.
export const testArrows = {
  agent: ['model/provider'],
  'adapter/claude': ['store'],
  'driver/acp': ['protocol/jsonrpc', 'store'],
  'driver/claude': ['face/openai', 'store'],
  'server/memory': ['toolbox'],
  'driver/gorpc': ['server/agent'],
  'driver/page': ['face/page'],
  'face/claude': ['driver/claude'],
  'face/editor': ['driver/editor'],
  'face/page': ['toolbox'],
  gateway: ['store'],
  'hub/log': ['hub'],
  model: ['model/provider'],
  'protocol/page': ['codec'],
  'protocol/webview': ['codec'],
  'server/agent': ['model/rehearsal', 'transport'],
  store: ['hub', 'store/*'],
  toolbox: ['store'],
  transport: ['process'],
};

// Include path of a library -> its allowed folders. `onlyCpp`: never in a header, because each including file takes many seconds to
// compile.
export const libraries = [
  { path: /^boost\/beast/, folders: ['transport', 'gateway'], onlyCpp: true },
  { path: /^boost\/asio/, folders: ['async', 'transport', 'gateway'] },
  { path: /^boost\//, folders: ['async', 'transport', 'gateway'] },
  { path: /^openssl\//, folders: ['transport', 'gateway', 'push'] },
  { path: /^curl\//, folders: ['transport'] },
  { path: /^simdjson\.h$/, folders: ['codec'], onlyCpp: true },
  { path: /^sqlite3\.h$/, folders: ['sqlite'] },
  { path: /^libpq-fe\.h$/, folders: ['pg'] },
  { path: /^hnswlib\//, folders: ['memory'], onlyCpp: true },
  { path: /^CLI\//, folders: [] },
  { path: /^toml\+\+\//, folders: [] },
  { path: /^(editline\/|histedit\.h)/, folders: [] },
  { path: /^(gtest|gmock|rapidcheck|benchmark)[/.]/, folders: [] },
];

// Commands in documents, and the files with their subcommands: the group of `names` matches a name, or several names separated by |. The
// first word of a call is checked, for `groups` also the second word, and with `every` all plain words.
export const commands = [
  {
    call: /^parlance$/,
    files: /^apps\/parlance\/command_table\.cpp$/,
    names: /Command\{\s*"(?:[a-z-]+ )?([a-z-]+)"/g,
    groups: ['config', 'editor', 'gob', 'log', 'mcp', 'memory', 'rehearse', 'rpc', 'store', 'tokens', 'users'],
  },
  { call: /^sqlite-helper$/, files: /^apps\/sqlite-helper\/.*\.cpp$/, names: /add_subcommand\("([a-z-]+)"/g },
  { call: /^\.\/check$/, files: /^check$/, names: /^ {4}([a-z]+(?: \| [a-z]+)*)\)/gm, every: true },
];

// Files whose first line names the licence.
export const licensed = /\.(h|cpp|ts|tsx|js|mjs|css|sh|go|py|cmake)$|(^|\/)(CMakeLists\.txt|run|check)$/;

// Printed by the binary, and tested there.
export const generatedDocuments = /^docs\/protocol\//;

// Names in documents without a counterpart in the tree, with the reason.
export const namedAllTheSame = {
  'said by others, and not by us': [
    'command_lifecycle',
    'WatchdogSec',
    'previous_response_id',
    'maxThinkingTokens',
    '.github/copilot-instructions.md',
    '.github/hooks',
  ],
  'names of the SDK of iFlow, beside ours': [
    'messageQueue',
    'RawDataClient',
    'receiveRawMessages()',
    'receiveDualStream()',
    'getRawHistory()',
    'getProtocolStats()',
    'sendRaw()',
    'queryStream()',
  ],
  'what we do without': ['awaitable', 'regcomp', 'regexec'],
  'examples of names that people choose': ['alice', 'mcp__files__read'],
};

// Split into pieces, so that this file does not contain the forbidden texts.
export const forbidden = [
  { text: new RegExp('(^|[^\\w.])/(wor' + 'k/(main|shared|notes)|roo' + 't)/[\\w.-]'), why: 'a path of one machine' },
  {
    text: new RegExp('"resolved": *"' + 'https?:'),
    why: 'a registry address: the lock file must work with any registry',
  },
  {
    text: new RegExp(
      '\\b(registry\\.npmj' + 's\\.org|npmmirr' + 'or\\.com|[\\w-]+\\.pkg\\.d' + 'ev|jfrog\\.i' + 'o)\\b',
    ),
    why: 'a registry host',
  },
  {
    text: new RegExp('(Co-Authored' + '-By:|Generated ' + 'with \\[)'),
    why: 'the project speaks of the project alone',
  },
  { text: new RegExp('^(<' + '<<<<<<|>' + '>>>>>>) '), why: 'a merge conflict' },
];
