// SPDX-License-Identifier: Apache-2.0
// The clients of the MCP SDKs with sqlite-helper. Arguments: v1 | v2 | v2-auto, a database with a table users(id, name) of ada and bob,
// then a URL or `-- COMMAND…`. MCP_PEERS is the folder with node_modules. Prints "ok NAME" for each check; the first failure ends the
// program.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.env.MCP_PEERS + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [kind, dbPath, where, ...command] = process.argv.slice(2);
const v1 = kind === 'v1';
const modern = kind === 'v2-auto';

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
  { capabilities: {}, ...(modern ? { versionNegotiation: { mode: 'auto' } } : {}) },
);

const check = async (name, body) => {
  await body();
  console.log('ok ' + name);
};
const call = (name, args, options = undefined) =>
  v1
    ? client.callTool({ name, arguments: args }, undefined, options)
    : client.callTool({ name, arguments: args }, options);
const read = async (sql, more = {}) => {
  const result = await call('read_query', { db_path: dbPath, sql, ...more });
  if (result.isError) throw new Error(result.content[0].text);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
};
const write = async (sql, more = {}) =>
  (await call('write_query', { db_path: dbPath, sql, ...more })).structuredContent;
const names = async () => (await read('SELECT name FROM users ORDER BY id')).rows.map((row) => row.name).join();
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n';

await client.connect(transport);
await check('connects', () => assert.equal(client.getServerVersion().name, 'sqlite-helper'));
await check('lists', async () => {
  const { tools } = await client.listTools(); // from here on the SDK checks structuredContent against outputSchema
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['read_query', 'get_schema', 'write_query', 'apply_preview', 'undo_writes', 'take_snapshot'],
  );
  assert.equal(tools[0].annotations.readOnlyHint, true);
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map((resource) => resource.name),
    ['users'],
  );
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
  assert.deepEqual(
    (await client.listPrompts()).prompts.map((prompt) => prompt.name),
    ['analyze-db-health'],
  );
});
await check('reads', async () => {
  const page = await read('SELECT * FROM users WHERE id < ? ORDER BY id', { params: [9], limit: 1 });
  assert.deepEqual(page.rows, [{ id: 1, name: 'ada' }]);
  assert.equal(page.next_offset, 1);
  assert.deepEqual((await read("SELECT x'00ff' AS b, NULL AS n, 1.0 AS r")).rows, [
    { b: { $type: 'blob', base64: 'AP8=', size: 2 }, n: null, r: 1 },
  ]);
  const schema = (await call('get_schema', { db_path: dbPath })).structuredContent;
  assert.equal(schema.tables[0].columns[0].pk, 1);
});
await check('is_refused', async () => {
  await assert.rejects(read('DELETE FROM users'), /NOT_READONLY: /);
  await assert.rejects(read('SELECT nothing'), /SQL_ERROR: /);
  assert.match(
    (await call('read_query', { db_path: '/none.db', sql: 'SELECT 1' })).content[0].text,
    /^DB_OPEN_FAILED: /,
  );
  await assert.rejects(call('no_such_tool', {}), (error) => error.code === -32602);
});
await check('writes', async () => {
  assert.deepEqual(await write("INSERT INTO users(name) VALUES('cyd')"), { changes: 1, last_insert_rowid: 3 });
  const { preview } = await write('UPDATE users SET name = upper(name)', { preview: true });
  assert.equal(preview.changes, 3);
  assert.equal(await names(), 'ada,bob,cyd');
  await call('apply_preview', { db_path: dbPath, preview_id: preview.id });
  assert.equal(await names(), 'ADA,BOB,CYD');
  await call('undo_writes', { db_path: dbPath, count: 2 });
  assert.equal(await names(), 'ada,bob');
});
await check('many_at_once', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, (_, i) => read('SELECT ? AS i', { params: [i] })));
  assert(all.every((page, i) => page.rows[0].i === i));
});
await check('reads_resources', async () => {
  const uri = `sqlite://${dbPath}/tables/users`;
  const { contents } = await client.readResource({ uri: uri + '?limit=1' });
  assert.equal(contents[0].mimeType, 'application/json');
  assert.equal(JSON.parse(contents[0].text).rows.length, 1);
  await assert.rejects(client.readResource({ uri: uri + 'x' }), (error) => [-32002, -32602].includes(error.code));
});
await check('examines', async () => {
  const { messages } = await client.getPrompt({ name: 'analyze-db-health', arguments: { db_path: dbPath } });
  assert.match(messages[0].content.text, /integrity_check: ok/);
  assert.equal(JSON.parse(messages[1].content.resource.text).tables[0].rows, 2);
  await assert.rejects(client.getPrompt({ name: 'analyze-db-health' }), (error) => error.code === -32602);
});
await check('completes', async () => {
  const ref = { type: 'ref/resource', uri: 'sqlite://{+db_path}/tables/{table}{?limit,offset}' };
  assert.deepEqual((await client.complete({ ref, argument: { name: 'table', value: 'u' } })).completion.values, [
    'users',
  ]);
});
await check('cancels', async () => {
  const stop = new AbortController();
  const running = assert.rejects(
    call('read_query', { db_path: dbPath, sql: endless, timeout_ms: 0 }, { signal: stop.signal }),
  );
  await client.listTools(); // the previous call has been read
  stop.abort(new Error('enough'));
  await running;
  assert.equal(await names(), 'ada,bob'); // only when the statement has ended
});
if (!modern)
  await check('hears_changes', async () => {
    const uri = `sqlite://${dbPath}/tables/users`;
    const heard = new Promise((resolve) => {
      client.setNotificationHandler(
        v1 ? schemas.ResourceUpdatedNotificationSchema : 'notifications/resources/updated',
        (message) => resolve(message.params.uri),
      );
    });
    await client.subscribeResource({ uri });
    await write("INSERT INTO users(name) VALUES('dee')");
    assert.equal(await heard, uri);
    await client.unsubscribeResource({ uri });
    await client.setLoggingLevel('error');
    await client.ping();
  });
await client.close();
console.log('ok all');
process.exit(0);
