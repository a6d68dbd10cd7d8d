// SPDX-License-Identifier: Apache-2.0
// The Claude agent SDK drives parlance serve-claude with a real Claude Code behind, which starts in a second or two, for each question.
// Prints "ok NAME" for each passed check.
//
//   PART: which of them   SDK: folder of the package   PARLANCE: our program   WORK: the working folder   HOME, PARLANCE_*, ANTHROPIC_*: of the test
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
const { createSdkMcpServer, query, tool } = await import(pathToFileURL(`${process.env.SDK}/sdk.mjs`).href);
const { z } = createRequire(`${process.env.SDK}/sdk.mjs`)('zod');
const base = { pathToClaudeCodeExecutable: process.env.PARLANCE, cwd: process.env.WORK, settingSources: [], env: { ...process.env }, canUseTool: async (_, input) => ({ behavior: 'allow', updatedInput: input }) };
const check = (name, holds, detail) => console.log(holds ? `ok ${name}` : `not ok ${name} ${JSON.stringify(detail)}`);
const textOf = (m) => (m.message?.content ?? []).filter?.((b) => b.type === 'text').map((b) => b.text).join('') ?? '';
const mock = (verb, argument = {}) => `@mock ${verb} ${JSON.stringify(argument)}\n`;
const ask = async (prompt, options = {}) => {
  const all = [];
  try {
    for await (const m of query({ prompt, options: { ...base, ...options } })) all.push(m);
  } catch (e) {
    if (!all.at(-1)?.is_error) throw e;  // after a result with an error, the SDK throws too
  }
  return { all, said: all.filter((m) => m.type === 'assistant').map(textOf).join(''), end: all.at(-1) };
};

// The available features before any prompt; the remains of a session without a prompt; the first prompt goes to the same Claude Code.
if (process.env.PART === 'start') {
  let send;
  const waiting = (async function* () {
    const text = await new Promise((r) => { send = r; });
    if (text) yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' };
  })();
  const q = query({ prompt: waiting, options: { ...base, disallowedTools: ['Bash'], mcpServers: { notes: { type: 'stdio', command: 'true' } } } });
  const [commands, models, agents, account] = [await q.supportedCommands(), await q.supportedModels(), await q.supportedAgents(), await q.accountInfo()];
  check('told_before_a_prompt', commands.some((c) => c.name === 'compact') && models.length > 1 && agents.length > 1 && account.apiKeySource === 'ANTHROPIC_API_KEY', { commands, models, agents, account });
  const status = await q.mcpServerStatus();
  check('mcp_status_before_a_prompt', Array.isArray(status), status);
  await q.setModel('claude-haiku-4-5');
  const context = await q.getContextUsage();
  check('requests_before_a_prompt', context.maxTokens > 0, context);
  send(mock('echo'));
  const all = [];
  for await (const m of q) all.push(m);
  const init = all.find((m) => m.subtype === 'init');
  check('set_before_a_prompt', init.model === 'claude-haiku-4-5' && !init.tools.includes('Bash') && all.at(-1).subtype === 'success', all);

  const unused = query({ prompt: (async function* () { yield await new Promise(() => {}); })(), options: base });
  const known = new Set(fs.readdirSync(`${process.env.PARLANCE_STATE}/claude-sessions`));
  await unused.initializationResult();
  unused.close();
  for await (const _ of unused);
  for (let tries = 0; tries < 200 && fs.readdirSync(`${process.env.PARLANCE_STATE}/claude-sessions`).length > known.size; tries++) await new Promise((r) => setTimeout(r, 50));
  check('unused_session', fs.readdirSync(`${process.env.PARLANCE_STATE}/claude-sessions`).every((id) => known.has(id)), [...known]);

  const resumed = query({ prompt: mock('count'), options: { ...base, resume: init.session_id } });
  const again = await resumed.supportedCommands();
  let said = '';
  for await (const m of resumed) if (m.type === 'assistant') said += textOf(m);
  check('told_when_resumed', again.length === commands.length && said === 'COUNT 2', { said });
}

