// SPDX-License-Identifier: Apache-2.0
// A small host for the page: serves the built page like the gateway, speaks the protocol of apps/web/src/protocol.ts, and plays scripted
// turns (scripts.mjs). Tests control the host: cut connections, lose messages, stop agents.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { WebSocketServer, web_folder } from './modules.mjs';
import { answer_document, look_at } from './relayed_database.mjs';
import { script_for } from './scripts.mjs';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PATIENCE_MS = 40_000;         // a passing test never waits longer

export class Cancelled extends Error {}

export async function start_mock_host(options = {}) {
  const host = new MockHost(options);
  await host.listen();
  return host;
}

export class MockHost {
  token = 'mock-token';
  refusal = 'upgrade';              // how a wrong token is refused: 'upgrade' (401) or 'close' (4401 after accepting)
  available = true;                 // false: as if the process were gone, while the port stays ours
  refuse_prompts = '';              // the reason, if refused
  received = [];                    // every message of every page
  conversations = new Map();        // id -> { conversation, events, turn }
  asks = new Map(); rules = new Map();
  attachments = new Map();          // id -> { about, data }
  attachment_limits = { files: 5, bytes: 200_000, picture_bytes: 100_000, media_types: ['image/png', 'image/jpeg', 'application/pdf', 'text/*'] };
  agents = [
    { id: 'parlance', name: 'Rehearsal', state: 'ready', detail: '', modes: ['default', 'autoEdit', 'yolo', 'plan', 'smart'], models: [], scripted: true },
    { id: 'claude', name: 'Claude Code', state: 'ready', detail: '', modes: ['default', 'autoEdit', 'yolo', 'plan'], models: ['opus', 'sonnet'], scripted: false, keeps_sessions: true },
  ];
  capabilities = []; databases = []; findings = { version: 'mock', bad: 0, findings: [] }; team = undefined;
  memories = []; spent = []; limits = {}; sessions = { list: [], fault: '' };  // the last: sessions kept by Claude Code
  files = ['src/peer/peer.cpp', 'src/main.cpp', 'readme.md'];
  services = [{ name: 'agent', state: 'ready', detail: '' }];
  #pages = new Set(); #gates = new Map(); #watchers = new Set();
  #last_id = 0;
  #lose = 0;

