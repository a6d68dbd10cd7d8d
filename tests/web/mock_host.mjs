// SPDX-License-Identifier: Apache-2.0
// A small host for the page: serves the built page like the gateway, speaks the protocol of apps/web/src/protocol.ts, and plays scripted
// turns (scripts.mjs). Tests control the host: cut connections, lose messages, stop agents.

import { createServer } from 'node:http';
import { join } from 'node:path';
import { WebSocketServer, webFolder } from './modules.mjs';
import { serveFile } from './mock_files.mjs';
import { agents, Cancelled, handlers } from './mock_handlers.mjs';
import { lookAt } from './relayed_database.mjs';
import { scriptFor } from './scripts.mjs';

const PATIENCE_MS = 40_000; // a passing test never waits longer

export async function startMockHost(options = {}) {
  const host = new MockHost(options);
  await host.listen();
  return host;
}

export class MockHost {
  token = 'mock-token';
  refusal = 'upgrade'; // how a wrong token is refused: 'upgrade' (401) or 'close' (4401 after accepting)
  available = true; // false: as if the process were gone, while the port stays ours
  refusePrompts = ''; // the reason, if refused
  received = []; // every message of every page
  conversations = new Map(); // id -> { conversation, events, turn }
  asks = new Map();
  rules = new Map();
  attachments = new Map(); // id -> { about, data }
  attachmentLimits = {
    files: 5,
    bytes: 200_000,
    picture_bytes: 100_000,
    media_types: ['image/png', 'image/jpeg', 'application/pdf', 'text/*'],
  };
  agents = agents();
  capabilities = [];
  databases = [];
  findings = { version: 'mock', bad: 0, findings: [] };
  team = undefined;
  memories = [];
  spent = [];
  limits = {};
  setup = {}; // advice for the first screen
  models = {}; // connections to models
  sessions = { list: [], fault: '' }; // the last: sessions kept by Claude Code
  files = ['src/peer/peer.cpp', 'src/main.cpp', 'readme.md'];
  services = [{ name: 'agent', state: 'ready', detail: '' }];
  #pages = new Set();
  #gates = new Map();
  #watchers = new Set();
  #lastId = 0;
  #lose = 0;

  constructor({ dist = join(webFolder, 'dist') } = {}) {
    this.dist = dist;
    this.server = createServer((request, response) => void serveFile(this, request, response));
    this.sockets = new WebSocketServer({
      noServer: true,
      handleProtocols: (offered) => (offered.has('parlance.v1') ? 'parlance.v1' : false),
    });
    this.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  async listen() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
  }
  get url() {
    return `${this.origin}/#token=${this.token}`;
  }

