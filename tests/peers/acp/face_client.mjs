// SPDX-License-Identifier: Apache-2.0
// The reference SDK of the Agent Client Protocol as the client of `parlance serve-acp`: over stdio (PARLANCE is started here), or at URL over
// WebSocket and HTTP. Prints "ok NAME" for each thing that went as it should; whatever the SDK's schemas refuse is a fault.
//   SDK=…/node_modules PARLANCE=… WORK=… [URL=ws://…|http://…] [AGENT=claude] node face_client.mjs
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const sdk = process.env.SDK;
const from = (path) => import(pathToFileURL(`${sdk}/@agentclientprotocol/sdk/dist/${path}`).href);
const acp = await from('v1/stable/acp.js');
const schemas = await from('v1/schema/zod.gen.js');

const faults = [];
const complained = console.error;
console.error = (...words) => {
  faults.push(words.map((w) => (typeof w === 'string' ? w : JSON.stringify(w))).join(' '));
  complained(...words);
};

// ---- the stream
let child;
async function stream() {
  const url = process.env.URL;
  if (!url) {
    child = spawn(process.env.PARLANCE, ['serve-acp', '--agent', process.env.AGENT ?? 'parlance'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  }
  if (url.startsWith('ws')) {
    const { createWebSocketStream } = await from('transports/ws-stream.js');
    const { WebSocket } = createRequire(`${sdk}/x.js`)('ws');
    return createWebSocketStream(url, { WebSocket });
  }
  const { createHttpStream } = await from('transports/http-stream.js');
  return createHttpStream(url);
}

// ---- the client
const updates = [];
const asked = [];
let choose = 'allow_once';
let onPermission;
let onUpdate = () => {};
const app = acp
  .client({ name: 'reference' })
  .onNotification(acp.methods.client.session.update, ({ params }) => {
    const checked = schemas.zSessionNotification.safeParse(params);
    if (!checked.success) faults.push(`${JSON.stringify(params)}: ${checked.error}`);
    updates.push(params.update);
    onUpdate(params.update);
  })
  .onRequest(acp.methods.client.session.requestPermission, async ({ params }) => {
    asked.push(params);
    if (onPermission) await onPermission(params);
    const option = params.options.find((one) => one.kind === choose);
    return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
  })
  .onRequest(acp.methods.client.elicitation.create, ({ params }) => {
    asked.push(params);
    const choices = params.requestedSchema.properties.question_0.oneOf;
    return { action: 'accept', content: { question_0: choices[0].const } };
  });

const connection = app.connect(await stream());
const agent = connection.agent;
const cwd = process.env.WORK;
const ok = (name, holds = true, more = '') => console.log(holds ? `ok ${name}` : `NOT ${name} ${more}`);
const text = (kind = 'agent_message_chunk') =>
  updates
    .filter((one) => one.sessionUpdate === kind)
    .map((one) => one.content?.text ?? '')
    .join('');
const say = async (sessionId, words) => {
  updates.length = asked.length = 0;
  return agent.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: words }] });
};
const fails = async (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

const hello = await agent.request(acp.methods.agent.initialize, {
  protocolVersion: 1,
  clientCapabilities: { session: { notices: {}, configOptions: { boolean: {} } }, elicitation: { form: {} } },
  clientInfo: { name: 'reference', version: '1' },
});
ok(
  'initialize',
  hello.protocolVersion === 1 && hello.agentInfo.name === 'parlance' && hello.agentCapabilities.loadSession === true,
  JSON.stringify(hello),
);

const begun = await agent.request(acp.methods.agent.session.new, { cwd, mcpServers: [] });
const { sessionId } = begun;
ok('new', !!sessionId && begun.modes.availableModes.length > 0 && begun.configOptions.length > 0);
const nowhere = await fails(
  agent.request(acp.methods.agent.session.new, { cwd: '/nonexistent/folder', mcpServers: [] }),
);
ok('no_such_folder', nowhere?.code === -32602, JSON.stringify(nowhere));
const unknown = await fails(say('nowhere', 'x'));
ok('no_such_session', unknown?.code === -32002, JSON.stringify(unknown));

const claude = process.env.AGENT === 'claude';
const play = {
  hello: claude ? '@mock text {"text":"Hello there."}' : 'markdown',
  write: (name) =>
    claude
      ? `@mock tool {"name":"Write","input":{"file_path":"${cwd}/${name}","content":"hello"}}\n@mock text {"text":"done"}`
      : `write ${name} hello`,
  slow: claude ? '@mock slow {"chunks":400,"delay_ms":20}' : 'slow 400 20',
};

let turn = await say(sessionId, play.hello);
ok('prompt', turn.stopReason === 'end_turn' && text().length > 5, JSON.stringify(turn));

turn = await say(sessionId, play.write('a.txt'));
ok(
  'permission_allowed',
  turn.stopReason === 'end_turn' && asked.length === 1 && updates.some((one) => one.status === 'completed'),
  JSON.stringify([turn, asked.length, updates.map((one) => one.sessionUpdate + (one.status ?? ''))]),
);
ok('diff_is_shown', JSON.stringify(asked).includes('"type":"diff"'), JSON.stringify(asked));
ok(
  'call_before_its_updates',
  updates.findIndex((one) => one.sessionUpdate === 'tool_call') <=
    updates.findIndex((one) => one.sessionUpdate === 'tool_call_update'),
);

choose = 'reject_once';
turn = await say(sessionId, play.write('b.txt'));
ok(
  'permission_rejected',
  turn.stopReason === 'end_turn' && asked.length === 1 && updates.some((one) => one.status === 'failed'),
  JSON.stringify([turn, asked.length, updates.map((one) => one.sessionUpdate + (one.status ?? ''))]),
);
choose = 'allow_once';

if (!claude) {
  turn = await say(sessionId, 'ask');
  ok('question', turn.stopReason === 'end_turn' && asked.some((one) => one.mode === 'form'), JSON.stringify(asked));
  turn = await say(sessionId, 'plan');
  ok(
    'plan',
    turn.stopReason === 'end_turn' && asked.some((one) => one.toolCall?.kind === 'switch_mode'),
    JSON.stringify(asked),
  );
  await agent.request(acp.methods.agent.session.setMode, { sessionId, modeId: 'default' });
  const all = await agent.request(acp.methods.agent.session.setConfigOption, {
    sessionId,
    configId: 'thinking',
    type: 'boolean',
    value: true,
  });
  ok('option', all.configOptions.find((one) => one.id === 'thinking').currentValue === true, JSON.stringify(all));
}

// Cancelled in the middle of text, and while a person is asked.
const firstText = new Promise((resolve) => {
  onUpdate = ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk' && resolve();
});
const slow = say(sessionId, play.slow);
await firstText;
await agent.notify(acp.methods.agent.session.cancel, { sessionId });
turn = await slow;
ok('cancel', turn.stopReason === 'cancelled', JSON.stringify(turn));
// The answer to the request comes after the end of the turn.
let ended;
onPermission = async () => {
  await agent.notify(acp.methods.agent.session.cancel, { sessionId });
  await ended;
};
ended = say(sessionId, play.write('c.txt'));
turn = await ended;
onPermission = undefined;
ok('cancel_while_asked', turn.stopReason === 'cancelled', JSON.stringify(turn));

const list = await agent.request(acp.methods.agent.session.list, { cwd });
ok(
  'list',
  list.sessions.some((one) => one.sessionId === sessionId),
  JSON.stringify(list),
);
await agent.request(acp.methods.agent.session.close, { sessionId });
updates.length = 0;
await agent.request(acp.methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
ok('load', text('user_message_chunk').includes(play.hello) && text().length > 5, text('user_message_chunk'));
turn = await say(sessionId, play.hello);
ok('prompt_after_load', turn.stopReason === 'end_turn');
await agent.request(acp.methods.agent.session.close, { sessionId });
await agent.request(acp.methods.agent.session.resume, { sessionId, cwd, mcpServers: [] });
ok('resume');
await agent.request(acp.methods.agent.session.delete, { sessionId });
const gone = await fails(agent.request(acp.methods.agent.session.load, { sessionId, cwd, mcpServers: [] }));
ok('delete', gone?.code === -32002, JSON.stringify(gone));

ok('schemas', faults.length === 0, faults.join('\n'));
if (child) {
  child.stdin.end();
  const code = await new Promise((done) => child.once('exit', done));
  ok('ends_with_its_input', code === 0, String(code));
}
console.log('end');
process.exit(0);
