// SPDX-License-Identifier: Apache-2.0
// Makes the first inputs of the gob fuzz targets from the recordings in tests/vectors/go-rpc: node scripts/make_gob_corpus.mjs
// Small ones only; names are those of the recordings, so a failing input says where it came from.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const vectors = join(root, 'tests/vectors/go-rpc');
const mostBytes = 4096;

function writer(target) {
  const folder = join(root, 'fuzz/corpus', target);
  mkdirSync(folder, { recursive: true });
  const seen = new Set();
  return (name, bytes) => {
    const key = bytes.toString('base64');
    if (bytes.length === 0 || bytes.length > mostBytes || seen.has(key)) return;
    seen.add(key);
    writeFileSync(join(folder, name), bytes);
  };
}

// A recording over HTTP begins with the CONNECT exchange, which is not gob.
function withoutHttp(bytes) {
  const text = bytes.toString('latin1');
  return /^(CONNECT|HTTP)/.test(text) ? bytes.subarray(text.indexOf('\n\n') + 2) : bytes;
}

const stream = writer('gob_decoder');
const document = writer('gob_roundtrip');
const bytesOf = (hex) => Buffer.from(hex.replace(/\s/g, ''), 'hex');

for (const file of readdirSync(join(vectors, 'captures')).sort()) {
  if (file.startsWith('jsonrpc')) continue;
  const text = readFileSync(join(vectors, 'captures', file), 'utf8');
  if (file.endsWith('.hex')) {
    stream(file.replace(/\.hex$/, ''), withoutHttp(bytesOf(text)));
    continue;
  }
  const sidecar = JSON.parse(text);
  const values = [...(sidecar.messages_c2s ?? []), ...(sidecar.messages_s2c ?? [])].filter(
    (m) => m.value !== undefined,
  );
  if (values.length > 0) document(file, Buffer.from(JSON.stringify(values.map((m) => m.value))));
}
for (const probe of JSON.parse(readFileSync(join(vectors, 'probes.json'), 'utf8')))
  if (!probe.sent.endsWith('...')) stream(`probe-${probe.name}`, bytesOf(probe.sent));
for (const probe of JSON.parse(readFileSync(join(vectors, 'probes_client.json'), 'utf8')))
  stream(`answer-${probe.name}`, bytesOf(probe.answers_sent.filter((hex) => hex !== null).join('')));
try {
  stream('kinds', bytesOf(readFileSync(join(vectors, 'kinds.hex'), 'utf8')));
} catch {
  console.error('no kinds.hex');
}
document(
  'numbers.json',
  Buffer.from(
    '[0,-0.0,1e400,-1e400,1e-400,9223372036854775807,9223372036854775808,18446744073709551616,0.1,"\\ud800\\u0000é",{"":{"":[]}},true]',
  ),
);
