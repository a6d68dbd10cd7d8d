// The rules of the house as tables: which folder may include which, which library may be named where, what may not appear
// anywhere. scripts/check_layout.mjs applies them; docs/architecture.md says why.

// Where the house stands. Its folders are named from here; includes are written from src/.
export const house = 'src/parlance';

// Programs that are a part of another: `parlance sqlite` is sqlite-helper.
export const shared_app_headers = ['apps/sqlite-helper/helper.h'];

// Folder of the house -> folders that it may include besides itself. Arrows point down only. A file belongs to the longest folder here
// that it stands in: with rows for 'codec' and 'codec/gob' each is a layer of its own. A row 'protocol/*' makes a layer of each folder in
// protocol. In what may be included, 'face' is that folder and all below it, 'face/*' only what is below, 'face/.' only the folder.
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
  process: ['base', 'async', 'transport'],
  peer: ['base', 'wire', 'async', 'transport'],
  // One folder a dialect; of the others it may include only protocol/jsonrpc, the envelope that some share.
  'protocol/*': ['base', 'wire', 'codec', 'async', 'transport', 'process', 'peer', 'protocol/jsonrpc'],
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
  workspace: ['base', 'async', 'hub'],
  model: ['base', 'async', 'codec/json'],
  'model/rehearsal': ['base', 'async', 'codec/json', 'transport', 'model/.'],
  'model/provider': ['base', 'wire', 'async', 'codec/json', 'transport', 'model/.', 'model/rehearsal'],
  agent: ['base', 'async', 'memory', 'model'],
  // The one place where events become bytes on disk.
  store: ['base', 'async', 'sqlite'],
  'store/hub': ['base', 'async', 'wire', 'codec/json', 'sqlite', 'hub', 'store/.'],
  'store/hub_pg': ['base', 'async', 'wire', 'codec/json', 'process', 'pg', 'hub', 'store/hub'],
  'store/memory': ['base', 'async', 'wire', 'codec/json', 'sqlite', 'memory', 'store/.'],
  'store/memory_pg': ['base', 'async', 'pg', 'memory', 'store/memory'],
  // Whoever shows a token is somebody of the team, or the person of this machine.
  gateway: ['base', 'async', 'codec/json', 'transport', 'hub/team'],
  // Messages to browsers whose page is closed.
  push: ['base', 'wire', 'async', 'codec/json', 'transport'],
  // Tools for agents, and how they run.
  'toolbox/mcp': ['base', 'async', 'codec', 'protocol/jsonrpc', 'protocol/mcp', 'hub'],
  toolbox: ['base', 'wire', 'async', 'codec', 'process', 'memory', 'hub', 'workspace', 'agent', 'toolbox/mcp'],
  // What the face and the driver of one protocol share.
  'adapter/claude': ['base', 'async', 'codec', 'transport', 'protocol/jsonrpc', 'protocol/claude', 'protocol/mcp', 'hub', 'workspace', 'model', 'toolbox'],
  'adapter/acp': ['base', 'codec/json'],
  // Whom we ask: never a face, never another driver.
  'driver/gorpc': ['base', 'async', 'codec', 'transport', 'peer', 'protocol/gorpc', 'hub', 'workspace', 'model', 'agent', 'toolbox'],
  'driver/claude': ['base', 'async', 'codec', 'transport', 'process', 'protocol/claude', 'hub', 'workspace', 'toolbox', 'adapter/claude'],
  'driver/acp': ['base', 'wire', 'async', 'codec', 'transport', 'process', 'peer', 'protocol/acp', 'protocol/mcp', 'hub', 'workspace', 'toolbox', 'adapter/acp'],
  'driver/iflow': ['base', 'async', 'codec/json', 'transport', 'process'],
  'driver/editor': ['base', 'wire', 'async', 'codec/json', 'transport', 'peer', 'protocol/editor', 'hub/editor'],
  // The surface of iFlow's SDK: for programs of others, beside the hub.
  iflow: ['base', 'wire', 'async', 'codec/json', 'transport', 'process', 'peer', 'protocol/acp', 'workspace', 'adapter/acp', 'driver/iflow'],
  // What we serve of our own domains: no hub.
  'server/agent': ['base', 'async', 'codec', 'peer', 'protocol/gorpc', 'memory', 'agent', 'store/.'],
  'server/sqlite': ['base', 'async', 'codec', 'transport', 'protocol/jsonrpc', 'protocol/mcp', 'protocol/sqlite_bridge', 'sqlite'],
  'server/memory': ['base', 'async', 'codec', 'protocol/mcp', 'memory', 'agent'],
  'server/embed': ['base', 'async', 'codec', 'transport', 'protocol/openai', 'memory', 'model', 'gateway'],
  'server/database': ['base', 'wire', 'async', 'codec/json', 'transport', 'process', 'gateway'],
  // Who asks us: never a driver, never another face.
  'face/page': ['base', 'async', 'codec', 'transport', 'protocol/page', 'hub', 'workspace', 'model', 'agent', 'store/hub', 'gateway', 'push'],
  'face/push': ['base', 'async', 'codec/json', 'hub', 'push'],
  'face/memory': ['base', 'async', 'codec', 'transport', 'memory', 'agent', 'gateway'],
  'face/openai': ['base', 'wire', 'async', 'codec', 'transport', 'protocol/openai', 'hub', 'model', 'agent', 'gateway'],
  'face/claude': ['base', 'async', 'codec', 'transport', 'protocol/claude', 'hub', 'workspace', 'toolbox', 'adapter/claude'],
  'face/acp': ['base', 'wire', 'async', 'codec', 'transport', 'peer', 'protocol/acp', 'protocol/jsonrpc', 'hub', 'workspace'],
  'face/editor': ['base', 'wire', 'async', 'codec/json', 'transport', 'peer', 'protocol/editor', 'hub/editor'],
  'face/ide': ['base', 'wire', 'async', 'codec/json', 'transport', 'peer', 'protocol/jsonrpc', 'protocol/mcp', 'hub/editor'],
  'face/terminal': ['base'],
  'face/webview': ['base', 'wire', 'async', 'codec', 'transport', 'protocol/webview', 'hub', 'workspace', 'adapter/acp'],
};
// What the tests of a folder may include besides: the other end, or what they tell it by.
export const test_arrows = {
  agent: ['model/provider'],
  'adapter/claude': ['store'],
  'driver/acp': ['protocol/jsonrpc', 'store'],
  'driver/claude': ['face/openai', 'store'],
  'server/memory': ['toolbox'],
  'driver/gorpc': ['server/agent'],
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

// Include path of a library -> where it may be named. `only_cpp`: never in a header, because every file that sees it takes
// many seconds to compile.
export const libraries = [
  { path: /^boost\/beast/, folders: ['transport', 'gateway'], only_cpp: true },
  { path: /^boost\/asio/, folders: ['async', 'transport', 'gateway'] },
  { path: /^boost\//, folders: ['async', 'transport', 'gateway'] },
  { path: /^openssl\//, folders: ['transport', 'gateway', 'push'] },
  { path: /^curl\//, folders: ['transport'] },
  { path: /^simdjson\.h$/, folders: ['codec'], only_cpp: true },
  { path: /^sqlite3\.h$/, folders: ['sqlite'] },
  { path: /^libpq-fe\.h$/, folders: ['pg'] },
  { path: /^hnswlib\//, folders: ['memory'], only_cpp: true },
  { path: /^CLI\//, folders: [] },
  { path: /^(editline\/|histedit\.h)/, folders: [] },
  { path: /^(gtest|gmock|rapidcheck|benchmark)[/.]/, folders: [] },
];

// Commands whose subcommands and flags documents name, and where those stand: the group of `names` holds one, or several with | between
// them. Of a call its first word is looked up, of `groups` the second too, and with `every` all plain ones.
export const commands = [
  { call: /^parlance$/, files: /^apps\/parlance\/command_table\.cpp$/, names: /Command\{\s*"(?:[a-z-]+ )?([a-z-]+)"/g, groups: ['config', 'editor', 'gob', 'log', 'memory', 'rehearse', 'rpc', 'store', 'tokens', 'users'] },
  { call: /^sqlite-helper$/, files: /^apps\/sqlite-helper\/.*\.cpp$/, names: /add_subcommand\("([a-z-]+)"/g },
  { call: /^\.\/check$/, files: /^check$/, names: /^ {4}([a-z]+(?: \| [a-z]+)*)\)/gm, every: true },
];

// Printed by the binary: what they say is tested there.
export const generated_documents = /^docs\/protocol\//;

// Names in documents that stand for nothing in the tree, with the reason.
export const named_all_the_same = {
  'said by others, and not by us': ['command_lifecycle', 'WatchdogSec', 'previous_response_id', 'maxThinkingTokens', '.mcp.json'],
  'names of the SDK of iFlow, beside ours': ['messageQueue', 'RawDataClient', 'receiveRawMessages()', 'receiveDualStream()', 'getRawHistory()', 'getProtocolStats()', 'sendRaw()', 'queryStream()'],
  'what we do without': ['awaitable', 'regcomp', 'regexec'],
  'examples of names that people choose': ['alice', 'mcp__files__read'],
};

// Written in pieces, so that this file does not hold what it forbids.
export const forbidden = [
  { text: new RegExp('(^|[^\\w.])/(wor' + 'k/(main|shared|notes)|roo' + 't)/[\\w.-]'), why: 'a path of one machine' },
  { text: new RegExp('"resolved": *"' + 'https?:'), why: 'a registry address: the lock file must work with any registry' },
  { text: new RegExp('\\b(registry\\.npmj' + 's\\.org|npmmirr' + 'or\\.com|[\\w-]+\\.pkg\\.d' + 'ev|jfrog\\.i' + 'o)\\b'), why: 'a registry host' },
  { text: new RegExp('(Co-Authored' + '-By:|Generated ' + 'with \\[)'), why: 'the project speaks of the project alone' },
  { text: new RegExp('^(<' + '<<<<<<|>' + '>>>>>>) '), why: 'a merge conflict' },
];
