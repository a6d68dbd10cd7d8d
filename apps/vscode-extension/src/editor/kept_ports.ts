// SPDX-License-Identifier: Apache-2.0
// Reserves ports of this machine until a program listens there, because terminals receive the port in their environment before the program
// starts.

import { createServer, type AddressInfo, type Server } from 'node:net';

export class KeptPorts {
  readonly numbers: number[] = [];
  private readonly servers: Server[] = [];

  static async of(count: number): Promise<KeptPorts> {
    const kept = new KeptPorts();
    for (let i = 0; i < count; ++i) {
      const server = createServer((socket) => socket.destroy()).unref();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(0, '127.0.0.1', resolve);
      });
      kept.servers.push(server);
      kept.numbers.push((server.address() as AddressInfo).port);
    }
    return kept;
  }

  /** The ports are free for other programs now. */
  async release(): Promise<void> {
    await Promise.all(
      this.servers.splice(0).map(
        (server) =>
          new Promise((resolve) => {
            server.close(resolve);
          }),
      ),
    );
  }
}
