// SPDX-License-Identifier: Apache-2.0
// A proxy between a gateway and its PostgreSQL that simulates network faults on all connections.
import { connect, createServer } from 'node:net';

const committed = Buffer.from('COMMIT\0'); // the end of a server's answer to a successful COMMIT

export class Proxy {
  static async start(port) {
    const one = new Proxy();
    one.to = port;
    one.pairs = new Set();
    one.done = 0; // number of injected faults
    one.server = createServer({ allowHalfOpen: false }, (client) => one.join(client));
    await new Promise((resolve) => {
      one.server.listen(0, '127.0.0.1', resolve);
    });
    one.port = one.server.address().port;
    return one;
  }
  close() {
    this.reset();
    this.server.close();
  }
  reset() {
    for (const pair of this.pairs) this.cut(pair);
  }
  /** Every connection stays open without traffic for this time. */
  async silent(ms) {
    this.silence = true;
    for (const { client, server } of this.pairs) {
      client.pause();
      server.pause();
    }
    await new Promise((resolve) => {
      setTimeout(resolve, ms).unref();
    });
    this.silence = false;
    for (const { client, server } of this.pairs) {
      client.resume();
      server.resume();
    }
  }

  join(client) {
    const pair = { client, server: connect(this.to, '127.0.0.1') };
    this.pairs.add(pair);
    for (const side of [client, pair.server]) {
      side.setNoDelay(true);
      side.on('error', () => {});
      side.on('close', () => {
        this.pairs.delete(pair);
        client.destroy();
        pair.server.destroy();
      });
    }
    client.on('data', (data) => pair.server.write(data));
    pair.server.on('data', (data) => {
      // Loses one in `lose` confirmations of a commit, together with the connection.
      if (this.lose && data.includes(committed) && Math.random() < 1 / this.lose) this.cut(pair);
      else client.write(data);
    });
    if (this.silence) {
      client.pause();
      pair.server.pause();
    }
  }
  cut({ client, server }) {
    this.done += 1;
    client.resetAndDestroy();
    server.resetAndDestroy();
  }
}
