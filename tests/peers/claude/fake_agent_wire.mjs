// SPDX-License-Identifier: Apache-2.0
// The messages of the scripted agent (fake_agent.mjs), and their log.
import fs from 'node:fs';
import { randomUUID } from 'node:crypto';

export const script = process.env.FAKE_SCRIPT ?? 'echo';
export const log = process.env.FAKE_LOG;
export const N = Number(process.env.FAKE_N ?? 1000);
const quiet = process.env.FAKE_QUIET === '1';
const t0 = Number(process.hrtime.bigint() / 1000000n);
const now = () => Number(process.hrtime.bigint() / 1000000n) - t0;
export const rec = (o) => {
  if (log && !quiet) fs.appendFileSync(log, JSON.stringify({ dir: o.dir, t: now(), ...o }) + '\n');
};
export const sessionId = '00000000-0000-4000-8000-0000000000aa';
export const write = (s) => new Promise((r) => process.stdout.write(s, () => r()));
export const send = (msg) => {
  rec({ dir: 'a2h', msg });
  return write(JSON.stringify(msg) + '\n');
};
export const raw = (text) => {
  rec({ dir: 'a2h', raw: text });
  return write(text);
};
export const pending = new Map();
export const ask = (request, id = randomUUID()) => {
  const p = new Promise((r) => pending.set(id, r));
  send({ type: 'control_request', request_id: id, request });
  return p;
};
export const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
export const init = () =>
  send({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    session_id: sessionId,
    tools: ['Bash'],
    mcp_servers: [],
    model: 'fake',
    permissionMode: 'default',
    slash_commands: [],
    apiKeySource: 'none',
    claude_code_version: '2.1.0',
    output_style: 'default',
    agents: [],
    skills: [],
    plugins: [],
    uuid: randomUUID(),
  });
export const text = (s) =>
  send({
    type: 'assistant',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content: [{ type: 'text', text: s }],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid: randomUUID(),
  });
export const result = (subtype = 'success', extra = {}) =>
  send({
    type: 'result',
    subtype,
    is_error: subtype !== 'success',
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    result: 'done',
    stop_reason: 'end_turn',
    session_id: sessionId,
    total_cost_usd: 0,
    usage: { input_tokens: 1, output_tokens: 1 },
    modelUsage: {},
    permission_denials: [],
    uuid: randomUUID(),
    ...extra,
  });
export const can = (command, extra = {}, id) =>
  ask(
    {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command },
      tool_use_id: 'toolu_1',
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: command }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
      ...extra,
    },
    id,
  );
