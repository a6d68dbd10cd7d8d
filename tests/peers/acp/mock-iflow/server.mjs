// SPDX-License-Identifier: Apache-2.0
// An agent of the iFlow dialect over WebSocket, scripted by the text of the prompt: "scenario:<name> [json]". README.md has the table.
//
//   IFLOW_PEER=.peers/iflow-sdk node server.mjs [--port N] [--record FILE] [--auth no|yes] [--ready-delay MS, -1: never]
//                                               [--ready-repeat MS] [--gap MS] [--path /acp]
//
// IFLOW_PEER: a folder whose node_modules hold the package ws, which comes with iFlow's SDK. Port 0: any that is free.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import { authed, gap, path, port, readyDelay, readyRepeat, recFile } from './options.mjs';

const { WebSocketServer } = createRequire((process.env.IFLOW_PEER ?? process.cwd()) + '/')('ws');

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const lines = [];
const t0 = Date.now();
const flush = () => {
  if (recFile) fs.writeFileSync(recFile, lines.map((x) => JSON.stringify(x)).join('\n') + '\n');
};

const wss = new WebSocketServer({ host: '127.0.0.1', port, path, perMessageDeflate: false, maxPayload: 256 << 20 });
wss.on('listening', () => process.stdout.write(`listening on ws://127.0.0.1:${wss.address().port}${path}\n`));
let nconn = 0,
  nsess = 0;
