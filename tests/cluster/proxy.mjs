// SPDX-License-Identifier: Apache-2.0
// Stands between a gateway and its PostgreSQL, and does to all their connections what networks do.
import { connect, createServer } from 'node:net';

const committed = Buffer.from('COMMIT\0'); // the end of what a server says to a COMMIT that passed

export class Proxy {
  static async start(port) {
    const one = new Proxy();
    one.to = port;
    one.pairs = new Set();
    one.done = 0; // how often it did what it was told to
    one.server = createServer({ allowHalfOpen: false }, (client) => one.join(client));
    await new Promise((resolve) => { one.server.listen(0, '127.0.0.1', resolve); });
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
  /** Every connection stays open, and nothing passes, for so long. */
  async silent(ms) {
    this.silence = true;
    for (const { client, server } of this.pairs) { client.pause(); server.pause(); }
    await new Promise((resolve) => { setTimeout(resolve, ms).unref(); });
    this.silence = false;
    for (const { client, server } of this.pairs) { client.resume(); server.resume(); }
  }

  join(client) {
    const pair = { client, server: connect(this.to, '127.0.0.1') };
    this.pairs.add(pair);
    for (const side of [client, pair.server]) {
      side.setNoDelay(true);
      side.on('error', () => {});
      side.on('close', () => { this.pairs.delete(pair); client.destroy(); pair.server.destroy(); });
    }
    client.on('data', (data) => pair.server.write(data));
    pair.server.on('data', (data) => {
      // One in `lose` of what tells that a commit passed is lost, and with it the connection.
      if (this.lose && data.includes(committed) && Math.random() < 1 / this.lose) this.cut(pair);
      else client.write(data);
    });
    if (this.silence) { client.pause(); pair.server.pause(); }
  }
  cut({ client, server }) {
    this.done += 1;
    client.resetAndDestroy();
    server.resetAndDestroy();
  }
}
