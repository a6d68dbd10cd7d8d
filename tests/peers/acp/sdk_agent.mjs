// SPDX-License-Identifier: Apache-2.0
// A scripted agent on the reference SDK, which checks all that it hears by its own schemas.
//   node sdk_agent.mjs              on stdio
//   node sdk_agent.mjs --port 0     on WebSocket; prints {"url":"ws://…"}
import http from 'node:http';
import { Readable, Writable } from 'node:stream';
import { peer } from './packages.mjs';
import { scenarios } from './sdk_scenarios.mjs';

const load = peer('acp-sdk');
const acp = await load('@agentclientprotocol/sdk');
const M = acp.methods;
const sessions = new Map();
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan', description: 'read only' },
  ],
};
const agentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: { list: {}, close: {}, delete: {} },
  auth: { logout: {} },
};

const options = () => [
  {
    id: 'level',
    name: 'Level',
    category: 'thought_level',
    type: 'select',
    currentValue: 'low',
    options: [
      { value: 'low', name: 'Low' },
      { value: 'high', name: 'High' },
    ],
  },
  { id: 'web', name: 'Web', type: 'boolean', currentValue: false },
];
function begin({ mcpServers }) {
  const sessionId = `s-${sessions.size + 1}`;
  sessions.set(sessionId, { config: options(), mcpServers });
  return sessionId;
}
function known(id) {
  const session = sessions.get(id);
  if (!session) throw acp.RequestError.resourceNotFound(id);
  return session;
}
function choose({ sessionId, configId, value }) {
  const { config } = known(sessionId);
  const option = config.find((one) => one.id === configId);
  if (!option) throw acp.RequestError.invalidParams({ configId });
  option.currentValue = value;
  return { configOptions: config };
}

// The process is killed when it is asked this: DIE_AT=session/new
const mortal = (method, handle) => (request) => {
  if (process.env.DIE_AT === method) process.kill(process.pid, 'SIGKILL');
  return handle(request);
};

function turns(all, say, update) {
  async function prompt({ params, client }) {
    const session = known(params.sessionId);
    session.cancelled = false;
    const text = params.prompt
      .filter((block) => block.type === 'text')
      .map((block) => block.text)
      .join('');
    const named = /scenario:(\w+)\s*(\{.*\})?/s.exec(text);
    if (!named) await say(client, params.sessionId, `echo: ${text} (${params.prompt.length})`);
    const ended = named && (await all[named[1]](client, params.sessionId, named[2] ? JSON.parse(named[2]) : {}));
    return { stopReason: typeof ended === 'string' ? ended : 'end_turn' };
  }
  async function replay({ params, client }) {
    known(params.sessionId);
    await update(client, params.sessionId, {
      sessionUpdate: 'user_message_chunk',
      content: { type: 'text', text: 'replayed user' },
    });
    await say(client, params.sessionId, 'replayed agent');
    return { modes };
  }
  return { prompt, replay };
}

function build() {
  const { all, say, update } = scenarios(acp, sessions);
  const { prompt, replay } = turns(all, say, update);
  return acp
    .agent({ name: 'parlance-sdk-agent' })
    .onRequest(
      M.agent.initialize,
      mortal('initialize', () => ({
        protocolVersion: acp.PROTOCOL_VERSION,
        agentInfo: { name: 'sdk-agent', version: '1' },
        agentCapabilities,
        authMethods: [],
      })),
    )
    .onRequest(M.agent.logout, () => ({}))
    .onRequest(
      M.agent.session.new,
      mortal('session/new', ({ params }) => {
        const sessionId = begin(params);
        return { sessionId, modes, configOptions: known(sessionId).config };
      }),
    )
    .onRequest(M.agent.session.load, replay)
    .onRequest(M.agent.session.list, () => ({
      sessions: [...sessions.keys()].map((sessionId) => ({ sessionId, cwd: '/', title: null })),
    }))
    .onRequest(M.agent.session.delete, ({ params }) => {
      sessions.delete(params.sessionId);
      return {};
    })
    .onRequest(M.agent.session.close, ({ params }) => {
      known(params.sessionId);
      return {};
    })
    .onRequest(
      M.agent.session.setMode,
      mortal('session/set_mode', ({ params }) => {
        known(params.sessionId);
        return {};
      }),
    )
    .onRequest(M.agent.session.setConfigOption, ({ params }) => choose(params))
    .onRequest(M.agent.session.prompt, prompt)
    .onNotification(M.agent.session.cancel, ({ params }) => {
      const session = sessions.get(params.sessionId);
      if (session) {
        session.cancelled = true;
        session.cancel?.();
      }
    });
}

if (!process.argv.includes('--port')) {
  build().connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
} else {
  const { AcpServer } = await load('@agentclientprotocol/sdk/experimental/server');
  const node = await load('@agentclientprotocol/sdk/experimental/node');
  const { WebSocketServer } = (await load('ws')).default;
  const server = new AcpServer({ createAgent: () => build() });
  const web = http.createServer(node.createNodeHttpHandler(server));
  web.on(
    'upgrade',
    node.createNodeWebSocketUpgradeHandler(server, new WebSocketServer({ noServer: true, perMessageDeflate: false })),
  );
  web.listen(+process.argv[process.argv.indexOf('--port') + 1], '127.0.0.1', () =>
    console.log(JSON.stringify({ url: `ws://127.0.0.1:${web.address().port}/acp` })),
  );
}
