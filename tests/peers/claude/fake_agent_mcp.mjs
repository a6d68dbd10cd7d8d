// SPDX-License-Identifier: Apache-2.0
// The behaviours of the scripted agent (fake_agent.mjs) with MCP servers of the host.
import { ask, init, result, text } from './fake_agent_wire.mjs';

export const mcpPlays = {
  async mcp() {
    await init();
    const m = (message) => ask({ subtype: 'mcp_message', server_name: 'calc', message });
    await m({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fake', version: '1' } },
    });
    await m({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await m({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await m({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'add', arguments: { a: 2, b: 40 } } });
    await m({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nope', arguments: {} } });
    await ask({
      subtype: 'mcp_message',
      server_name: 'ghost',
      message: { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} },
    });
    await result();
  },
  async memory(prompt) {
    // "remember X" stores X; then reports the search results, and the database in its environment
    await init();
    const say = (message) =>
      ask({ subtype: 'mcp_message', server_name: 'memory', message: { jsonrpc: '2.0', ...message } });
    await say({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fake', version: '1' } },
    });
    await say({ method: 'notifications/initialized' });
    const call = async (id, name, args) =>
      (await say({ id, method: 'tools/call', params: { name, arguments: args } })).response.mcp_response.result;
    const content = prompt.message.content;
    const words = typeof content === 'string' ? content : content.map((block) => block.text).join('');
    if (words.startsWith('remember ')) await call(1, 'memory_store', { text: words.slice(9) });
    const found = await call(2, 'memory_search', { query: words, minScore: 0 });
    await text(
      `found ${found.structuredContent.memories.map((one) => one.text).join()}; store ${process.env.PARLANCE_STORE ?? 'unknown'}`,
    );
    await result();
  },
};