// The answer to initialize contains the reason of a failed start.
if (process.env.PART === 'start') {
  const why = async (options) => {
    const q = query({ prompt: mock('echo'), options: { ...base, ...options } });
    const said = [];
    const told = (async () => { try { for await (const m of q) said.push(m); } catch (e) { said.push(String(e)); } })();
    try { await q.supportedCommands(); return 'started'; } catch (e) { return String(e); } finally { await told; }
  };
  const missing = await why({ env: { ...process.env, PARLANCE_CLAUDE_COMMAND: '/no/such/claude' } });
  check('missing_program', missing.includes('install Claude Code'), missing);
  const flag = await why({ extraArgs: { 'no-such-flag': null } });
  check('unknown_flag', flag.includes('no-such-flag'), flag);
  // Claude Code without a login starts too: the account is reported, and the first result explains the login.
  const { ANTHROPIC_API_KEY: _, ...env } = process.env;
  const q = query({ prompt: mock('echo'), options: { ...base, env } });
  const account = await q.accountInfo();
  let end;
  let thrown;  // the SDK throws after an end with an error
  try { for await (const m of q) end = m; } catch (e) { thrown = String(e); }
  check('not_signed_in', thrown?.includes('login') && account.tokenSource === 'none' && !account.apiKeySource && end.is_error && end.result.includes('login'), { account, end });
}

// MCP servers: one run by the host, one named by the host.
if (process.env.PART === 'options') {
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

// The other options that must reach Claude Code.
if (process.env.PART === 'options') {
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

// Flags only for Claude Code, each as often as given; its results unchanged.
if (process.env.PART === 'options') {
  const folders = ['more', 'most'].map((name) => path.resolve(`${base.cwd}/../${name}`));
  for (const folder of folders) { fs.mkdirSync(folder); fs.writeFileSync(`${folder}/note.txt`, `kept in ${folder}`); }
  const asked = [];
  const canUseTool = async (name, input) => { asked.push(name); return { behavior: 'allow', updatedInput: input }; };
  const read = (folder) => mock('tool', { name: 'Read', input: { file_path: `${folder}/note.txt` } });
  const { all, end } = await ask(read(folders[0]) + read(folders[1]) + mock('echo'), { additionalDirectories: folders, canUseTool, tools: ['Read', 'Bash'] });
  check('add_dir', asked.length === 0 && folders.every((f) => JSON.stringify(all).includes(`kept in ${f}`)), { asked, end });
  const tools = all.find((m) => m.type === 'system' && m.subtype === 'init').tools.filter((name) => !name.startsWith('mcp__'));
  check('tools', tools.sort().join() === 'Bash,Read', tools);
  check('its_own_words', all.some((m) => m.type === 'user' && m.tool_use_result) && Object.keys(end.modelUsage).length > 0 && new Set(all.map((m) => m.session_id)).size === 1, all);

  const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };
  const shaped = await ask(mock('tool', { name: 'StructuredOutput', input: { answer: 42 } }) + mock('echo'), { outputFormat: { type: 'json_schema', schema } });
  check('structured_output', shaped.end.structured_output?.answer === 42, shaped.end);
  const poor = await ask(mock('tool', { name: 'Bash', input: { command: 'true' } }) + mock('echo'), { maxBudgetUsd: 0.000001 });
  check('max_budget', poor.end.subtype === 'error_max_budget_usd' && poor.end.errors[0].includes('budget'), poor.end);

  const events = [];
  const hook = async (input) => { events.push(input.hook_event_name + (input.tool_name ?? '') + input.session_id); return input.hook_event_name === 'PreToolUse' ? { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'echo changed' } } } : {}; };
  const hooked = await ask(mock('tool', { name: 'Bash', input: { command: 'echo as it was' } }) + mock('echo'), { allowedTools: ['Bash(echo:*)'], hooks: Object.fromEntries(['PreToolUse', 'PostToolUse', 'Stop'].map((e) => [e, [{ hooks: [hook] }]])) });
  const own = hooked.end.session_id;
  check('hooks', events.join() === `PreToolUseBash${own},PostToolUseBash${own},Stop${own}` && JSON.stringify(hooked.all).includes('"stdout":"changed"'), { events, all: hooked.all });
}

// Several turns on a stream, including an interrupted turn: each has its own init and result.
if (process.env.PART === 'sessions') {
  let next;
  const user = (content) => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });
  const prompts = (async function* () {
    yield user(mock('tool', { name: 'Bash', input: { command: 'sleep 600' } }));
    await new Promise((r) => { next = r; });
    yield user(mock('text', { text: 'after it' }));
    await new Promise((r) => { next = r; });
  })();
  const all = [];
  const q = query({ prompt: prompts, options: { ...base, includePartialMessages: true } });
  let usage;
  for await (const m of q) {
    all.push(m);
    if (m.subtype === 'success') usage = await q.getContextUsage();
    if (m.type === 'result') next();
    if (all.filter(({ type }) => type === 'assistant').length === 1 && m.type === 'assistant') setTimeout(() => q.interrupt(), 500);
  }
  const kinds = all.map((m) => m.subtype ?? m.type).filter((kind) => ['init', 'success', 'error_during_execution'].includes(kind));
  check('interrupt', kinds.join() === 'init,error_during_execution,init,success' && all.at(-1).result === 'after it', all.map((m) => m.subtype ?? m.type));
  const pieces = all.filter((m) => m.type === 'stream_event' && m.event.delta?.type === 'text_delta').map((m) => m.event.delta.text).join('');
  check('context_usage', usage?.maxTokens > 0, usage);
  check('partial_messages', pieces === 'after it', pieces);
}

