// SPDX-License-Identifier: Apache-2.0
// Looks at the owners of conversations all the time: that epochs never go back, and how long the turns of a dead gateway have nobody.
import { Child } from '../../scripts/cluster/child.mjs';

const everyMs = 25;

export class Watch {
  static async begin(database) {
    const one = new Watch();
    // One session: to connect for each look would be most of its cost.
    one.psql = new Child(['psql', '-XqAt', '-F', '\t', database.address()]);
    one.psql.process.stdin.on('error', () => {});
    one.text = '';
    one.psql.process.stdout.on('data', (text) => {
      one.text += text;
    });
    one.deaths = new Map(); // hub -> { at, running: conversations that it ran then }
    one.epochs = new Map();
    one.owners = new Map();
    one.faults = [];
    one.takeovers = [];
    one.looking = one.look();
    await one.looked();
    return one;
  }
  /** To be called at the moment before its SIGKILL. */
  dies(hub) {
    this.deaths.set(hub, Date.now());
  }
  async end() {
    this.enough = true;
    await this.looking;
    await this.psql.stop();
    return { faults: this.faults, takeovers: this.takeovers };
  }
  looked() {
    return new Promise((resolve) => {
      this.afterLook = resolve;
    });
  }

  async look() {
    while (!this.enough) {
      this.psql.process.stdin.write(
        "SELECT id, coalesce(owner, ''), epoch, turn <> '' FROM conversations;\n\\echo .\n",
      );
      await new Promise((resolve) => {
        const timer = setInterval(() => {
          if (this.text.endsWith('\n.\n') || this.text === '.\n' || this.psql.ended) {
            clearInterval(timer);
            resolve();
          }
        }, 5);
      });
      const lines = this.text.split('\n').slice(0, -2);
      this.text = '';
      for (const line of lines) this.take(...line.split('\t'));
      this.afterLook?.();
      await new Promise((resolve) => {
        setTimeout(resolve, everyMs);
      });
    }
  }
  take(id, owner, epoch, running) {
    if (Number(epoch) < (this.epochs.get(id) ?? 0))
      this.faults.push(`${id}: epoch ${epoch} after ${this.epochs.get(id)}`);
    this.epochs.set(id, Number(epoch));
    const before = this.owners.get(id);
    if (before && before.owner !== owner && this.deaths.has(before.owner) && before.running)
      this.takeovers.push(Date.now() - this.deaths.get(before.owner));
    this.owners.set(id, { owner, running: running === 't' });
  }
}
