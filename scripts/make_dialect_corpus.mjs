// SPDX-License-Identifier: Apache-2.0
// Creates fuzz/corpus/{acp,json,framing,dialects} from the recordings in tests/vectors and some manual lines. Run the script after adding a
// recording: node scripts/make_dialect_corpus.mjs
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const captures = join(root, 'tests/vectors/go-rpc/captures');
const mostBytes = 4096;

function save(target, name, bytes) {
  const folder = join(root, 'fuzz/corpus', target);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
}

for (const file of readdirSync(captures).filter((name) => name.endsWith('.hex'))) {
  const bytes = Buffer.from(readFileSync(join(captures, file), 'utf8').replace(/\s/g, ''), 'hex');
  if (bytes.length > mostBytes) continue;
  const name = file.replace('.hex', '');
  const json = name.startsWith('jsonrpc');
  const fromClient = name.endsWith('c2s');
  save('dialects', name, Buffer.concat([Buffer.from([json ? 2 : fromClient ? 3 : 4]), bytes]));
  save('framing', name, Buffer.concat([Buffer.from([json ? 2 : 3, 5]), bytes]));
}

const lines = [
  '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"Messages":[{"Role":"user","Content":"hi"}]}}',
  '{"jsonrpc":"2.0","id":"a","result":{"Stats":{"messages":1}}}',
  '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no","data":[1]}}',
  '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}',
  'text for people',
  '[]',
  '{"jsonrpc":"2.0","id":null,"method":"x"}',
].join('\n');
save('dialects', 'jsonrpc-lines', '\0' + lines);
save('dialects', 'jsonrpc-text', '\x01' + lines);
const page = [
  '{"type":"ready"}',
  '{"type":"prompt","request":"1","conversation":"c","text":"hi"}',
  '{"request":"2","ask":"a","digest":"d","answers":[["x"]],"type":"answer"}',
  '{"type":"new","request":"3","agent":"parlance","folder":"/tmp","mode":"plan"}',
];
page.forEach((text, i) => save('dialects', `page-${i}`, '\x05' + text));
save('framing', 'lines', '\0\x03one\r\n\ntwo\nthree');
save('framing', 'content-length', '\x01\x07Content-Length: 2\r\n\r\n{}Content-Length: 3\r\nX: y\r\n\r\nabc');
save('framing', 'objects', '\x02\x02{"a":"}"}{} {"b":[{}]}');
[
  '{"a":[1,-2.5e3,true,false,null,"x\\u00e9\\ud83d\\ude00\\n"],"b":{"c":""}}',
  '[0.1,1e22,123456789012345678901234567890,-0]',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '[[[[[[]]]]]]',
].forEach((text, i) => save('json', `document-${i}`, text));

// Messages of a client to a host with sessions such as conv_0001.
const client = (iflow) =>
  [
    {
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: 1,
        clientCapabilities: {
          fs: { readTextFile: true, writeTextFile: true },
          terminal: true,
          elicitation: { form: {} },
        },
      },
    },
    ...(iflow ? [{ id: 'auth', method: 'authenticate', params: { methodId: 'iflow' } }] : []),
    { id: 1, method: 'session/new', params: { cwd: '/project', mcpServers: [], additionalDirectories: ['/more'] } },
    {
      id: 2,
      method: 'session/prompt',
      params: {
        sessionId: 'conv_0001',
        prompt: [
          { type: 'text', text: 'question' },
          { type: 'resource_link', uri: 'file:///a', name: 'a' },
        ],
      },
    },
    { id: 0, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } },
    { id: 1, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } },
    { id: 1, result: { action: 'accept', content: { 0: 'a' } } },
    { id: 3, method: 'session/prompt', params: { sessionId: 'conv_0001', prompt: [{ type: 'text', text: 'hello' }] } },
    { method: 'session/cancel', params: { sessionId: 'conv_0001' } },
    { id: 4, method: 'session/list', params: { cwd: '/project' } },
    { id: 5, method: 'session/load', params: { sessionId: 'conv_0001', cwd: '/project', mcpServers: [] } },
    { id: 6, method: 'session/set_mode', params: { sessionId: 'conv_0001', modeId: 'yolo' } },
    {
      id: 7,
      method: 'session/set_config_option',
      params: { sessionId: 'conv_0001', configId: 'effort', value: 'high' },
    },
    { id: 8, method: 'session/close', params: { sessionId: 'conv_0001' } },
    { id: 9, method: 'session/delete', params: { sessionId: 'conv_0001' } },
    { method: '$/cancel_request', params: { requestId: 3 } },
    { id: null, method: 'nothing' },
    { id: 10, method: 'session/new', params: { cwd: 'relative', mcpServers: [] } },
  ]
    .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
    .join('\n') + '\n';
for (const [name, setup, how] of [
  ['standard', 0, 0],
  ['standard-alone', 2, 0],
  ['standard-bytes', 0, 0x41],
  ['iflow', 1, 0],
  ['iflow-pieces', 3, 7],
  ['iflow-gone', 1, 0x80],
])
  save('acp_face', name, Buffer.concat([Buffer.from([setup, how]), Buffer.from(client(name.startsWith('iflow')))]));
[
  '<think>why</think>because',
  'a <thi nk> b </think> c',
  '<think><think>x</think></think>y',
  '<th',
  'x<think>never ends',
  '<think></think>',
  'ä<think>ö</think>ü</think>',
].forEach((text, i) => save('think_tags', `text-${i}`, '\x02' + text));

// Recorded ACP sessions, without the recorder's own data.
const sessions = join(root, 'tests/vectors/acp');
for (const file of readdirSync(sessions).filter((name) => name.endsWith('.ndjson'))) {
  const records = readFileSync(join(sessions, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const frames = records
    .filter(
      ({ dir, msg }) =>
        ['c2a', 'a2c', 'c2s', 's2c'].includes(dir) && !(typeof msg === 'string' && msg.startsWith('//#')),
    )
    .map(({ msg }) => (typeof msg === 'string' ? msg : JSON.stringify(msg)));
  save('acp', file.replace('.ndjson', ''), frames.join('\n').slice(0, 3 * mostBytes));
}

// The scripts of npm, for both platforms.
const wrappers = join(root, 'tests/vectors/iflow-wrappers');
for (const file of readdirSync(wrappers).filter((name) => !name.endsWith('.md')))
  save(
    'iflow_wrapper',
    file,
    Buffer.concat([Buffer.from([file.includes('.') ? 3 : 0]), readFileSync(join(wrappers, file))]),
  );
