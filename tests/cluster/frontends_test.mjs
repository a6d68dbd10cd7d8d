// SPDX-License-Identifier: Apache-2.0
// Frontends besides the page at a gateway that does not own the conversation: an ACP editor, and clients of the OpenAI API behind HAProxy.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../../scripts/cluster/child.mjs';
import { HaProxy } from '../../scripts/cluster/haproxy.mjs';
import { Cluster, needs } from './cluster.mjs';
import { expectHeard, expectWholeLogs, pageFold, quiet } from './oracle.mjs';
import { WebSocket } from './page.mjs';

needs(HaProxy.missing());

/** An editor at one gateway; approves all requests, and records all updates. */
class Editor {
  constructor(base, headers) {
    this.socket = new WebSocket(`${base.replace('http', 'ws')}/acp`, { headers });
    this.calls = new Map();
    this.text = '';
    this.permissions = 0;
    this.opened = new Promise((resolve, reject) => {
      this.socket.on('open', resolve);
      this.socket.on('error', reject);
    });
    this.socket.on('message', (data) => this.take(JSON.parse(data)));
  }
  send(message) {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
  call(method, params) {
    const id = this.calls.size + 1;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }
  take({ id, method, params, result, error }) {
    if (!method) {
      if (error) this.calls.get(id).reject(new Error(`${error.message} ${JSON.stringify(error.data ?? '')}`));
      else this.calls.get(id).resolve(result);
    } else if (method === 'session/request_permission') {
      this.permissions += 1;
      this.send({
        id,
        result: {
          outcome: { outcome: 'selected', optionId: params.options.find(({ kind }) => kind === 'allow_once').optionId },
        },
      });
    } else if (method === 'session/update' && params.update.sessionUpdate === 'agent_message_chunk') {
      this.text += params.update.content.text;
    }
  }
  async begin() {
    await this.opened;
    await this.call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  }
  prompt(sessionId, text) {
    return this.call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }
}

test('an editor goes on at another gateway with what the first one runs', { timeout: 60_000 }, async () => {
  const cluster = new Cluster();
  try {
    const database = await cluster.database();
    const [first, second] = await Promise.all([1, 2].map(() => cluster.machine(database.address())));
    const [here, there] = [first, second].map(
      ({ base }) => new Editor(base, { Authorization: cluster.headers.Authorization }),
    );
    await Promise.all([here.begin(), there.begin()]);
    const { sessionId } = await here.call('session/new', { cwd: cluster.work, mcpServers: [] });
    assert.equal((await here.prompt(sessionId, 'help')).stopReason, 'end_turn');
    await there.call('session/load', { sessionId, cwd: cluster.work, mcpServers: [] });
    // Recently committed text of the first gateway may follow the answer, like later text.
    await until(() => there.text.length >= here.text.length, 'what was said before');
    assert.equal(there.text, here.text);
    assert.equal((await there.prompt(sessionId, 'write notes.txt hello')).stopReason, 'end_turn');
    assert.ok(existsSync(cluster.at('work/notes.txt')), 'allowed by the editor at the second, done by the first');
    assert.equal((await first.amongOthers()).owned, 1);
    assert.equal((await second.amongOthers()).owned, 0);
    assert.ok(there.permissions >= 1);
    for (const { socket } of [here, there]) socket.terminate();
  } finally {
    await cluster.end();
  }
});

test('a new conversation is available at another gateway before its notice', { timeout: 60_000 }, async () => {
  const cluster = new Cluster();
  try {
    const database = await cluster.database();
    const machines = await Promise.all([1, 2].map(() => cluster.machine(database.address())));
    const [here, there] = await Promise.all(machines.map(({ base }) => cluster.page(base)));
    for (let i = 0; i < 20; ++i) await there.follow(await cluster.conversation(here));
    const none = await there.follow('conv_that_never_was').catch((error) => error.code);
    assert.equal(none, 'not_found');
  } finally {
    await cluster.end();
  }
});

test(
  'clients of the OpenAI API get whole answers from whichever gateway, and leave nothing',
  { timeout: 60_000 },
  async () => {
    const cluster = new Cluster();
    try {
      const database = await cluster.database();
      await Promise.all([1, 2].map(() => cluster.machine(database.address())));
      const proxy = await cluster.haproxy();
      const ask = async (stream) => {
        const body = JSON.stringify({ model: 'parlance', stream, messages: [{ role: 'user', content: 'help' }] });
        const answer = await fetch(`http://127.0.0.1:${proxy.port}/v1/chat/completions`, {
          method: 'POST',
          headers: cluster.headers,
          body,
        });
        assert.equal(answer.status, 200);
        return answer.text();
      };
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i % 2 === 1)));
      for (const [i, answer] of answers.entries())
        assert.match(answer, i % 2 ? /data: \[DONE\]/ : /"finish_reason": ?"stop"/);
      const page = await cluster.page(cluster.machines[0].base);
      await until(() => page.conversations.size === 0, 'the end of what was begun for a request');
      await quiet(database, [page]);
      expectHeard(page, await expectWholeLogs(database), await pageFold());
    } finally {
      await cluster.end();
    }
  },
);