wss.on('connection', async (ws) => {
  const conn = ++nconn;
  let initialized = false;
  const rec = (dir, msg) => {
    if (recFile) lines.push({ dir, t: Date.now() - t0, conn, msg });
  };
  const raw = (s) => {
    rec('s2c', s);
    if (ws.readyState === 1) ws.send(s);
  };
  const send = (o) => {
    rec('s2c', o);
    if (ws.readyState === 1) ws.send(JSON.stringify(o));
  };
  let nextId = 100;
  const pending = new Map();
  const call = (method, params) =>
    new Promise((res) => {
      const id = nextId++;
      pending.set(id, res);
      send({ jsonrpc: '2.0', id, method, params });
      setTimeout(() => {
        if (pending.delete(id)) res({ timeout: true });
      }, 4000);
    });
  const cancelled = new Map();
  const waiters = new Map();
  const update = (sessionId, u) => send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: u } });
  // burst: all frames go out in one write, hence (on loopback) in one TCP segment
  const burst = (fn) => {
    ws._socket.cork();
    fn();
    ws._socket.uncork();
  };

  const perm = {
    once: { optionId: 'proceed_once', name: 'Yes, allow once', kind: 'allow_once' },
    always: { optionId: 'proceed_always', name: 'Yes, allow always', kind: 'allow_always' },
    cancel: { optionId: 'cancel', name: 'No', kind: 'reject_once' },
    never: { optionId: 'reject_always', name: 'No, never', kind: 'reject_always' },
    server: { optionId: 'proceed_always_server', name: 'Always allow this MCP server', kind: 'allow_always' },
    tool: { optionId: 'proceed_always_tool', name: 'Always allow this tool', kind: 'allow_always' },
  };
  const scenarios = {
    async updates(s) {
      const U = [
        { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'echo of the user' } },
        { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'native thought' } },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'plain text' } },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'inline <thi' } },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'nk>hidden</th' } },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'ink> tail' } },
        {
          sessionUpdate: 'plan',
          entries: [{ content: 'step one', status: 'in_progress', priority: 'high' }, { content: 'step two' }],
        },
        { sessionUpdate: 'plan', entries: [] },
        {
          sessionUpdate: 'tool_call',
          toolCallId: 'tc-1',
          title: 'Read a.txt',
          kind: 'read',
          status: 'pending',
          toolName: 'read_file',
          locations: [{ path: '/w/a.txt', line: 3 }],
          rawInput: { path: '/w/a.txt' },
        },
        { sessionUpdate: 'tool_call_update', toolCallId: 'tc-1', status: 'in_progress' },
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'tc-1',
          status: 'completed',
          toolName: 'read_file',
          content: [
            { type: 'content', content: { type: 'text', text: 'line A' }, args: { path: '/w/a.txt' } },
            { type: 'content', content: { type: 'text', text: 'line B' } },
          ],
        },
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'tc-2',
          title: 'Edit b.txt',
          status: 'failed',
          content: [
            { type: 'diff', path: '/w/b.txt', oldText: 'x', newText: 'y', fileDiff: '--- b.txt\n+++ b.txt\n-x\n+y' },
          ],
        },
        { sessionUpdate: 'tool_call_update', toolCallId: 'tc-3' },
        {
          sessionUpdate: 'agent_message_chunk',
          agentId: 'subagent-task7-1-1700000000000',
          content: { type: 'text', text: 'from a sub-agent' },
        },
        {
          sessionUpdate: 'agent_message_chunk',
          agentId: 'subagent-a-b-c-2-1700000000001',
          content: { type: 'text', text: 'from another' },
        },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
        {
          sessionUpdate: 'available_commands_update',
          availableCommands: [{ name: 'compress', description: 'compress history', input: { hint: '' } }],
        },
        { sessionUpdate: 'current_mode_update', currentModeId: 'plan' },
        { sessionUpdate: 'something_new', x: 1 },
      ];
      for (const u of U) {
        update(s, u);
        await sleep(gap);
      }
      return { stopReason: 'end_turn' };
    },
    async permission(
      s,
      {
        toolCall = { toolCallId: 'tc-9', title: 'Shell: ls', type: 'execute', kind: 'execute', status: 'pending' },
        set = ['once', 'always', 'cancel'],
      },
    ) {
      const r = await call('session/request_permission', { sessionId: s, toolCall, options: set.map((k) => perm[k]) });
      update(s, {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: 'permission reply: ' + JSON.stringify(r.result ?? r.error ?? r) },
      });
      await sleep(gap);
      return { stopReason: 'end_turn' };
    },
    async call(s, { method, params }) {
      const r = await call(method, { sessionId: s, ...params });
      update(s, {
        sessionUpdate: 'agent_message_chunk',
        content: {
          type: 'text',
          text:
            method +
            ' reply: ' +
            JSON.stringify(r.result !== undefined ? { result: r.result } : r.error ? { error: r.error } : r).slice(
              0,
              400,
            ),
        },
      });
      await sleep(gap);
      return { stopReason: 'end_turn' };
    },
    async questions(s) {
      return scenarios.call(s, {
        method: '_iflow/user/questions',
        params: {
          questions: [
            {
              question: 'Which database?',
              header: 'Database',
              options: [
                { label: 'sqlite', description: 'one file' },
                { label: 'postgres', description: 'a server' },
              ],
              multiSelect: false,
            },
            {
              question: 'Which extras?',
              header: 'Extras',
              options: [
                { label: 'tests', description: '' },
                { label: 'docs', description: '' },
              ],
              multiSelect: true,
            },
          ],
        },
      });
    },
    async planexit(s) {
      return scenarios.call(s, { method: '_iflow/plan/exit', params: { plan: '1. read\n2. write' } });
    },
    async unknown(s) {
      return scenarios.call(s, { method: 'session/no_such_method', params: {} });
    },
    async unknown_notification(s) {
      send({ jsonrpc: '2.0', method: '_vendor/hello', params: { sessionId: s } });
      await sleep(gap);
      return { stopReason: 'end_turn' };
    },
    async legacy() {
      send({
        jsonrpc: '2.0',
        id: nextId++,
        method: 'pushToolCall',
        params: { label: 'Legacy tool', icon: 'hammer', confirmation: { type: 'execute', command: 'ls' } },
      });
      await sleep(gap);
      send({
        jsonrpc: '2.0',
        id: nextId++,
        method: 'updateToolCall',
        params: { toolCallId: 'tool_5', status: 'finished', content: { type: 'markdown', markdown: 'ok' } },
      });
      await sleep(gap);
      send({ jsonrpc: '2.0', id: nextId++, method: 'notifyTaskFinish', params: {} });
      await sleep(gap);
      return { stopReason: 'end_turn' };
    },
    async control() {
      raw('//stream mode on');
      await sleep(gap);
      raw('  //padded control line  ');
      await sleep(gap);
      raw('//ready');
      await sleep(gap);
      return { stopReason: 'end_turn' };
    },
    async error() {
      throw { code: -32603, message: 'model overloaded', data: { retryAfter: 5 } };
    },
    async autherror() {
      throw { code: -32000, message: 'Authentication required' };
    },
    async nullresult() {
      return null;
    },
    async badjson() {
      raw('{"jsonrpc":"2.0",');
      await sleep(gap);
      return { stopReason: 'end_turn' };
    },
    async stop(s, { reason = 'max_tokens' }) {
      return { stopReason: reason };
    },
    async wait(s) {
      update(s, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'working' } });
      await new Promise((r) => {
        waiters.set(s, r);
        setTimeout(r, 8000);
      });
      return { stopReason: cancelled.get(s) ? 'cancelled' : 'end_turn' };
    },
    async burst(s, { n = 50, finish = true }) {
      burst(() => {
        for (let i = 0; i < n; i++)
          update(s, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `m${i} ` } });
      });
      await sleep(gap);
      return finish ? { stopReason: 'end_turn' } : undefined;
    },
    async spaced(s, { n = 50, ms = 5 }) {
      for (let i = 0; i < n; i++) {
        update(s, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `m${i} ` } });
        await sleep(ms);
      }
      return { stopReason: 'end_turn' };
    },
    async flood(s, { n = 10000, text = 'lorem ipsum dolor sit amet ' }) {
      for (let i = 0; i < n; i++) {
        update(s, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
        if ((i & 255) === 255) await new Promise((r) => setImmediate(r));
      }
      while (ws.bufferedAmount > 0) await sleep(1);
      return { stopReason: 'end_turn' };
    },
    async close() {
      ws.close(1001, 'going away');
      await sleep(1000);
      return { stopReason: 'end_turn' };
    },
  };

  ws.on('message', async (d) => {
    const text = d.toString();
    let m;
    try {
      m = JSON.parse(text);
    } catch {
      rec('c2s', text);
      return;
    }
    rec('c2s', m);
    if (m.method === 'initialize') initialized = true;
    if (m.method === undefined) {
      const p = pending.get(m.id);
      if (p) {
        pending.delete(m.id);
        p(m);
      }
      return;
    }
    const ok = (result) => m.id !== undefined && send({ jsonrpc: '2.0', id: m.id, result });
    const err = (code, message, data) =>
      m.id !== undefined &&
      send({ jsonrpc: '2.0', id: m.id, error: data ? { code, message, data } : { code, message } });
    const p = m.params ?? {};
    switch (m.method) {
      case 'initialize':
        return ok({
          protocolVersion: 1,
          isAuthenticated: authed,
          authMethods: [
            { id: 'iflow', name: 'iFlow', description: null },
            { id: 'openai-compatible', name: 'OpenAI compatible', description: null },
          ],
          agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
        });
      case 'authenticate':
        return p.methodId === 'bad' ? err(-32000, 'unknown auth method') : ok({ methodId: p.methodId });
      case 'session/new':
        return p.cwd === '/nonexistent'
          ? err(-32602, 'cwd does not exist')
          : ok({
              sessionId: `sess-${++nsess}`,
              modes: {
                currentModeId: p.settings?.permission_mode ?? 'default',
                availableModes: ['default', 'smart', 'yolo', 'plan'].map((id) => ({ id, name: id })),
              },
              _meta: { models: { currentModelId: 'glm-5', availableModels: [{ id: 'glm-5', name: 'GLM-5' }] } },
            });
      case 'session/load':
        if (p.sessionId === 'dies') process.kill(process.pid, 'SIGKILL');
        return p.sessionId === 'missing' ? err(-32002, 'Session not found') : ok({ sessionId: p.sessionId });
      case 'session/set_mode':
        return ok({ currentModeId: p.modeId });
      case 'session/set_model':
        return ok({ currentModelId: p.modelId });
      case 'session/set_think':
        return ok({ success: true, currentThinkEnabled: p.thinkEnabled, currentThinkConfig: p.thinkConfig ?? 'think' });
      case 'session/cancel':
        cancelled.set(p.sessionId, true);
        waiters.get(p.sessionId)?.();
        return m.id !== undefined ? ok(null) : undefined;
      case 'session/prompt': {
        const t = (p.prompt ?? [])
          .filter((b) => b.type === 'text')
          .map((b) => b.text)
          .join('');
        const g = /scenario:(\w+)\s*(\{.*\})?/s.exec(t);
        try {
          if (!g || !scenarios[g[1]]) {
            update(p.sessionId, {
              sessionUpdate: 'agent_message_chunk',
              content: { type: 'text', text: 'echo: ' + t },
            });
            await sleep(gap);
            return ok({ stopReason: 'end_turn' });
          }
          const r = await scenarios[g[1]](p.sessionId, g[2] ? JSON.parse(g[2]) : {});
          if (r !== undefined) ok(r);
        } catch (e) {
          err(e.code ?? -32603, e.message ?? String(e), e.data);
        }
        return;
      }
      default:
        return err(-32601, 'Method not found');
    }
  });
  ws.on('close', (code, reason) => {
    rec('c2s', `//# closed ${code} ${reason}`);
    flush();
  });
  if (readyDelay >= 0) {
    if (readyDelay) await sleep(readyDelay);
    raw('//ready');
  }
  if (readyRepeat) {
    const t = setInterval(() => (initialized || ws.readyState !== 1 ? clearInterval(t) : raw('//ready')), readyRepeat);
  }
});
process.on('SIGTERM', () => {
  flush();
  process.exit(0);
});
process.on('SIGINT', () => {
  flush();
  process.exit(0);
});
