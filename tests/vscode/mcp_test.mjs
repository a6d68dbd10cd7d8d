// SPDX-License-Identifier: Apache-2.0
// MCP servers in a real VS Code: the panel of the page adds, pauses and removes a server, and a login opens the person's browser.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { open } from './session.mjs';
import { eventually } from './workbench.mjs';

const HOST = '127.0.0.2'; // code-server replaces addresses of 127.0.0.1 by its own, without their path
const TOKEN = 'token-of-the-login';

let vs, ui, panel, server, origin;

const results = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'tickets', version: '1' },
  },
  'tools/list': { tools: [{ name: 'find_ticket', inputSchema: { type: 'object' } }] },
};
/** An MCP server that demands a login, and its authorization server. The login page agrees at once. */
const places = {
  '/.well-known/oauth-protected-resource/mcp': () => ({ resource: `${origin}/mcp`, authorization_servers: [origin] }),
  '/.well-known/oauth-authorization-server': () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  }),
  '/register': () => ({ client_id: 'vscode' }),
  '/token': () => ({ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 }),
};
async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, origin);
  response.setHeader('content-type', 'application/json');
  if (pathname === '/authorize') {
    const back = new URL(searchParams.get('redirect_uri'));
    back.searchParams.set('code', 'c0');
    back.searchParams.set('state', searchParams.get('state'));
    response.writeHead(302, { location: back.href }).end();
  } else if (places[pathname])
    response.writeHead(pathname === '/register' ? 201 : 200).end(JSON.stringify(places[pathname]()));
  else if (pathname !== '/mcp') response.writeHead(404).end();
  else if (request.headers.authorization !== `Bearer ${TOKEN}`)
    response
      .writeHead(401, {
        'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      })
      .end();
  else if (request.method !== 'POST') response.writeHead(405).end();
  else {
    const { id, method } = JSON.parse(await text(request));
    if (id === undefined) response.writeHead(202).end();
    else
      response.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          ...(results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no such method' } }),
        }),
      );
  }
}

before(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(0, HOST);
  await once(server, 'listening');
  origin = `http://${HOST}:${server.address().port}`;
  ({ vs, ui } = await open({ files: { 'main.cpp': 'int main() {\n  return 0;\n}\n' } }));
});
after(async () => {
  await ui?.close();
  await vs?.stop();
  server?.closeAllConnections();
  server?.close();
});

const tickets = () => panel.getByRole('region', { name: 'tickets' });
const heading = (state) => tickets().getByRole('heading').filter({ hasText: state });
const press = (name) =>
  tickets()
    .getByRole('button', { name: `${name}: tickets` })
    .click();

test('a command shows the panel, and a server is added with the reason of its failure', async () => {
  await ui.openFile('main.cpp');
  await ui.command('parlance: MCP Servers');
  panel = await ui.webview('h1:has-text("MCP servers")');
  await panel.getByLabel('Name').fill('tickets');
  await panel.getByLabel('Address').fill(`${origin}/mcp`);
  await panel.getByRole('button', { name: 'Add' }).click();
  await heading('failed').waitFor();
  await tickets().getByText('the server requires a login').first().waitFor();
});

test('a login opens the browser of the person, and the tools appear', async () => {
  const browser = ui.page.context().waitForEvent('page', { timeout: 0 });
  await press('Log in');
  await ui.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Open', exact: true }).click();
  const opened = await browser;
  await eventually(() => opened.isClosed() || !opened.url().includes('about:blank'), 'the login page is there');
  await tickets().getByRole('button', { name: 'Log out: tickets' }).waitFor();
  await tickets().getByText('1 tool').click();
  await tickets().getByText('find_ticket').waitFor();
  await ui.picture('mcp');
  await opened.close();
});

test('a server is paused, resumed, restarted and removed', async () => {
  await press('Pause');
  await heading('paused').waitFor();
  await press('Resume');
  await heading('connected').waitFor();
  await press('Restart');
  await heading('connected').waitFor();
  await press('Remove');
  await tickets().waitFor({ state: 'detached' });
  assert.deepEqual(ui.foreign, []);
});
