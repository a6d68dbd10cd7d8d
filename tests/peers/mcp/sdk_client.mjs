// SPDX-License-Identifier: Apache-2.0
// The clients of the MCP SDKs against our server. Arguments: v1 | v2 | v2-auto, then a URL or `-- COMMAND…`. MCP_PEERS is the folder with
// node_modules. Prints "ok NAME" for each check; the first failure ends the program.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.env.MCP_PEERS + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [kind, where, ...command] = process.argv.slice(2);
const v1 = kind === 'v1';

const { Client } = await load(v1 ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');
const { StdioClientTransport } = await load(
  v1 ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio',
);
const { StreamableHTTPClientTransport } = await load(
  v1 ? '@modelcontextprotocol/sdk/client/streamableHttp.js' : '@modelcontextprotocol/client',
);
const schemas = v1 ? await load('@modelcontextprotocol/sdk/types.js') : {};
const transport =
  where === '--'
    ? new StdioClientTransport({ command: command[0], args: command.slice(1) })
    : new StreamableHTTPClientTransport(new URL(where));

const client = new Client(
  { name: 'sdk-' + kind, version: '1' },
  {
    capabilities: { sampling: {}, elicitation: {}, roots: {} },
    ...(kind === 'v2-auto' ? { versionNegotiation: { mode: 'auto' } } : {}),
  },
);
const handle = (method, schema, answer) => client.setRequestHandler(v1 ? schema : method, answer);
handle('sampling/createMessage', schemas.CreateMessageRequestSchema, async (request) => ({
  role: 'assistant',
  model: 'm',
  content: { type: 'text', text: 'to ' + request.params.messages[0].content.text },
}));
handle('elicitation/create', schemas.ElicitRequestSchema, async () => ({
  action: 'accept',
  content: { username: 'ada', email: 'ada@example.com', name: 'ada' },
}));
handle('roots/list', schemas.ListRootsRequestSchema, async () => ({ roots: [{ uri: 'file:///home' }] }));

const check = async (name, body) => {
  await body();
  console.log('ok ' + name);
};
const call = (name, args = {}, options = undefined) =>
  v1
    ? client.callTool({ name, arguments: args }, undefined, options)
    : client.callTool({ name, arguments: args }, options);
const modern = kind === 'v2-auto';

await client.connect(transport);
await check('connects', () => assert.equal(client.getServerVersion().name, 'parlance-fixture'));
await check('lists', async () => {
  const { tools } = await client.listTools();
  assert(tools.length > 20);
  assert.equal(
    tools.find((tool) => tool.name === 'json_schema_2020_12_tool').inputSchema.$defs.address.$anchor,
    'addressDef',
  );
  assert.equal((await client.listResources()).resources.length, 3);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
  assert.equal((await client.listPrompts()).prompts.length, 5);
});
await check('calls', async () => {
  assert.equal((await call('test_simple_text')).content[0].text, 'This is a simple text response for testing.');
  assert.equal((await call('test_error_handling')).isError, true);
  await assert.rejects(call('no_such_tool'), /unknown tool/);
  const all = await Promise.all(Array.from({ length: 50 }, () => call('test_simple_text')));
  assert(all.every((one) => one.content.length === 1));
});
await check('hears_progress', async () => {
  // The SDKs lose notifications in the same read as the reply, because they handle notifications a microtask later: on a busy machine, more
  // than the last.
  let seen;
  for (let tries = 0; tries < 5 && !(seen?.length >= 2); ++tries) {
    seen = [];
    await call('test_tool_with_progress', {}, { onprogress: (progress) => seen.push(progress.progress) });
  }
  assert.deepEqual(seen.slice(0, 2), [0, 50]);
});
await check('is_asked', async () => {
  assert.match((await call('test_sampling', { prompt: 'you' })).content[0].text, /LLM response: to you/);
  assert.match((await call('test_elicitation', { message: 'who?' })).content[0].text, /action=accept.*ada/);
  assert.match((await call('test_input_required_result_list_roots')).content[0].text, /file:\/\/\/home/);
  assert.match((await call('test_input_required_result_multi_round')).content[0].text, /ada/);
});
await check('cancels', async () => {
  const stop = new AbortController();
  let seen = 0;
  await assert.rejects(
    call(
      'test_never_ends',
      {},
      {
        signal: stop.signal,
        onprogress: () => {
          if (++seen === 2) stop.abort(new Error('enough'));
        },
      },
    ),
  );
  assert.equal((await call('test_simple_text')).content.length, 1);
});
await check('reads', async () => {
  assert.match((await client.readResource({ uri: 'test://template/7/data' })).contents[0].text, /"id":"7"/);
  await assert.rejects(client.readResource({ uri: 'test://nothing' }), (error) =>
    [-32002, -32602].includes(error.code),
  );
  const prompt = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'x', arg2: 'y' } });
  assert.match(prompt.messages[0].content.text, /arg1='x'/);
  const proposals = await client.complete({
    ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
    argument: { name: 'arg1', value: 'par' },
  });
  assert.deepEqual(proposals.completion.values, ['paris', 'park', 'party']);
});
if (!modern)
  await check('hears_changes', async () => {
    const heard = new Promise((resolve) => {
      client.setNotificationHandler(
        v1 ? schemas.ResourceUpdatedNotificationSchema : 'notifications/resources/updated',
        (message) => resolve(message.params.uri),
      );
    });
    await client.subscribeResource({ uri: 'test://watched-resource' });
    await call('test_trigger_resource_update');
    assert.equal(await heard, 'test://watched-resource');
    await client.ping();
    await client.setLoggingLevel('error');
  });
await client.close();
console.log('ok all');
process.exit(0);
