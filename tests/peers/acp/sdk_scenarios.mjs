// SPDX-License-Identifier: Apache-2.0
// The actions of the reference SDK's scripted agent for `scenario:NAME {JSON}` in a prompt. Each gets a client, a session and the JSON.
export function scenarios(acp, sessions) {
  const M = acp.methods;
  const update = (client, sessionId, what) => client.notify(M.client.session.update, { sessionId, update: what });
  const say = (client, session, text) =>
    update(client, session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const ask = (client, method, params) => client.request(method, params);
  const options = ['allow_once', 'allow_always', 'reject_once', 'reject_always'].map((kind) => ({
    optionId: `id-${kind}`,
    name: kind,
    kind,
  }));
  const all = {
    async updates(client, session) {
      for (const one of everyUpdate(sessions.get(session).config)) await update(client, session, one);
    },
    async call(client, sessionId, { method, params }) {
      try {
        await say(
          client,
          sessionId,
          'result ' + JSON.stringify(await client.request(method, { sessionId, ...params })),
        );
      } catch (error) {
        await say(client, sessionId, `error ${error.code} ${error.message}`);
      }
    },
    async flood(client, sessionId, { n = 10000, text = 'lorem ipsum dolor sit amet ' }) {
      const params = { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } };
      for (let i = 0; i < n; i++) {
        const sent = client.notify(M.client.session.update, params);
        if ((i & 255) === 255 || i === n - 1) await sent;
      }
    },
    async wait(client, session) {
      await say(client, session, 'waiting');
      await new Promise((resolve) => {
        sessions.get(session).cancel = resolve;
      });
      return sessions.get(session).cancelled ? 'cancelled' : 'end_turn';
    },
    // The agent's MCP servers.
    async servers(client, session) {
      await say(client, session, JSON.stringify(sessions.get(session).mcpServers));
    },
    async error() {
      throw new acp.RequestError(-32603, 'scripted failure', { details: 'x' });
    },
  };
  Object.assign(all, requests(M, ask, say, options), changes(M, ask, say, options));
  return { all, say, update };
}

// Requests of an agent to its client.
function requests(M, ask, say, options) {
  return {
    async permission(client, session, more) {
      const toolCall = {
        toolCallId: 't9',
        title: 'rm x',
        kind: 'execute',
        status: 'pending',
        rawInput: { command: 'rm x' },
      };
      const reply = await ask(client, M.client.session.requestPermission, {
        sessionId: session,
        toolCall,
        options,
        ...more,
      });
      await say(client, session, 'permission ' + JSON.stringify(reply));
    },
    async fs(client, sessionId, { path, line, limit, content = 'one\ntwo\n' }) {
      await ask(client, M.client.fs.writeTextFile, { sessionId, path, content });
      const read = await ask(client, M.client.fs.readTextFile, { sessionId, path, line, limit });
      await say(client, sessionId, 'fs ' + JSON.stringify(read));
    },
    async terminal(client, sessionId, { command = 'sh', args = ['-c', 'echo hello; exit 3'], cwd }) {
      const { terminalId } = await ask(client, M.client.terminal.create, {
        sessionId,
        command,
        args,
        cwd,
        env: [{ name: 'X', value: '1' }],
        outputByteLimit: 1000,
      });
      const exit = await ask(client, M.client.terminal.waitForExit, { sessionId, terminalId });
      const output = await ask(client, M.client.terminal.output, { sessionId, terminalId });
      await ask(client, M.client.terminal.kill, { sessionId, terminalId });
      await ask(client, M.client.terminal.release, { sessionId, terminalId });
      await say(client, sessionId, 'terminal ' + JSON.stringify({ exit, output }));
    },
    async elicit(client, sessionId) {
      const requestedSchema = {
        type: 'object',
        properties: { db: { type: 'string', enum: ['sqlite', 'postgres'] } },
        required: ['db'],
      };
      const reply = await ask(client, M.client.elicitation.create, {
        sessionId,
        mode: 'form',
        message: 'Which database?',
        requestedSchema,
      });
      await say(client, sessionId, 'elicit ' + JSON.stringify(reply));
    },
  };
}

function changes(M, ask, say, options) {
  return {
    // Requests approval for a change, with its diff, and lets the client write the change; `written` and `at` for a different write.
    async edit(client, sessionId, { path, old, text, written = text, at = path }) {
      const content = [{ type: 'diff', path, oldText: old ?? null, newText: text }];
      const toolCall = {
        toolCallId: 'e',
        title: `Edit ${path}`,
        kind: 'edit',
        status: 'pending',
        content,
        locations: [{ path }],
      };
      const { outcome } = await ask(client, M.client.session.requestPermission, { sessionId, toolCall, options });
      if (outcome.optionId?.startsWith('id-allow'))
        await ask(client, M.client.fs.writeTextFile, { sessionId, path: at, content: written });
      await say(client, sessionId, 'edited');
    },
    // Dies while waiting for an answer.
    async die(client, sessionId, { method, params }) {
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
      if (method) await ask(client, method, { sessionId, ...params });
      await new Promise(() => {});
    },
  };
}

// An update of each kind of version 1.
function everyUpdate(config) {
  const message = (content, more) => ({ sessionUpdate: 'agent_message_chunk', content, ...more });
  const text = (words) => ({ type: 'text', text: words });
  return [
    { sessionUpdate: 'user_message_chunk', content: text('echo') },
    { sessionUpdate: 'agent_thought_chunk', content: text('thinking'), messageId: 'm1' },
    message(text('text'), { messageId: 'm2' }),
    message({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
    message({ type: 'resource_link', uri: 'file:///w/a.txt', name: 'a.txt', size: 3 }),
    message({ type: 'resource', resource: { uri: 'file:///w/a.txt', text: 'abc', mimeType: 'text/plain' } }),
    { sessionUpdate: 'plan', entries: [{ content: 'one', priority: 'high', status: 'in_progress' }] },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'Read a.txt',
      kind: 'read',
      status: 'pending',
      rawInput: { path: '/w/a.txt' },
      locations: [{ path: '/w/a.txt', line: 3 }],
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'in_progress' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 't1',
      status: 'completed',
      content: [
        { type: 'content', content: text('abc') },
        { type: 'diff', path: '/w/a.txt', oldText: null, newText: 'x' },
        { type: 'terminal', terminalId: 'term-1' },
      ],
      rawOutput: { ok: true },
    },
    {
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'plan', description: 'Make a plan', input: { hint: 'topic' } },
        { name: 'clear', description: 'Clear' },
      ],
    },
    { sessionUpdate: 'config_option_update', configOptions: config },
    { sessionUpdate: 'session_info_update', title: 'A title', updatedAt: '2026-01-02T03:04:05Z' },
    { sessionUpdate: 'usage_update', used: 1200, size: 200000, cost: { amount: 0.01, currency: 'USD' } },
    { sessionUpdate: 'notice', severity: 'warning', title: 'Careful', description: 'detail' },
    { sessionUpdate: 'compaction_update', compactionId: 'c1', status: 'in_progress' },
    { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c1', content: text('summary') },
    { sessionUpdate: 'compaction_update', compactionId: 'c1', status: 'completed', summary: [text('summary')] },
  ];
}
