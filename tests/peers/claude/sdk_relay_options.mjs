// SPDX-License-Identifier: Apache-2.0
// The options of the SDK that must reach Claude Code, for sdk_relay_host.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { ask, base, check, createSdkMcpServer, mock, tool, z } from './sdk_relay_query.mjs';

// MCP servers: one run by the host, one named by the host.
{
  const sums = [];
  const asked = [];
  const calc = createSdkMcpServer({
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
  const { all, said, end } = await ask(
    mock('tool', { name: 'mcp__calc__add', input: { a: 2, b: 40 } }) +
      mock('tool', { name: 'mcp__notes__memory_search', input: { query: 'anything' } }) +
      mock('echo'),
    {
      mcpServers: { calc, notes },
      canUseTool: async (name, input) => {
        asked.push(name);
        return { behavior: 'allow', updatedInput: input };
      },
    },
  );
  check(
    'sdk_mcp',
    sums.join() === '42' && all.some((m) => m.type === 'user' && JSON.stringify(m.message).includes('the sum is 42')),
    { sums, end },
  );
  check('asked_about', asked.join() === 'mcp__calc__add,mcp__notes__memory_search', asked);
  check('stdio_mcp', said.includes('ECHO') && said.includes('"is_error":false') && end.subtype === 'success', {
    said,
    end,
  });
  const init = all.find((m) => m.type === 'system' && m.subtype === 'init');
  const states = Object.fromEntries(init.mcp_servers.map((s) => [s.name, s.status]));
  check(
    'servers_are_told',
    states.calc === 'connected' &&
      'notes' in states &&
      init.tools.includes('mcp__calc__add') &&
      init.tools.includes('Bash'),
    { states, tools: init.tools },
  );
}

// The other options that must reach Claude Code.
{
  const told = await ask(mock('system', { find: 'You are a pirate.' }), { systemPrompt: 'You are a pirate.' });
  check('system_prompt', told.said === 'SYSTEM true', told.said);
  const added = await ask(mock('system', { find: 'Say arr.' }), {
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Say arr.' },
  });
  check('append', added.said === 'SYSTEM true', added.said);
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const prompts = (async function* () {
    yield {
      type: 'user',
      parent_tool_use_id: null,
      session_id: '',
      message: {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } },
          { type: 'text', text: mock('images') },
        ],
      },
    };
  })();
  const seen = await ask(prompts);
  check('images', seen.said === 'IMAGES 1', seen.said);
  const limited = await ask(
    mock('tool', { name: 'Bash', input: { command: 'true' } }) +
      mock('tool', { name: 'Bash', input: { command: 'true' } }) +
      mock('echo'),
    { maxTurns: 1 },
  );
  check('max_turns', limited.end.subtype === 'error_max_turns' && limited.end.num_turns === 2, limited.end);
}

// Flags only for Claude Code, each as often as given; its results unchanged.
{
  const folders = ['more', 'most'].map((name) => path.resolve(`${base.cwd}/../${name}`));
  for (const folder of folders) {
    fs.mkdirSync(folder);
    fs.writeFileSync(`${folder}/note.txt`, `kept in ${folder}`);
  }
  const asked = [];
  const canUseTool = async (name, input) => {
    asked.push(name);
    return { behavior: 'allow', updatedInput: input };
  };
  const read = (folder) => mock('tool', { name: 'Read', input: { file_path: `${folder}/note.txt` } });
  const { all, end } = await ask(read(folders[0]) + read(folders[1]) + mock('echo'), {
    additionalDirectories: folders,
    canUseTool,
    tools: ['Read', 'Bash'],
  });
  check('add_dir', asked.length === 0 && folders.every((f) => JSON.stringify(all).includes(`kept in ${f}`)), {
    asked,
    end,
  });
  const tools = all
    .find((m) => m.type === 'system' && m.subtype === 'init')
    .tools.filter((name) => !name.startsWith('mcp__'));
  check('tools', tools.sort().join() === 'Bash,Read', tools);
  check(
    'its_own_words',
    all.some((m) => m.type === 'user' && m.tool_use_result) &&
      Object.keys(end.modelUsage).length > 0 &&
      new Set(all.map((m) => m.session_id)).size === 1,
    all,
  );

  const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };
  const shaped = await ask(mock('tool', { name: 'StructuredOutput', input: { answer: 42 } }) + mock('echo'), {
    outputFormat: { type: 'json_schema', schema },
  });
  check('structured_output', shaped.end.structured_output?.answer === 42, shaped.end);
  const poor = await ask(mock('tool', { name: 'Bash', input: { command: 'true' } }) + mock('echo'), {
    maxBudgetUsd: 0.000001,
  });
  check('max_budget', poor.end.subtype === 'error_max_budget_usd' && poor.end.errors[0].includes('budget'), poor.end);

  const events = [];
  const hook = async (input) => {
    events.push(input.hook_event_name + (input.tool_name ?? '') + input.session_id);
    return input.hook_event_name === 'PreToolUse'
      ? {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'allow',
            updatedInput: { command: 'echo changed' },
          },
        }
      : {};
  };
  const hooked = await ask(mock('tool', { name: 'Bash', input: { command: 'echo as it was' } }) + mock('echo'), {
    allowedTools: ['Bash(echo:*)'],
    hooks: Object.fromEntries(['PreToolUse', 'PostToolUse', 'Stop'].map((e) => [e, [{ hooks: [hook] }]])),
  });
  const own = hooked.end.session_id;
  check(
    'hooks',
    events.join() === `PreToolUseBash${own},PostToolUseBash${own},Stop${own}` &&
      JSON.stringify(hooked.all).includes('"stdout":"changed"'),
    { events, all: hooked.all },
  );
}
