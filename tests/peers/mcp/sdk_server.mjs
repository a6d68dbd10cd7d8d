// SPDX-License-Identifier: Apache-2.0
// Servers made with the MCP SDKs, for our client. Arguments: v1 | v2, then `stdio`, `http` or (v1) `sse`; over HTTP the first line of output is
// the URL. MCP_PEERS is the folder with node_modules.
import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.env.MCP_PEERS + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [kind, way] = process.argv.slice(2);
const v1 = kind === 'v1';
const { McpServer } = await load(v1 ? '@modelcontextprotocol/sdk/server/mcp.js' : '@modelcontextprotocol/server');
const { z } = await load('zod');

function make() {
  const server = new McpServer({ name: 'sdk-' + kind, version: '1' }, { capabilities: { logging: {} } });
  const field = (shape) => (v1 ? shape : z.object(shape));
  server.registerTool(
    'add',
    { description: 'Adds.', inputSchema: field({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  server.registerTool('slow', { description: 'Tells how far it is.', inputSchema: field({}) }, async (_, extra) => {
    const context = extra.mcpReq ?? extra;
    const token = (extra._meta ?? context._meta)?.progressToken;
    for (const progress of [1, 2, 3]) {
      const notice = { method: 'notifications/progress', params: { progressToken: token, progress } };
      if (token !== undefined) await (extra.sendNotification ?? ((n) => context.notify(n)))(notice);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { content: [{ type: 'text', text: 'done' }] };
  });
  const ask = (extra, method, params) => extra.sendRequest({ method, params }, z.any());
  if (v1) {
    server.registerTool('asks', { description: 'Asks the person.', inputSchema: {} }, async (_, extra) => {
      const told = await ask(extra, 'elicitation/create', {
        message: 'Which one?',
        requestedSchema: {
          type: 'object',
          properties: { which: { type: 'string', enum: ['left', 'right'] } },
          required: ['which'],
        },
      });
      return { content: [{ type: 'text', text: told.action + ' ' + (told.content?.which ?? '') }] };
    });
    server.registerTool('samples', { description: 'Asks the model.', inputSchema: {} }, async (_, extra) => {
      const told = await ask(extra, 'sampling/createMessage', {
        messages: [{ role: 'user', content: { type: 'text', text: 'one word' } }],
        maxTokens: 10,
      });
      return { content: [{ type: 'text', text: told.content.text + ' by ' + told.model }] };
    });
  }
  server.registerTool('dies', { description: 'Ends the server.', inputSchema: field({}) }, async () => {
    console.error('told to die');
    process.exit(3);
  });
  server.registerResource('note', 'note://one', { description: 'A note.' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }));
  server.registerPrompt('hello', { description: 'Says hello.' }, async () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  }));
  return server;
}

function listen(handler) {
  const server = http.createServer(handler);
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}

if (way === 'stdio') {
  if (v1) {
    const { StdioServerTransport } = await load('@modelcontextprotocol/sdk/server/stdio.js');
    await make().connect(new StdioServerTransport());
  } else {
    const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
    serveStdio(make);
  }
} else if (way === 'sse') {
  const { SSEServerTransport } = await load('@modelcontextprotocol/sdk/server/sse.js');
  const sessions = new Map();
  listen(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (request.method === 'POST') {
      const known = sessions.get(url.searchParams.get('sessionId'));
      return known ? known.handlePostMessage(request, response) : response.writeHead(404).end();
    }
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    await make().connect(transport);
  });
} else if (v1) {
  const { StreamableHTTPServerTransport } = await load('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const sessions = new Map();
  listen(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await make().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
} else {
  const { createMcpHandler } = await load('@modelcontextprotocol/server');
  const handler = createMcpHandler(make);
  listen(async (request, response) => {
    const body = [];
    for await (const piece of request) body.push(piece);
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method,
        headers: request.headers,
        ...(body.length ? { body: Buffer.concat(body) } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const piece of answer.body) response.write(piece);
    response.end();
  });
}
