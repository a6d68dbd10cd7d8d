// SPDX-License-Identifier: Apache-2.0
// The agent's side of the bridge, over the socket that the extension announces: what a program in the integrated terminal would be.

import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { eventually } from './workbench.mjs';

/** The environment of a process that runs from this home: what the extension has told it. */
export function processOf(home, name, second = '') {
  for (const pid of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (!words[0].startsWith(home) || words[1] !== name || (second && words[2] !== second)) continue;
      const environment = Object.fromEntries(
        readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .filter(Boolean)
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
      return { pid: Number(pid), environment };
    } catch {
      /* it has ended */
    }
  }
  return undefined;
}

export class BridgeClient {
  static async connect(home) {
    let found;
    await eventually(() => (found = processOf(home, 'up')) !== undefined, 'the program runs');
    return BridgeClient.over(found.environment.PARLANCE_EDITOR_SOCKET.replace(/^unix:/, ''));
  }

  /** `address`: of a Unix socket. */
  static async over(address) {
    const one = new BridgeClient();
    one.address = address;
    one.notifications = [];
    one.waiting = new Map();
    one.last = 0;
    one.socket = connect(address);
    await new Promise((resolve, reject) => {
      one.socket.once('connect', resolve).once('error', reject);
    });
    let rest = '';
    one.socket.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines.filter(Boolean)) one.heard(JSON.parse(line));
    });
    return one;
  }

  heard(message) {
    if (message.method) {
      this.notifications.push(message);
      return;
    }
    const waiter = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) waiter?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else waiter?.resolve(message.result);
  }

  call(method, params = {}) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
    });
    this.socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return Object.assign(answer, { id });
  }
  cancel(call) {
    this.socket.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'cancel', params: { id: call.id } })}\n`);
  }
  close() {
    this.socket.destroy();
  }
}
