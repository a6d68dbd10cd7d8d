// SPDX-License-Identifier: Apache-2.0
// What a program with the official OpenAI client does with our embedding service, and what plain `fetch` does with its other
// addresses. Run by embeddings_peer_test: BASE (http://127.0.0.1:PORT) and OPENAI (the package's folder) come in the environment.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const base = process.env.BASE;
const { default: OpenAI } = await import(pathToFileURL(join(process.env.OPENAI, 'index.mjs')));
const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'none is needed', maxRetries: 2 });
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const near = (a, b) => a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) < 1e-6);
const post = (path, body) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });

const checks = {
  // Without a word about the encoding the client asks for base64 and decodes it itself.
  async the_client_reads_what_it_asks_for() {
    const { data, model, usage, object } = await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: ['a cup of tea', 'cup of tea', 'eine Straßenbahn', '喝茶'],
    });
    assert.equal(object, 'list');
    assert.equal(model, 'parlance-1');
    assert.ok(usage.total_tokens > 0);
    assert.deepEqual(
      data.map(({ index }) => index),
      [0, 1, 2, 3],
    );
    for (const { embedding } of data) {
      assert.equal(embedding.length, 384);
      assert.ok(Math.abs(dot(embedding, embedding) - 1) < 1e-5);
    }
    assert.ok(dot(data[0].embedding, data[1].embedding) > 0.7);
    assert.ok(dot(data[0].embedding, data[2].embedding) < 0.3);
  },

  async floats_and_base64_are_the_same_vector() {
    const [floats] = (
      await client.embeddings.create({ model: 'parlance-1', input: 'green tea', encoding_format: 'float' })
    ).data;
    const [decoded] = (await client.embeddings.create({ model: 'parlance-1', input: 'green tea' })).data;
    const [raw] = (
      await client.embeddings.create({ model: 'parlance-1', input: 'green tea', encoding_format: 'base64' })
    ).data;
    assert.ok(near(floats.embedding, decoded.embedding));
    const bytes = Buffer.from(raw.embedding, 'base64');
    assert.ok(near(floats.embedding, [...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)]));
  },

  async the_client_knows_our_errors() {
    const refused = async (request, param, words) =>
      assert.rejects(
        client.embeddings.create({ model: 'parlance-1', ...request }),
        (error) => error instanceof OpenAI.BadRequestError && error.param === param && words.test(error.message),
      );
    await refused({ input: '' }, 'input', /empty/);
    await refused({ input: ['tea', ' '] }, 'input[1]', /empty/);
    await refused({ input: [1, 2, 3] }, 'input', /tokens/);
    await refused({ input: 'tea', dimensions: 64 }, 'dimensions', /384/);
    await assert.rejects(
      client.embeddings.create({ model: 'parlance-1', input: 'x'.repeat(40_000) }),
      (error) => error.status === 413 && /40000 bytes/.test(error.message),
    );
    await assert.rejects(
      client.embeddings.create({ model: 'parlance-1', input: Array(3000).fill('tea') }),
      (error) => error.status === 413 && /3000 texts/.test(error.message),
    );
  },

  async many_at_once() {
    const texts = Array.from({ length: 200 }, (_, i) => `note number ${i}`);
    const alone = await Promise.all(
      texts.map(async (text) => (await (await post('/embed', { text })).json()).embedding),
    );
    const { embeddings, count, dim } = await (await post('/embed-batch', { texts })).json();
    assert.equal(count, 200);
    assert.equal(dim, 384);
    assert.deepEqual(alone, embeddings);
  },

  async the_deployed_services_addresses() {
    const health = await (await fetch(`${base}/health`)).json();
    assert.deepEqual(
      { ...health, serverPort: 0, timestamp: 0 },
      { status: 'ok', serverPort: 0, llmServer: 'built-in', model: 'parlance-1', timestamp: 0 },
    );
    assert.ok(Math.abs(health.timestamp - Date.now() / 1000) < 600);
    const info = await (await fetch(`${base}/info`)).json();
    assert.equal(info.dim, 384);
    assert.equal(info.serverPort, Number(new URL(base).port));
    assert.ok(info.endpoints['/embed']);
    const one = await (await post('/embed', { text: 'tea' })).json();
    assert.equal(one.dim, one.embedding.length);
    assert.equal(one.model, 'parlance-1');
  },

  async errors_are_json_with_a_status() {
    const refused = async (answer, status, words) => {
      const { error } = await answer.json();
      assert.equal(answer.status, status);
      assert.match(error.message, words);
    };
    await refused(await post('/embed', { text: '' }), 400, /empty/);
    await refused(await post('/embed', '{"text":'), 400, /./);
    await refused(
      await post('/embed', new Uint8Array([0x7b, 0x22, 0x74, 0x65, 0x78, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])),
      400,
      /UTF-8/,
    );
    await refused(await fetch(`${base}/embed`), 405, /methods/);
    await refused(await post('/embedding', {}), 404, /No such address/);
    await refused(await fetch(`${base}/health`, { headers: { Origin: 'https://evil.example' } }), 403, /other sites/);
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    ++failed;
    console.log(`failed ${name}: ${error.stack}`);
  }
}
process.exit(failed ? 1 : 0);
