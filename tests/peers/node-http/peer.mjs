// SPDX-License-Identifier: Apache-2.0
// The other end of node_http_peer_test.cpp (README.md). Prints "ok" after a visit, or the port of a server.
import assert from 'node:assert/strict';
import http from 'node:http';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

const require = createRequire(new URL('../../../apps/web/package.json', import.meta.url));
const { WebSocket, WebSocketServer } = require('ws');

// Requests in sequence and in parallel, with bodies of known and unknown length.
async function visitWithRequests(base) {
  for (let i = 0; i < 5; ++i)
    assert.equal(await (await fetch(`${base}/echo`, { method: 'POST', body: `b${i}` })).text(), `b${i}`);
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      fetch(`${base}/echo`, { method: 'PUT', body: 'x'.repeat(i * 1000) }).then((r) => r.text()),
    ),
  );
  many.forEach((text, i) => assert.equal(text.length, i * 1000));
  async function* pieces() {
    for (let i = 0; i < 20; ++i) yield new TextEncoder().encode(`piece ${i},`);
  }
  const chunked = await fetch(`${base}/echo`, { method: 'POST', body: pieces(), duplex: 'half' });
  assert.ok((await chunked.text()).endsWith('piece 19,'));
  assert.equal((await fetch(`${base}/echo`, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(`${base}/none`)).status, 404);
}

// A stream of events, in the pieces of the writer.
async function visitAStream(base) {
  const stream = await fetch(`${base}/events`);
  assert.equal(stream.headers.get('content-type'), 'text/event-stream');
  let reads = 0;
  let text = '';
  for await (const piece of stream.body) {
    ++reads;
    text += Buffer.from(piece);
  }
  assert.equal(text, 'data: 0\n\ndata: 1\n\ndata: 2\n\n');
  assert.ok(reads >= 2, 'the events came one by one');
}

// 100-continue by hand.
async function visitWithContinue(port) {
  const agent = http.request({
    host: '127.0.0.1',
    port,
    path: '/echo',
    method: 'POST',
    headers: { Expect: '100-continue', 'Content-Length': 4 },
  });
  agent.flushHeaders();
  await once(agent, 'continue');
  agent.end('go!!');
  const [response] = await once(agent, 'response');
  assert.equal(response.statusCode, 200);
  response.resume();
}

// WebSocket: texts of every length, fragments with a ping between them, many at once, an end by the client.
async function visitASocket(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, ['v1', 'v2']);
  await once(socket, 'open');
  assert.equal(socket.protocol, 'v2');
  assert.equal(socket.extensions, '');
  const echo = async (message) => {
    const answer = once(socket, 'message');
    socket.send(message);
    const [data, isBinary] = await answer;
    assert.equal(isBinary, false);
    return data.toString();
  };
  for (const size of [0, 1, 125, 126, 65535, 65536, 3_000_000])
    assert.equal((await echo('ü'.repeat(size / 2))).length, Math.floor(size / 2));
  const fragments = once(socket, 'message');
  socket.send('one ', { fin: false });
  socket.ping('there?');
  socket.send('two ', { fin: false });
  socket.send('three', { fin: true });
  const [pong] = await once(socket, 'pong');
  assert.equal(pong.toString(), 'there?');
  assert.equal((await fragments)[0].toString(), 'one two three');
  const answers = [];
  const collect = new Promise((done) =>
    socket.on('message', (data) => {
      answers.push(data.toString());
      if (answers.length === 5000) done();
    }),
  );
  for (let i = 0; i < 5000; ++i) socket.send(`m${i}`);
  await collect;
  answers.forEach((answer, i) => assert.equal(answer, `m${i}`));
  socket.removeAllListeners('message');
  socket.close(1000, 'enough');
  assert.equal((await once(socket, 'close'))[0], 1000);
}

// Ends by the server.
async function visitToTheEnd(port) {
  const endsWith = async (path, after) => {
    const other = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    await once(other, 'open');
    after?.(other);
    const [code, reason] = await once(other, 'close');
    return `${code} ${reason}`;
  };
  assert.equal(await endsWith('/denied'), '4401 no such token');
  assert.equal(await endsWith('/socket', (other) => other.send('bye')), '1001 ');
  assert.match(await endsWith('/socket', (other) => other.send('x'.repeat(5_000_000))), /^1009 /);
  assert.match(await endsWith('/socket', (other) => other._socket.write(Buffer.from([0x81, 0x01, 0x41]))), /^1002 /);
}

async function visit(port) {
  const base = `http://127.0.0.1:${port}`;
  await visitWithRequests(base);
  await visitAStream(base);
  await visitWithContinue(port);
  await visitASocket(port);
  await visitToTheEnd(port);
  console.log('ok');
}

function serve() {
  const server = http.createServer((request, response) => {
    if (request.url === '/gzip')
      return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('packed '.repeat(1000)));
    if (request.url === '/308') return response.writeHead(308, { Location: '/echo' }).end();
    if (request.url === '/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      let n = 0;
      const timer = setInterval(() => {
        response.write(`id: ${n}\r\ndata: ${n}\r\n\r\n`);
        if (++n === 5) {
          clearInterval(timer);
          response.end();
        }
      }, 3);
      return;
    }
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => response.writeHead(200).end(Buffer.concat(chunks)));
  });
  const sockets = new WebSocketServer({
    server,
    perMessageDeflate: true,
    handleProtocols: (offered) => (offered.has('v2') ? 'v2' : false),
  });
  sockets.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => {
      const text = data.toString();
      if (text === 'close') return socket.close(4402, 'as you wish');
      if (text === 'cut') return socket.terminate();
      if (text === 'ping') {
        socket.once('pong', (seen) => socket.send(`pong ${seen}`));
        return socket.ping('42');
      }
      if (text === 'fragments') {
        socket.send('a', { fin: false });
        socket.send('b', { fin: false });
        return socket.send('c');
      }
      socket.send(data, { binary: isBinary });
    }),
  );
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

const [mode, port] = process.argv.slice(2);
if (mode === 'serve') serve();
else await visit(port);