// A fork has its own session behind, too: both know the earlier messages, and neither knows the other's.
if (process.env.PART === 'sessions') {
  const first = await ask(mock('text', { text: 'one' }));
  const id = first.end.session_id;
  const fork = await ask(mock('text', { text: 'two' }), { resume: id, forkSession: true });
  const count = async (resume) => Number((await ask(mock('count'), { resume })).said.split(' ')[1]);
  const [of_fork, of_old] = [await count(fork.end.session_id), await count(id)];
  check('fork', fork.end.session_id !== id && of_fork === 3 && of_old === 2, { of_fork, of_old });
}

// Resumed at a message: by Claude Code's name of the message, as a fork and in place of the later messages.
if (process.env.PART === 'sessions') {
  const uuidOf = ({ all }) => all.find((m) => m.type === 'assistant').uuid;
  const first = await ask(mock('text', { text: 'one' }));
  const resume = first.end.session_id;
  await ask(mock('text', { text: 'two' }), { resume });
  const count = async (options) => { const { said, end } = await ask(mock('count'), options); return { said: Number(said.split(' ')[1]), id: end.session_id }; };
  const fork = await count({ resume, resumeSessionAt: uuidOf(first), forkSession: true });
  const forked = await count({ resume: fork.id });
  check('fork_at_a_message', fork.said === 2 && fork.id !== resume && forked.said === 3, { fork, forked });
  const back = await count({ resume, resumeSessionAt: uuidOf(first) });
  const onward = await count({ resume });
  check('resume_at_a_message', back.said === 2 && back.id === resume && onward.said === 3, { back, onward });
  let why = '';
  try { why = JSON.stringify((await ask(mock('count'), { resume, resumeSessionAt: '11111111-2222-4333-8444-555555555555' })).end); } catch (e) { why = String(e); }
  check('resume_at_an_unknown_message', why.includes('No message found'), why);
}
// Hooks with a question are respected even for permitted tools; suggestions come with the question, and the answer returns completely.
if (process.env.PART === 'asks') {
  const bash = (name) => mock('tool', { name: 'Bash', input: { command: `sh -c 'touch ${name}'`, description: 'a command' } });
  const made = (name) => fs.existsSync(path.join(process.env.WORK, name));
  const hooks = { PreToolUse: [{ hooks: [async () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'better ask' } })] }] };
  const asked = [];
  const canUseTool = async (tool, input, { decisionReason }) => { asked.push([tool, decisionReason]); return { behavior: 'deny', message: 'not this one' }; };
  await ask(bash('a'), { hooks, canUseTool, allowedTools: ['Bash'] });
  check('asked_by_hook', JSON.stringify(asked) === '[["Bash","better ask"]]' && !made('a'), asked);
  await ask(bash('b'), { hooks, canUseTool, permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true });
  check('asked_by_hook_in_bypass', asked.length === 2 && !made('b'), asked);

  const suggested = [];
  const always = async (_, input, { suggestions }) => { suggested.push(suggestions); return { behavior: 'allow', updatedInput: input, updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: "sh -c 'touch c'" }], behavior: 'allow', destination: 'session' }] }; };
  await ask(bash('c') + bash('c'), { canUseTool: always });
  check('suggestions', suggested.length === 1 && suggested[0]?.[0]?.type === 'addRules' && made('c'), suggested);
  await ask(bash('d'), { canUseTool: async () => ({ behavior: 'allow', updatedInput: { command: "sh -c 'touch e'" } }) });
  check('input_of_the_host', !made('d') && made('e'), fs.readdirSync(process.env.WORK));
  const stopped = await ask(bash('f') + mock('text', { text: 'on' }), { canUseTool: async () => ({ behavior: 'deny', message: 'stop here', interrupt: true }) });
  check('denied_and_stopped', stopped.end.is_error && stopped.end.terminal_reason === 'aborted_tools' && stopped.said === '' && !made('f'), stopped);
}
console.log('end');
