// SPDX-License-Identifier: Apache-2.0
// MCP servers of the host: in its own process, and a program. The scenario lists the scripted model's calls.
import { base, check, collect, createSdkMcpServer, query, textOf, tool, z } from './sdk_host_query.mjs';

{
  const sums = [];
  const calc = () =>
    createSdkMcpServer({
      name: 'calc',
      version: '1.0.0',
      tools: [
        tool('add', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }) => {
          sums.push(a + b);
          return { content: [{ type: 'text', text: `the sum is ${a + b}` }] };
        }),
      ],
    });
  const notes = {
    type: 'stdio',
    command: process.env.PARLANCE,
    args: ['memory', 'serve', `--state=${process.env.PARLANCE_STATE}`],
  };
  const options = () => ({ ...base, mcpServers: { calc: calc(), notes } });
  const asked = [];
  let behaviour = 'allow';
  const canUseTool = async (name, input) => {
    asked.push(name);
    return behaviour === 'allow'
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: 'no sums today' };
  };
  let all = await collect(query({ prompt: 'add the numbers', options: { ...options(), canUseTool } }));
  const init = all.find((m) => m.type === 'system' && m.subtype === 'init');
  check(
    'mcp_servers_are_told',
    JSON.stringify(init.mcp_servers.map((s) => [s.name, s.status]).sort()) ===
      '[["calc","connected"],["notes","connected"]]',
    init.mcp_servers,
  );
  check(
    'mcp_tools_are_offered',
    ['mcp__calc__add', 'mcp__notes__memory_search'].every((name) => init.tools.includes(name)),
    init.tools,
  );
  check('sdk_mcp_is_called', sums[0] === 42 && all.map(textOf).join('').includes('the sum is 42'), {
    sums,
    said: all.map(textOf),
  });
  check('sdk_mcp_is_asked_about', asked.join() === 'mcp__calc__add', asked);
  behaviour = 'deny';
  all = await collect(query({ prompt: 'add the numbers', options: { ...options(), canUseTool } }));
  check(
    'sdk_mcp_refused',
    sums.length === 1 && asked.length === 2 && all.at(-1).permission_denials[0]?.tool_name === 'mcp__calc__add',
    all.at(-1),
  );
  await collect(
    query({ prompt: 'add the numbers', options: { ...options(), canUseTool, allowedTools: ['mcp__calc__add'] } }),
  );
  check('allowed_tools', sums.length === 2 && asked.length === 2, { sums, asked });
  behaviour = 'allow';
  all = await collect(query({ prompt: 'search the notes', options: { ...options(), canUseTool } }));
  check(
    'stdio_mcp_is_called',
    asked.at(-1) === 'mcp__notes__memory_search' &&
      all.some((m) => m.type === 'user' && m.message.content.some?.((b) => b.type === 'tool_result' && !b.is_error)),
    { asked, all },
  );

  all = await collect(
    query({ prompt: 'search the notes', options: { ...options(), canUseTool, mcpServersDelivery: 'initialize' } }),
  );
  check(
    'servers_by_initialize',
    asked.length === 4 && asked.at(-1) === 'mcp__notes__memory_search' && all.at(-1).subtype === 'success',
    { asked, all },
  );

  let more;
  const prompts = (async function* () {
    yield { type: 'user', message: { role: 'user', content: 'long 3' }, parent_tool_use_id: null, session_id: '' };
    await new Promise((r) => {
      more = r;
    });
  })();
  let status;
  const q = query({ prompt: prompts, options: options() });
  await collect(q, async (m) => {
    if (m.type !== 'result') return;
    status = await q.mcpServerStatus();
    more();
  });
  check('mcp_status', status?.find((s) => s.name === 'calc')?.status === 'connected', status);
}