  constructor({ dist = join(web_folder, 'dist') } = {}) {
    this.dist = dist;
    this.server = createServer((request, response) => void this.#http(request, response));
    this.sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => (offered.has('parlance.v1') ? 'parlance.v1' : false) });
    this.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  async listen() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
  }
  get url() { return `${this.origin}/#token=${this.token}`; }

  async stop() {
    for (const gate of this.#gates.values()) gate.open();
    for (const page of this.#pages) page.socket.terminate();
    this.server.closeAllConnections?.();
    await new Promise((resolve) => this.server.close(resolve));
  }

  // ---- the strings ------------------------------------------------------------------------------------------------

  /** Ends every connection. */
  cut(code = 1012, reason = '') { for (const page of [...this.#pages]) page.socket.close(code, reason); }
  /** The next deltas to every page are counted but never sent. */
  lose(count = 1) { this.#lose = count; }
  /** Continues a script that waits at a gate. */
  release(name) { this.#gate(name).open(); }
  /** Waits until a page sent such a message. */
  async heard(type, count = 1) {
    return this.until(() => { const all = this.received.filter((m) => m.type === type); return all.length >= count ? all.at(-1) : undefined; });
  }
  count(type) { return this.received.filter((m) => m.type === type).length; }
  /** Resolves with the first truthy answer; asked again whenever a page or a script did something. */
  until(condition) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => { this.#watchers.delete(look); reject(new Error(`never came true: ${condition}`)); }, PATIENCE_MS);
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
  #changed() { for (const look of [...this.#watchers]) look(); }
  #gate(name) {
    if (!this.#gates.has(name)) {
      let open;
      const opened = new Promise((resolve) => { open = resolve; });
      this.#gates.set(name, { opened, open });
    }
    return this.#gates.get(name);
  }
  pass(name) { return this.#gate(name).opened; }

  /** The agent dies: its turns end, its requests are orphaned. */
  agent_died() {
    this.set_service('agent', 'starting', 'it stopped and is started again');
    for (const ask of this.asks.values()) {
      if (ask.state !== 'open') continue;
      const held = this.conversations.get(ask.conversation);
      this.#settle(ask, { state: 'orphaned', by: 'agent' });
      held.turn?.fail(new Error('the agent stopped'));
    }
  }
  set_service(name, state, detail = '') {
    const service = { name, state, detail };
    this.services = [...this.services.filter((one) => one.name !== name), service];
    this.#tell([{ op: 'service', service }]);
  }
  settle(id, how) { this.#settle(this.asks.get(id), how); }
  add_rule(label) {
    const rule = { id: `rule-${++this.#last_id}`, effect: 'allow', label, created_at: now() };
    this.rules.set(rule.id, rule);
    this.#tell([{ op: 'rule', rule }]);
    return rule;
  }

  add_conversation({ title = '', agent = 'parlance', folder = '/home/ann/code/engine', mode = 'default', model = '', updated_at = now(), events = [] } = {}) {
    const conversation = {
      id: `c-${++this.#last_id}`, title, agent, folder, mode, model, think: false, state: 'idle', open_asks: 0, queued: [], last_seq: 0, created_at: updated_at, updated_at,
    };
    const held = { conversation, events: [], turn: undefined };
    this.conversations.set(conversation.id, held);
    for (const body of events) this.#append(held, body);
    this.#tell([{ op: 'conversation', conversation: { ...conversation } }]);
    return conversation.id;
  }

  /** Writes events and sends a delta to every page with the open conversation. */
  emit(id, ...bodies) {
    const held = this.conversations.get(id);
    const events = bodies.map((body) => this.#append(held, body));
    this.#tell([{ op: 'events', conversation: id, events }], (page) => page.opened.has(id));
  }
  #append(held, body) {
    const event = { seq: ++held.conversation.last_seq, time: now(), ...body };
    held.events.push(event);
    return event;
  }
  update(id, changes) {
    const held = this.conversations.get(id);
    Object.assign(held.conversation, changes, { updated_at: now() });
    this.#tell([{ op: 'conversation', conversation: { ...held.conversation } }]);
  }

  // ---- asks -------------------------------------------------------------------------------------------------------

  ask(id, ask) {
    const made = { id: `ask-${++this.#last_id}`, conversation: id, options: [], why: '', digest: `digest-${this.#last_id}`, state: 'open', created_at: now(), ...ask };
    this.asks.set(made.id, made);
    const kind = { permission: 'tool_confirmation', question: 'user_question', plan: 'plan_approval' }[made.kind];
    this.#tell([{ op: 'ask', ask: { ...made } }]);
    this.emit(id, { kind, ask: { ...made } });
    this.#count(id);
    return new Promise((resolve, reject) => {
      Object.defineProperty(made, 'settled', { value: { resolve, reject }, enumerable: false });
    });
  }
  #settle(ask, { state, chosen, text, by, answers, edited }) {
    Object.assign(ask, { state, chosen, text, by, edited });
    this.#tell([{ op: 'ask', ask: { ...ask } }]);
    this.emit(ask.conversation, { kind: 'ask_settled', ask: ask.id, state, chosen, text, by, edited });
    this.#count(ask.conversation);
    if (state === 'answered') ask.settled.resolve({ option: ask.options.find((one) => one.id === chosen), chosen, text, answers });
    else ask.settled.reject(new Cancelled(state));
  }
  #count(id) {
    const open = [...this.asks.values()].filter((ask) => ask.conversation === id && (ask.state === 'open' || ask.state === 'orphaned')).length;
    const held = this.conversations.get(id);
    this.update(id, { open_asks: open, state: open > 0 ? 'waiting' : held.turn ? 'running' : 'idle' });
  }

  // ---- turns ------------------------------------------------------------------------------------------------------

  /** The attachments of a prompt, as named by events. */
  #keep(files = []) {
    if (files.length === 0) return undefined;
    return files.map(({ name, media_type, data }) => {
      const bytes = Buffer.from(data, 'base64');
      const about = { id: `attachment-${++this.#last_id}`, media_type, name, bytes: bytes.length };
      this.attachments.set(about.id, { about, data: bytes });
      return about;
    });
  }

  #go_on(id) {
    const { conversation, turn } = this.conversations.get(id);
    const [next, ...queued] = conversation.queued;
    if (!next || turn) return;
    this.update(id, { queued });
    this.#start(id, next.text, next.attachments);
  }

  #start(id, text, attachments) {
    const held = this.conversations.get(id);
    const turn = `t-${++this.#last_id}`;
    const began = Date.now();
    let fail;
    const failed = new Promise((_, reject) => { fail = reject; });
    failed.catch(() => {});
    held.turn = { id: turn, fail };
    this.update(id, { state: 'running', title: held.conversation.title || text.slice(0, 60) });
    this.emit(id, { kind: 'turn_start', turn }, { kind: 'user_message', turn, text, attachments });
    const end = (stop_reason) => {
      held.turn = undefined;
      this.emit(id, { kind: 'turn_end', turn, stop_reason, duration_ms: Date.now() - began });
      this.#count(id);
      if (stop_reason === 'end_turn') this.#go_on(id);
      this.#changed();
    };
    const play = script_for(text)({
      host: this, id, text,
      emit: (...bodies) => this.emit(id, ...bodies),
      ask: (ask) => Promise.race([this.ask(id, ask), failed]),
      pass: (name) => Promise.race([this.pass(name), failed]),
    });
    Promise.race([play, failed]).then(() => end('end_turn'), (error) => {
      if (held.turn?.id !== turn) return;
      if (!(error instanceof Cancelled)) this.emit(id, { kind: 'error', code: error.code ?? 'failed', message: error.message, detail: error.detail ?? '', retryable: true });
      end(error instanceof Cancelled ? 'cancelled' : 'error');
    });
    return turn;
  }

  // ---- wire -------------------------------------------------------------------------------------------------------

  #tell(ops, to = () => true) {
    const lost = this.#lose > 0;
    for (const page of this.#pages) {
      if (!page.ready || !to(page)) continue;
      const delta = { type: 'delta', seq: ++page.seq, ops };
      if (!lost) page.send(delta);
    }
    if (lost) --this.#lose;
    this.#changed();
  }

  async #http(request, response) {
    if (!this.available) { request.socket.destroy(); return; }
    const path = new URL(request.url, 'http://x').pathname;
    if (path === '/health') {
      const good = request.headers.authorization === `Bearer ${this.token}`;
      response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' }).end(good ? '{"status":"ok"}' : '{"error":"token"}');
      return;
    }
    if (answer_document(this, path, response)) return;
    if (path.startsWith('/attachments/')) {
      const found = this.attachments.get(path.slice('/attachments/'.length));
      const status = request.headers.authorization !== `Bearer ${this.token}` ? 401 : found ? 200 : 404;
      response.writeHead(status, status === 200 ? { 'content-type': found.about.media_type } : {}).end(status === 200 ? found.data : '');
      return;
    }
    const file = normalize(path === '/' ? '/index.html' : path);
    try {
      const body = await readFile(join(this.dist, file));
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }

  #upgrade(request, socket, head) {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
    const good = offered.includes(`token.${this.token}`) && offered.includes('parlance.v1');
    if (!this.available) { socket.destroy(); return; }
    if (!good && this.refusal === 'upgrade') { socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'); return; }
    this.sockets.handleUpgrade(request, socket, head, (ws) => {
      if (!good) { ws.close(4401, 'token'); return; }
      if (look_at(new URL(request.url, 'http://x'), ws)) return;
      const page = { socket: ws, ready: false, seq: 0, opened: new Set(), send: (message) => ws.send(JSON.stringify(message)) };
      this.#pages.add(page);
      ws.on('close', () => { this.#pages.delete(page); this.#changed(); });
      ws.on('message', (data) => {
        const message = JSON.parse(data.toString());
        this.received.push(message);
        this.#handle(page, message);
        this.#changed();
      });
    });
  }
  get connected() { return this.#pages.size; }

  #choose({ conversation, option, value }) {
    const options = this.conversations.get(conversation).conversation.options.map((one) => (one.id === option ? { ...one, value } : one));
    this.update(conversation, { options });
    this.emit(conversation, { kind: 'option', id: option, name: option, value, by: 'person' });
  }

  #handle(page, message) {
    const done = (value) => page.send({ type: 'done', request: message.request, value });
    const failed = (code, text) => page.send({ type: 'failed', request: message.request, code, message: text });
    const held = message.conversation === undefined ? undefined : this.conversations.get(message.conversation);
    if (message.conversation !== undefined && !held) { failed('not_found', 'no such conversation'); return; }
    const handler = this.#handlers[message.type];
    if (handler) handler({ page, message, held, done, failed });
    else failed('unknown_method', `unknown message ${message.type}`);
  }

  // By the type of a message; `held` is the named conversation.
  #handlers = {
    ready: ({ page }) => {
      page.ready = true;
      page.opened.clear();
      page.send({
        type: 'snapshot', seq: page.seq, version: 'mock', capabilities: this.capabilities, home: '/home/ann', default_folder: '/home/ann/code/engine', attachment_limits: this.attachment_limits, agents: this.agents, services: this.services,
        conversations: [...this.conversations.values()].map((one) => one.conversation), asks: [...this.asks.values()].filter((ask) => ask.state === 'open' || ask.state === 'orphaned'), rules: [...this.rules.values()], team: this.team,
      });
    },
    open: ({ page, message, held, done }) => {
      page.opened.add(message.conversation);
      const events = held.events.filter((event) => event.seq > message.after).slice(-(message.limit ?? 2000));
      done({ events, last_seq: held.conversation.last_seq, first_seq: events[0]?.seq ?? held.conversation.last_seq + 1 });
    },
    older: ({ message, held, done }) => {
      const events = held.events.filter((event) => event.seq < message.before).slice(-(message.limit ?? 2000));
      done({ events, first_seq: events[0]?.seq ?? 1 });
    },
    close: ({ page, message, done }) => { page.opened.delete(message.conversation); done(); },
    new: ({ message, done }) => {
      const id = this.add_conversation({ agent: message.agent, folder: message.folder, mode: message.mode });
      done({ conversation: this.conversations.get(id).conversation });
    },
    prompt: ({ message, held, done, failed }) => {
      if (this.refuse_prompts) {
        failed('failed', this.refuse_prompts);
      } else if (held.turn) {
        const queued = { id: `q-${++this.#last_id}`, text: message.text, attachments: this.#keep(message.attachments) };
        this.update(message.conversation, { queued: [...held.conversation.queued, queued] });
        done({ queued: queued.id });
      } else {
        done({ turn: this.#start(message.conversation, message.text, this.#keep(message.attachments)) });
      }
    },
    withdraw: ({ message, held, done }) => { this.update(message.conversation, { queued: held.conversation.queued.filter((one) => one.id !== message.queued) }); done(); },
    go_on: ({ message, done }) => { this.#go_on(message.conversation); done(); },
    stop: ({ message, held, done }) => {
      for (const ask of this.asks.values()) if (ask.conversation === message.conversation && ask.state === 'open') this.#settle(ask, { state: 'cancelled', by: 'stop' });
      held.turn?.fail(new Cancelled('stopped'));
      done();
    },
    answer: ({ message, done, failed }) => {
      const ask = this.asks.get(message.ask);
      if (!ask || ask.state !== 'open') { failed('failed', 'somebody answered already'); return; }
      if (ask.digest !== message.digest) { failed('failed', 'what was shown is not what is asked'); return; }
      done();
      this.#settle(ask, { state: 'answered', chosen: message.option, text: message.text, by: 'person', answers: message.answers, edited: message.edited });
    },
    reask: ({ message, done, failed }) => {
      const ask = this.asks.get(message.ask);
      if (ask?.state !== 'orphaned') { failed('failed', 'nothing to ask again'); return; }
      this.#settle(ask, { state: 'cancelled', by: 'asked again' });
      done();
      this.set_service('agent', 'ready');
      this.#start(ask.conversation, this.conversations.get(ask.conversation).events.findLast((event) => event.kind === 'user_message').text);
    },
    set: ({ message, done }) => {
      const { type, request, conversation, ...changes } = message;
      this.update(conversation, changes);
      if (changes.mode) this.emit(conversation, { kind: 'mode', mode: changes.mode });
      done();
    },
    set_option: ({ message, done }) => { this.#choose(message); done(); },
    search: ({ message, done }) => {
      const words = message.words.toLowerCase();
      const hits = [...this.conversations.values()].flatMap(({ conversation, events }) => {
        const found = events.findLast((event) => (event.kind === 'user_message' || event.kind === 'text') && event.text.toLowerCase().includes(words));
        return found ? [{ conversation: conversation.id, seq: found.seq, snippet: found.text }] : [];
      });
      done({ hits });
    },
    sessions: ({ message, done, failed }) => {
      if (this.sessions.fault) failed('failed', this.sessions.fault);
      else done({ sessions: this.sessions.list.filter((one) => one.folder === message.folder).map(({ id, title, updated_at }) => ({ id, title, updated_at })) });
    },
    adopt: ({ message, done }) => {
      const kept = this.sessions.list.find((one) => one.id === message.session);
      this.sessions.list = this.sessions.list.filter((one) => one !== kept);
      const id = this.add_conversation({ ...message, title: kept.title, events: kept.events });
      done({ conversation: this.conversations.get(id).conversation });
    },
    usage: ({ done }) => { done({ today: new Date().toLocaleDateString('sv'), spent: this.spent, limits: this.limits }); },
    memory_list: ({ done }) => { done({ memories: this.memories, next: '' }); },
    files: ({ message, done }) => done({ paths: this.files.filter((path) => path.toLowerCase().includes(message.typed.toLowerCase())), all: true }),
    clear: ({ message, done }) => { this.emit(message.conversation, { kind: 'cleared' }); done(); },
    delete: ({ message, done }) => { this.conversations.delete(message.conversation); this.#tell([{ op: 'conversation_removed', id: message.conversation }]); done(); },
    revoke: ({ message, done }) => { this.rules.delete(message.rule); this.#tell([{ op: 'rule_removed', id: message.rule }]); done(); },
  };
}

function now() { return new Date().toISOString(); }
