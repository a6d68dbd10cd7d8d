// SPDX-License-Identifier: Apache-2.0
// The Claude agent SDK drives parlance serve-claude with a real Claude Code behind, which starts in a second or two, for each question.
// Prints "ok NAME" for each passed check.
//
//   PART: which of them   SDK: folder of the package   PARLANCE: our program   WORK: the working folder   HOME, PARLANCE_*, ANTHROPIC_*: of the test
import fs from 'node:fs';
import path from 'node:path';
import { ask, base, check, mock, query, textOf } from './sdk_relay_query.mjs';

// The available features before any prompt; the remains of a session without a prompt; the first prompt goes to the same Claude Code.
if (process.env.PART === 'start') {
  let send;
  const waiting = (async function* () {
    const text = await new Promise((r) => {
      send = r;
    });
    if (text)
      yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' };
  })();
  const q = query({
    prompt: waiting,
    options: { ...base, disallowedTools: ['Bash'], mcpServers: { notes: { type: 'stdio', command: 'true' } } },
  });
  const [commands, models, agents, account] = [
    await q.supportedCommands(),
    await q.supportedModels(),
    await q.supportedAgents(),
    await q.accountInfo(),
  ];
  check(
    'told_before_a_prompt',
    commands.some((c) => c.name === 'compact') &&
      models.length > 1 &&
      agents.length > 1 &&
      account.apiKeySource === 'ANTHROPIC_API_KEY',
    { commands, models, agents, account },
  );
  const status = await q.mcpServerStatus();
  check('mcp_status_before_a_prompt', Array.isArray(status), status);
  await q.setModel('claude-haiku-4-5');
  const context = await q.getContextUsage();
  check('requests_before_a_prompt', context.maxTokens > 0, context);
  send(mock('echo'));
  const all = [];
  for await (const m of q) all.push(m);
  const init = all.find((m) => m.subtype === 'init');
  check(
    'set_before_a_prompt',
    init.model === 'claude-haiku-4-5' && !init.tools.includes('Bash') && all.at(-1).subtype === 'success',
    all,
  );

  const unused = query({
    prompt: (async function* () {
      yield await new Promise(() => {});
    })(),
    options: base,
  });
  const known = new Set(fs.readdirSync(`${process.env.PARLANCE_STATE}/claude-sessions`));
  await unused.initializationResult();
  unused.close();
  for await (const _ of unused);
  for (
    let tries = 0;
    tries < 200 && fs.readdirSync(`${process.env.PARLANCE_STATE}/claude-sessions`).length > known.size;
    tries++
  )
    await new Promise((r) => setTimeout(r, 50));
  check(
    'unused_session',
    fs.readdirSync(`${process.env.PARLANCE_STATE}/claude-sessions`).every((id) => known.has(id)),
    [...known],
  );

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
    const told = (async () => {
      try {
        for await (const m of q) said.push(m);
      } catch (e) {
        said.push(String(e));
      }
    })();
    try {
      await q.supportedCommands();
      return 'started';
    } catch (e) {
      return String(e);
    } finally {
      await told;
    }
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
  let thrown; // the SDK throws after an end with an error
  try {
    for await (const m of q) end = m;
  } catch (e) {
    thrown = String(e);
  }
  check(
    'not_signed_in',
    thrown?.includes('login') &&
      account.tokenSource === 'none' &&
      !account.apiKeySource &&
      end.is_error &&
      end.result.includes('login'),
    { account, end },
  );
}

if (process.env.PART === 'options') await import('./sdk_relay_options.mjs');

// Several turns on a stream, including an interrupted turn: each has its own init and result.
if (process.env.PART === 'sessions') {
  let next;
  const user = (content) => ({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
  });
  const prompts = (async function* () {
    yield user(mock('tool', { name: 'Bash', input: { command: 'sleep 600' } }));
    await new Promise((r) => {
      next = r;
    });
    yield user(mock('text', { text: 'after it' }));
    await new Promise((r) => {
      next = r;
    });
  })();
  const all = [];
  const q = query({ prompt: prompts, options: { ...base, includePartialMessages: true } });
  let usage;
  for await (const m of q) {
    all.push(m);
    if (m.subtype === 'success') usage = await q.getContextUsage();
    if (m.type === 'result') next();
    if (all.filter(({ type }) => type === 'assistant').length === 1 && m.type === 'assistant')
      setTimeout(() => q.interrupt(), 500);
  }
  const kinds = all
    .map((m) => m.subtype ?? m.type)
    .filter((kind) => ['init', 'success', 'error_during_execution'].includes(kind));
  check(
    'interrupt',
    kinds.join() === 'init,error_during_execution,init,success' && all.at(-1).result === 'after it',
    all.map((m) => m.subtype ?? m.type),
  );
  const pieces = all
    .filter((m) => m.type === 'stream_event' && m.event.delta?.type === 'text_delta')
    .map((m) => m.event.delta.text)
    .join('');
  check('context_usage', usage?.maxTokens > 0, usage);
  check('partial_messages', pieces === 'after it', pieces);
}

