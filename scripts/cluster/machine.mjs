// SPDX-License-Identifier: Apache-2.0
// A machine with a gateway, as far as one computer can hold several: `parlance up` with a state folder, a socket and ports of its own.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child, freePort, plainEnvironment, until } from './child.mjs';

export class Machine {
  /** `program`: parlance. `folder`: of its own; is made. `store`: the address of the database. `work`: where new conversations work. */
  static async start({ program, folder, store, token, work, lease = 15, flags = [], env = {} }) {
    const one = new Machine();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    one.port = await freePort();
    one.token = token;
    one.readyFile = join(folder, 'ready.json');
    one.child = new Child(
      [
        program,
        'up',
        '--listen',
        `127.0.0.1:${one.port}`,
        '--embed-listen',
        '127.0.0.1:0',
        '--agent-socket',
        join(folder, 'agent.sock'),
        '--state',
        join(folder, 'state'),
        '--ready-file',
        one.readyFile,
        '--folder',
        work,
        '--lease',
        String(lease),
        ...flags,
      ],
      {
        env: plainEnvironment({
          HOME: folder,
          XDG_CONFIG_HOME: join(folder, 'config'),
          PARLANCE_STORE: store,
          PARLANCE_TOKEN: token,
          ...env,
        }),
        cwd: work,
      },
    );
    await until(() => {
      if (one.child.ended) throw new Error(`parlance up ended: ${one.child.said}`);
      return existsSync(one.readyFile);
    }, 'parlance up');
    return one;
  }
  get base() {
    return `http://127.0.0.1:${this.port}`;
  }
  /** The process of the gateway, or of another service, as it is now. 0: just being started again. */
  pid(service = 'gateway') {
    try {
      return JSON.parse(readFileSync(this.readyFile, 'utf8')).services[service].pid;
    } catch {
      return 0;
    }
  }
  /** Its part of /health about itself among the others; undefined where it does not answer. */
  async amongOthers() {
    const headers = { Authorization: `Bearer ${this.token}` };
    return fetch(`${this.base}/health`, { headers, signal: AbortSignal.timeout(5000) }).then(
      async (answer) => (await answer.json()).gateway,
      () => undefined,
    );
  }
}