  async stop() {
    for (const gate of this.#gates.values()) gate.open();
    for (const page of this.#pages) page.socket.terminate();
    this.server.closeAllConnections?.();
    await new Promise((resolve) => this.server.close(resolve));
  }

  // ---- the strings ------------------------------------------------------------------------------------------------

  /** Ends every connection. */
  cut(code = 1012, reason = '') {
    for (const page of [...this.#pages]) page.socket.close(code, reason);
  }
  /** The next deltas to every page are counted but never sent. */
  lose(count = 1) {
    this.#lose = count;
  }
  /** Continues a script that waits at a gate. */
  release(name) {
    this.#gate(name).open();
  }
  /** Waits until a page sent such a message. */
  async heard(type, count = 1) {
    return this.until(() => {
      const all = this.received.filter((m) => m.type === type);
      return all.length >= count ? all.at(-1) : undefined;
    });
  }
  count(type) {
    return this.received.filter((m) => m.type === type).length;
  }
  /** Resolves with the first truthy answer; asked again whenever a page or a script did something. */
  until(condition) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`never came true: ${condition}`));
      }, PATIENCE_MS);
      const look = () => {
        const value = condition();
        if (!value) return;
        clearTimeout(late);
        this.#watchers.delete(look);
        resolve(value);
      };
      this.#watchers.add(look);
      look();
    });
  }
  #changed() {
    for (const look of [...this.#watchers]) look();
  }
  #gate(name) {
    if (!this.#gates.has(name)) {
      let open;
      const opened = new Promise((resolve) => {
        open = resolve;
      });
      this.#gates.set(name, { opened, open });
    }
    return this.#gates.get(name);
  }
  nextId() {
    return ++this.#lastId;
  }
  pass(name) {
    return this.#gate(name).opened;
  }

  /** The agent dies: its turns end, its requests are orphaned. */
  agentDied() {
    this.setService('agent', 'starting', 'it stopped and is started again');
    for (const ask of this.asks.values()) {
      if (ask.state !== 'open') continue;
      const held = this.conversations.get(ask.conversation);
      this.settleAsk(ask, { state: 'orphaned', by: 'agent' });
      held.turn?.fail(new Error('the agent stopped'));
    }
  }
  setService(name, state, detail = '') {
    const service = { name, state, detail };
    this.services = [...this.services.filter((one) => one.name !== name), service];
    this.tell([{ op: 'service', service }]);
  }
  settle(id, how) {
    this.settleAsk(this.asks.get(id), how);
  }
  addRule(label) {
    const rule = { id: `rule-${this.nextId()}`, effect: 'allow', label, created_at: now() };
    this.rules.set(rule.id, rule);
    this.tell([{ op: 'rule', rule }]);
    return rule;
  }

  addConversation({
    title = '',
    agent = 'parlance',
    folder = '/home/ann/code/engine',
    mode = 'default',
    model = '',
    updated_at: updatedAt = now(),
    events = [],
  } = {}) {
    const conversation = {
      id: `c-${this.nextId()}`,
      title,
      agent,
      folder,
      mode,
      model,
      think: false,
      state: 'idle',
      open_asks: 0,
      queued: [],
      last_seq: 0,
      created_at: updatedAt,
      updated_at: updatedAt,
    };
    const held = { conversation, events: [], turn: undefined };
    this.conversations.set(conversation.id, held);
    for (const body of events) this.#append(held, body);
    this.tell([{ op: 'conversation', conversation: { ...conversation } }]);
    return conversation.id;
  }

  /** Writes events and sends a delta to every page with the open conversation. */
  emit(id, ...bodies) {
    const held = this.conversations.get(id);
    const events = bodies.map((body) => this.#append(held, body));
    this.tell([{ op: 'events', conversation: id, events }], (page) => page.opened.has(id));
  }
  #append(held, body) {
    const event = { seq: ++held.conversation.last_seq, time: now(), ...body };
    held.events.push(event);
    return event;
  }
  update(id, changes) {
    const held = this.conversations.get(id);
    Object.assign(held.conversation, changes, { updated_at: now() });
    this.tell([{ op: 'conversation', conversation: { ...held.conversation } }]);
  }

  // ---- asks -------------------------------------------------------------------------------------------------------

  ask(id, ask) {
    const made = {
      id: `ask-${this.nextId()}`,
      conversation: id,
      options: [],
      why: '',
      digest: `digest-${this.#lastId}`,
      state: 'open',
      created_at: now(),
      ...ask,
    };
    this.asks.set(made.id, made);
    const kind = { permission: 'tool_confirmation', question: 'user_question', plan: 'plan_approval' }[made.kind];
    this.tell([{ op: 'ask', ask: { ...made } }]);
    this.emit(id, { kind, ask: { ...made } });
    this.#count(id);
    return new Promise((resolve, reject) => {
      Object.defineProperty(made, 'settled', { value: { resolve, reject }, enumerable: false });
    });
  }
  settleAsk(ask, { state, chosen, text, by, answers, edited }) {
    Object.assign(ask, { state, chosen, text, by, edited });
    this.tell([{ op: 'ask', ask: { ...ask } }]);
    this.emit(ask.conversation, { kind: 'ask_settled', ask: ask.id, state, chosen, text, by, edited });
    this.#count(ask.conversation);
    if (state === 'answered')
      ask.settled.resolve({ option: ask.options.find((one) => one.id === chosen), chosen, text, answers });
    else ask.settled.reject(new Cancelled(state));
  }
  #count(id) {
    const open = [...this.asks.values()].filter(
      (ask) => ask.conversation === id && (ask.state === 'open' || ask.state === 'orphaned'),
    ).length;
    const held = this.conversations.get(id);
    this.update(id, { open_asks: open, state: open > 0 ? 'waiting' : held.turn ? 'running' : 'idle' });
  }

  // ---- turns ------------------------------------------------------------------------------------------------------

  /** The attachments of a prompt, as named by events. */
  keep(files = []) {
    if (files.length === 0) return undefined;
    return files.map(({ name, media_type: mediaType, data }) => {
      const bytes = Buffer.from(data, 'base64');
      const about = { id: `attachment-${this.nextId()}`, media_type: mediaType, name, bytes: bytes.length };
      this.attachments.set(about.id, { about, data: bytes });
      return about;
    });
  }

  goOn(id) {
    const { conversation, turn } = this.conversations.get(id);
    const [next, ...queued] = conversation.queued;
    if (!next || turn) return;
    this.update(id, { queued });
    this.start(id, next.text, next.attachments);
  }

  start(id, text, attachments) {
    const held = this.conversations.get(id);
    const turn = `t-${this.nextId()}`;
    const began = Date.now();
    let fail;
    const failed = new Promise((_, reject) => {
      fail = reject;
    });
    failed.catch(() => {});
    held.turn = { id: turn, fail };
    this.update(id, { state: 'running', title: held.conversation.title || text.slice(0, 60) });
    this.emit(id, { kind: 'turn_start', turn }, { kind: 'user_message', turn, text, attachments });
    const end = (stopReason) => {
      held.turn = undefined;
      this.emit(id, { kind: 'turn_end', turn, stop_reason: stopReason, duration_ms: Date.now() - began });
      this.#count(id);
      if (stopReason === 'end_turn') this.goOn(id);
      this.#changed();
    };
    const play = scriptFor(text)({
      host: this,
      id,
      text,
      emit: (...bodies) => this.emit(id, ...bodies),
      ask: (ask) => Promise.race([this.ask(id, ask), failed]),
      pass: (name) => Promise.race([this.pass(name), failed]),
    });
    Promise.race([play, failed]).then(
      () => end('end_turn'),
      (error) => {
        if (held.turn?.id !== turn) return;
        if (!(error instanceof Cancelled))
          this.emit(id, {
            kind: 'error',
            code: error.code ?? 'failed',
            message: error.message,
            detail: error.detail ?? '',
            retryable: true,
          });
        end(error instanceof Cancelled ? 'cancelled' : 'error');
      },
    );
    return turn;
  }

  // ---- wire -------------------------------------------------------------------------------------------------------

  tell(ops, to = () => true) {
    const lost = this.#lose > 0;
    for (const page of this.#pages) {
      if (!page.ready || !to(page)) continue;
      const delta = { type: 'delta', seq: ++page.seq, ops };
      if (!lost) page.send(delta);
    }
    if (lost) --this.#lose;
    this.#changed();
  }

  #upgrade(request, socket, head) {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
    const good = offered.includes(`token.${this.token}`) && offered.includes('parlance.v1');
    if (!this.available) {
      socket.destroy();
      return;
    }
    if (!good && this.refusal === 'upgrade') {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (ws) => {
      if (!good) {
        ws.close(4401, 'token');
        return;
      }
      if (lookAt(new URL(request.url, 'http://x'), ws)) return;
      const page = {
        socket: ws,
        ready: false,
        seq: 0,
        opened: new Set(),
        send: (message) => ws.send(JSON.stringify(message)),
      };
      this.#pages.add(page);
      ws.on('close', () => {
        this.#pages.delete(page);
        this.#changed();
      });
      ws.on('message', (data) => {
        const message = JSON.parse(data.toString());
        this.received.push(message);
        this.#handle(page, message);
        this.#changed();
      });
    });
  }
  get connected() {
    return this.#pages.size;
  }

  #handle(page, message) {
    const done = (value) => page.send({ type: 'done', request: message.request, value });
    const failed = (code, text) => page.send({ type: 'failed', request: message.request, code, message: text });
    const held = message.conversation === undefined ? undefined : this.conversations.get(message.conversation);
    if (message.conversation !== undefined && !held) {
      failed('not_found', 'no such conversation');
      return;
    }
    const handler = handlers[message.type];
    if (handler) handler({ host: this, page, message, held, done, failed });
    else failed('unknown_method', `unknown message ${message.type}`);
  }
}

function now() {
  return new Date().toISOString();
}
