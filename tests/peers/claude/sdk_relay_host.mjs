// The Claude agent SDK drives parlance serve-claude with a real Claude Code behind it. Prints "ok NAME" for each check that holds.
//   SDK: folder of the package   PARLANCE: our program   WORK: the working folder   HOME, PARLANCE_*, ANTHROPIC_*: of the test
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
const { createSdkMcpServer, query, tool } = await import(pathToFileURL(`${process.env.SDK}/sdk.mjs`).href);
const { z } = createRequire(`${process.env.SDK}/sdk.mjs`)('zod');
const base = { pathToClaudeCodeExecutable: process.env.PARLANCE, cwd: process.env.WORK, settingSources: [], env: { ...process.env }, canUseTool: async (_, input) => ({ behavior: 'allow', updatedInput: input }) };
const check = (name, holds, detail) => console.log(holds ? `ok ${name}` : `not ok ${name} ${JSON.stringify(detail)}`);
const textOf = (m) => (m.message?.content ?? []).filter?.((b) => b.type === 'text').map((b) => b.text).join('') ?? '';
const mock = (verb, argument = {}) => `@mock ${verb} ${JSON.stringify(argument)}\n`;
const ask = async (prompt, options = {}) => {
  const all = [];
  for await (const m of query({ prompt, options: { ...base, ...options } })) all.push(m);
  return { all, said: all.filter((m) => m.type === 'assistant').map(textOf).join(''), end: all.at(-1) };
};

// MCP servers: one that the host runs, one that it names.
{
  const sums = [];
  const asked = [];
  const calc = createSdkMcpServer({ name: 'calc', version: '1.0.0', tools: [tool('add', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }) => {
    sums.push(a + b);
    return { content: [{ type: 'text', text: `the sum is ${a + b}` }] };
  })] });
  const notes = { type: 'stdio', command: process.env.PARLANCE, args: ['memory', 'serve', `--state=${process.env.PARLANCE_STATE}`] };
  const { all, said, end } = await ask(mock('tool', { name: 'mcp__calc__add', input: { a: 2, b: 40 } }) + mock('tool', { name: 'mcp__notes__memory_search', input: { query: 'anything' } }) + mock('echo'),
    { mcpServers: { calc, notes }, canUseTool: async (name, input) => { asked.push(name); return { behavior: 'allow', updatedInput: input }; } });
  check('sdk_mcp', sums.join() === '42' && all.some((m) => m.type === 'user' && JSON.stringify(m.message).includes('the sum is 42')), { sums, end });
  check('asked_about', asked.join() === 'mcp__calc__add,mcp__notes__memory_search', asked);
  check('stdio_mcp', said.includes('ECHO') && said.includes('"is_error":false') && end.subtype === 'success', { said, end });
  const init = all.find((m) => m.type === 'system' && m.subtype === 'init');
  const states = Object.fromEntries(init.mcp_servers.map((s) => [s.name, s.status]));
  check('servers_are_told', states.calc === 'connected' && 'notes' in states && init.tools.includes('mcp__calc__add') && init.tools.includes('Bash'), { states, tools: init.tools });
}

// What else of the options has to reach it.
{
  const told = await ask(mock('system', { find: 'You are a pirate.' }), { systemPrompt: 'You are a pirate.' });
  check('system_prompt', told.said === 'SYSTEM true', told.said);
  const added = await ask(mock('system', { find: 'Say arr.' }), { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Say arr.' } });
  check('append', added.said === 'SYSTEM true', added.said);
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const prompts = (async function* () {
    yield { type: 'user', parent_tool_use_id: null, session_id: '', message: { role: 'user', content: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } }, { type: 'text', text: mock('images') }] } };
  })();
  const seen = await ask(prompts);
  check('images', seen.said === 'IMAGES 1', seen.said);
  const limited = await ask(mock('tool', { name: 'Bash', input: { command: 'true' } }) + mock('tool', { name: 'Bash', input: { command: 'true' } }) + mock('echo'), { maxTurns: 1 });
  check('max_turns', limited.end.subtype === 'error_max_turns' && limited.end.num_turns === 2, limited.end);
}

// A fork has a session of its own behind it, too: both know what was said before, and neither what the other said.
{
  const first = await ask(mock('text', { text: 'one' }));
  const id = first.end.session_id;
  const fork = await ask(mock('text', { text: 'two' }), { resume: id, forkSession: true });
  const count = async (resume) => Number((await ask(mock('count'), { resume })).said.split(' ')[1]);
  const [of_fork, of_old] = [await count(fork.end.session_id), await count(id)];
  check('fork', fork.end.session_id !== id && of_fork === 3 && of_old === 2, { of_fork, of_old });
}
console.log('end');
