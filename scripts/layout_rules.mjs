// The rules of the house as tables: which folder may include which, which library may be named where, what may not appear
// anywhere. scripts/check_layout.mjs applies them; docs/architecture.md says why.

const below_services = [
  'base', 'wire', 'codec', 'async', 'transport', 'peer', 'protocol', 'sqlite', 'memory', 'hub', 'model', 'agent', 'store',
  'record', 'gateway',
];

// Programs that are a part of another: `parlance sqlite` is sqlite-helper.
export const shared_app_headers = ['apps/sqlite-helper/helper.h'];

// Folder of src/ -> folders that it may include besides itself. Arrows point down only.
export const arrows = {
  base: [],
  wire: ['base'],
  async: ['base'],
  codec: ['base', 'wire'],
  transport: ['base', 'async'],
  peer: ['base', 'wire', 'async', 'transport'],
  // One folder a dialect; of the others it may include only protocol/jsonrpc, the envelope that some share.
  protocol: ['base', 'wire', 'codec', 'async', 'transport', 'peer'],
  // Domain: plain structs, no wire, no codec, no protocol.
  sqlite: ['base', 'async'],
  memory: ['base', 'async'],
  hub: ['base', 'async'],
  model: ['base', 'wire', 'async', 'codec', 'transport'],
  agent: ['base', 'async', 'memory', 'model'],
  // The one place where events become bytes on disk.
  store: ['base', 'async', 'wire', 'codec', 'sqlite', 'memory', 'hub'],
  record: ['base', 'async', 'codec', 'transport'],
  gateway: ['base', 'async', 'transport', 'hub'],
  service: below_services,
};
export const shared_dialect = 'jsonrpc';

// Include path of a library -> where it may be named. `only_cpp`: never in a header, because every file that sees it takes
// many seconds to compile.
export const libraries = [
  { path: /^boost\/beast/, folders: ['transport', 'gateway'], only_cpp: true },
  { path: /^boost\/asio/, folders: ['async', 'transport', 'gateway'] },
  { path: /^boost\//, folders: ['async', 'transport', 'gateway'] },
  { path: /^openssl\//, folders: ['transport', 'gateway'] },
  { path: /^curl\//, folders: ['transport'] },
  { path: /^simdjson\.h$/, folders: ['codec'], only_cpp: true },
  { path: /^sqlite3\.h$/, folders: ['sqlite'] },
  { path: /^hnswlib\//, folders: ['memory'], only_cpp: true },
  { path: /^CLI\//, folders: [] },
  { path: /^(editline\/|histedit\.h)/, folders: [] },
  { path: /^(gtest|gmock|rapidcheck|benchmark)[/.]/, folders: [] },
];

export const longest_file = 500; // lines; scripts/long_files.txt lists the exceptions, each with its reason

// Written in pieces, so that this file does not hold what it forbids.
export const forbidden = [
  { text: new RegExp('(^|[^\\w.])/(wor' + 'k/(main|shared|notes)|roo' + 't)/[\\w.-]'), why: 'a path of one machine' },
  { text: new RegExp('"resolved": *"' + 'https?:'), why: 'a registry address: the lock file must work with any registry' },
  { text: new RegExp('\\b(registry\\.npmj' + 's\\.org|npmmirr' + 'or\\.com|[\\w-]+\\.pkg\\.d' + 'ev|jfrog\\.i' + 'o)\\b'), why: 'a registry host' },
  { text: new RegExp('(Co-Authored' + '-By:|Generated ' + 'with \\[)'), why: 'the project speaks of the project alone' },
  { text: new RegExp('^(<' + '<<<<<<|>' + '>>>>>>) '), why: 'a merge conflict' },
];