// A fork has its own session behind, too: both know the earlier messages, and neither knows the other's.
if (process.env.PART === 'sessions') {
  const first = await ask(mock('text', { text: 'one' }));
  const id = first.end.session_id;
  const fork = await ask(mock('text', { text: 'two' }), { resume: id, forkSession: true });
  const count = async (resume) => Number((await ask(mock('count'), { resume })).said.split(' ')[1]);
  const [ofFork, ofOld] = [await count(fork.end.session_id), await count(id)];
  check('fork', fork.end.session_id !== id && ofFork === 3 && ofOld === 2, { ofFork, ofOld });
}

// Resumed at a message: by Claude Code's name of the message, as a fork and in place of the later messages.
if (process.env.PART === 'sessions') {
  const uuidOf = ({ all }) => all.find((m) => m.type === 'assistant').uuid;
  const first = await ask(mock('text', { text: 'one' }));
  const resume = first.end.session_id;
  await ask(mock('text', { text: 'two' }), { resume });
  const count = async (options) => {
    const { said, end } = await ask(mock('count'), options);
    return { said: Number(said.split(' ')[1]), id: end.session_id };
  };
  const fork = await count({ resume, resumeSessionAt: uuidOf(first), forkSession: true });
  const forked = await count({ resume: fork.id });
  check('fork_at_a_message', fork.said === 2 && fork.id !== resume && forked.said === 3, { fork, forked });
  const back = await count({ resume, resumeSessionAt: uuidOf(first) });
  const onward = await count({ resume });
  check('resume_at_a_message', back.said === 2 && back.id === resume && onward.said === 3, { back, onward });
  let why = '';
  try {
    why = JSON.stringify(
      (await ask(mock('count'), { resume, resumeSessionAt: '11111111-2222-4333-8444-555555555555' })).end,
    );
  } catch (e) {
    why = String(e);
  }
  check('resume_at_an_unknown_message', why.includes('No message found'), why);
}
// Hooks with a question are respected even for permitted tools; suggestions come with the question, and the answer returns completely.
if (process.env.PART === 'asks') {
  const bash = (name) =>
    mock('tool', { name: 'Bash', input: { command: `sh -c 'touch ${name}'`, description: 'a command' } });
  const made = (name) => fs.existsSync(path.join(process.env.WORK, name));
  const hooks = {
    PreToolUse: [
      {
        hooks: [
          async () => ({
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              permissionDecision: 'ask',
              permissionDecisionReason: 'better ask',
            },
          }),
        ],
      },
    ],
  };
  const asked = [];
  const canUseTool = async (tool, input, { decisionReason }) => {
    asked.push([tool, decisionReason]);
    return { behavior: 'deny', message: 'not this one' };
  };
  await ask(bash('a'), { hooks, canUseTool, allowedTools: ['Bash'] });
  check('asked_by_hook', JSON.stringify(asked) === '[["Bash","better ask"]]' && !made('a'), asked);
  await ask(bash('b'), {
    hooks,
    canUseTool,
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
  });
  check('asked_by_hook_in_bypass', asked.length === 2 && !made('b'), asked);

  const suggested = [];
  const always = async (_, input, { suggestions }) => {
    suggested.push(suggestions);
    return {
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: "sh -c 'touch c'" }],
          behavior: 'allow',
          destination: 'session',
        },
      ],
    };
  };
  await ask(bash('c') + bash('c'), { canUseTool: always });
  check('suggestions', suggested.length === 1 && suggested[0]?.[0]?.type === 'addRules' && made('c'), suggested);
  await ask(bash('d'), {
    canUseTool: async () => ({ behavior: 'allow', updatedInput: { command: "sh -c 'touch e'" } }),
  });
  check('input_of_the_host', !made('d') && made('e'), fs.readdirSync(process.env.WORK));
  const stopped = await ask(bash('f') + mock('text', { text: 'on' }), {
    canUseTool: async () => ({ behavior: 'deny', message: 'stop here', interrupt: true }),
  });
  check(
    'denied_and_stopped',
    stopped.end.is_error && stopped.end.terminal_reason === 'aborted_tools' && stopped.said === '' && !made('f'),
    stopped,
  );
}
console.log('end');
