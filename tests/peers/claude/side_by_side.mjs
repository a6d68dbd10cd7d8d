// SPDX-License-Identifier: Apache-2.0
// The same program of the Claude agent SDK, run twice: first against the real Claude Code, then against `parlance serve-claude` with our
// own agent. Both use the same scripted model (tests/peers/models/mock-anthropic). The host's views are compared line by line;
// `notCompared` and `toldOtherwise` list the exceptions with their reasons. Prints "ok NAME" for each equal scenario.
//
//   SDK: folder of the package   CLAUDE: the real CLI   PARLANCE: our program   WORK: an empty folder   ONLY: names, parted by commas
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { start } from '../models/mock-anthropic/server.mjs';
import { environmentOf } from './environment.mjs';
import { scenarios } from './side_by_side_scenarios.mjs';
const { query } = await import(pathToFileURL(`${process.env.SDK}/sdk.mjs`).href);

// ---- exceptions from the comparison, with reasons

// Of messages and hook inputs: generated names, times and prices, and members about Claude Code itself.
const notCompared = new Set([
  'uuid',
  'session_id',
  'transcript_path',
  'request_id',
  'user_message_uuid',
  'prompt_id', // generated
  'duration_ms',
  'duration_api_ms',
  'ttft_ms',
  'time_to_request_ms',
  'total_cost_usd',
  'modelUsage',
  'fast_mode_state', // times, prices, plans
  'usage',
  'iterations',
  'context_management',
  'container',
  'stop_details',
  'diagnostics', // accounts of Anthropic's API
  'effort',
  'agent_id',
  'agent_type', // features missing in our agent
  'display_name',
  'title',
  'description', // decoration of questions, in words of our own
  'tool_use_result',
  'timestamp',
  'signature',
  'caller',
]);

const homeOf = (base, who) => path.join(base, who);

const trimmed = (prompt) => (typeof prompt === 'string' ? prompt.trimEnd() : prompt);

// The hooks of a scenario. Each input is noted.
function hooksOf(scenario, note) {
  const hook = (event, answer) => async (input) => {
    note({ hook: input });
    return (typeof answer === 'function' ? await answer(input) : answer) ?? {};
  };
  const hooks = {};
  for (const [event, list] of Object.entries(scenario.hooks ?? {}))
    hooks[event] = list.map(({ matcher, answer, timeout }) => ({
      ...(matcher === undefined ? {} : { matcher }),
      ...(timeout ? { timeout } : {}),
      hooks: [hook(event, answer)],
    }));
  return hooks;
}

// A program run once: everything that the host received, in order.
async function run(scenario, who, model) {
  const base = homeOf(path.join(process.env.WORK, String(scenarios.indexOf(scenario))), who); // short: the path of the agent's socket
  const cwd = path.join(base, 'work');
  fs.mkdirSync(cwd, { recursive: true });
  fs.mkdirSync(path.join(base, 'home'));
  fs.writeFileSync(path.join(cwd, 'note.txt'), 'one\ntwo\nthree\n');
  fs.writeFileSync(path.join(base, 'key'), 'dummy', { mode: 0o600 });
  const saw = [];
  const note = (entry) => saw.push(entry);
  let errors = '';
  const spawnClaudeCodeProcess = ({ command, args, cwd: folder, env: environment, signal }) => {
    const child = spawn(command, args, { cwd: folder, env: environment, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stderr.on('data', (data) => {
      errors += data;
    });
    child.on('exit', (code, name) => note({ exit: name ?? code }));
    return child;
  };
  const hooks = hooksOf(scenario, note);
  const settled = { work: cwd, base, note };
  const options = {
    pathToClaudeCodeExecutable: who === 'claude' ? process.env.CLAUDE : process.env.PARLANCE,
    cwd,
    env: environmentOf(base, model),
    settingSources: [],
    model: 'claude-sonnet-4-5',
    spawnClaudeCodeProcess,
    ...(Object.keys(hooks).length ? { hooks } : {}),
    ...(scenario.options instanceof Function ? scenario.options(settled) : (scenario.options ?? {})),
  };
  if (scenario.asked)
    options.canUseTool = async (tool, input, { signal: _, ...more }) => {
      note({ ask: tool, input, ...more });
      return scenario.asked instanceof Function ? scenario.asked(tool, input, more, settled) : scenario.asked;
    };
  const q = query({
    prompt: trimmed(scenario.prompt instanceof Function ? scenario.prompt(settled) : scenario.prompt),
    options,
  });
  settled.query = q;
  try {
    for await (const message of q) {
      note(message);
      if (scenario.each) await scenario.each(message, settled);
    }
    note({ end: 'quiet' });
  } catch (error) {
    note({ end: String(error.message).replace(/^(Claude Code process exited with code \d+)[^]*/, '$1') });
  }
  for (let i = 0; i < 400 && !saw.some((one) => 'exit' in one); i++) await new Promise((done) => setTimeout(done, 50));
  if (scenario.after) scenario.after(settled);
  return { saw, errors, cwd, base };
}

// ---- the same words for the same things

function plain({ saw, cwd, base }) {
  const text = (s) =>
    s
      .replaceAll(fs.realpathSync(cwd), '<work>')
      .replaceAll(cwd, '<work>')
      .replaceAll(base, '<base>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replace(/\bmsg_\w+/g, '<message>')
      .replace(/\btoolu_mock\w+/g, '<call>');
  const walk = (value, key) => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map((one) => walk(one));
    if (value === null || typeof value !== 'object') return value;
    const out = {};
    for (const name of Object.keys(value).sort())
      if (!notCompared.has(name) || key === 'input' || key === 'tool_input')
        if (value[name] !== undefined) out[name] = walk(value[name], name);
    return out;
  };
  return saw
    .map((entry) => walk(entry))
    .map(toldOtherwise)
    .filter((entry) => entry !== undefined)
    .map((entry) => walk(entry))
    .filter((entry, i, all) => !(entry.event?.delta && JSON.stringify(entry) === JSON.stringify(all[i - 1]))); // how many pieces a text has
}

// Members with different contents on both sides. All unnamed members are equal.
function toldOtherwise(entry) {
  // 2.1.112 reports neither the beginning of a session to the SDK's hooks nor, because the input is closed by then, its end; parlance
  // reports both.
  if (['SessionStart', 'SessionEnd'].includes(entry.hook?.hook_event_name)) return undefined;
  // A word for the person's eyes about a Stop hook; the host has been told of the hook's word itself.
  if (entry.subtype === 'notification') return undefined;
  if (entry.subtype === 'init')
    return { init: entry.permissionMode, cwd: entry.cwd, model: entry.model, servers: entry.mcp_servers }; // tools, skills, versions: of each its own
  if ('interrupted' in entry) return { interrupted: true }; // 2.1.329 names the queued messages, and so does parlance
  delete entry.requestId; // of the SDK's, numbered by each in its own way
  if (entry.hook) {
    resultOfATool(entry.hook, 'error');
    const told = entry.hook.tool_response;
    if (told && typeof told === 'object')
      for (const name of ['structuredPatch', 'userModified', 'noOutputExpected']) delete told[name]; // accounts of Claude Code's own
  }
  for (const input of [
    entry.hook?.tool_input,
    entry.input,
    ...(entry.permission_denials ?? []).map((one) => one.tool_input),
  ])
    withoutDefaults(input);
  for (const block of entry.message?.content ?? []) {
    if (block.type === 'tool_use') withoutDefaults(block.input);
    if (block.type === 'tool_result') {
      block.is_error ??= false;
      resultOfATool(block, 'content', block.is_error);
    }
  }
  if (entry.event?.delta?.type === 'input_json_delta') return undefined; // Claude Code streams pieces, parlance the whole
  if (entry.event?.content_block?.type === 'tool_use') entry.event.content_block.input = {};
  if (entry.event?.delta?.type?.endsWith('_delta'))
    for (const name of ['text', 'thinking']) if (name in entry.event.delta) entry.event.delta[name] = '<piece>';
  if (entry.message?.model === '<synthetic>') entry.message.content = ['<what went wrong>']; // in the words of each
  if (entry.end) entry.end = entry.end.replace(/(an error result: )[^]*/, '$1…');
  for (const block of entry.message?.content ?? [])
    if (/^(w\d* ?)+$/.test(block.text)) block.text = '<as far as it came>'; // of an interrupted answer
  if (entry.type === 'result') {
    if (entry.is_error && entry.result) entry.result = '<what went wrong>';
    entry.api_error_status ??= null; // an empty value is omitted
    entry.stop_reason ??= null;
    if (entry.terminal_reason?.startsWith('aborted_')) entry.errors = ['<what it says of itself>'];
  }
  return entry;
}
// The output of a run tool differs; refusals are compared word by word.
function resultOfATool(of, member, failed = true) {
  if (typeof of[member] !== 'string') return;
  if (!failed) of[member] = '<result>';
  else if (waysToFail.some((way) => way.test(of[member]))) of[member] = '<failed>';
}
const waysToFail = [
  /^(Exit code|exit status) /, // a command
  /^<tool_use_error>/,
  /^there is no tool called /,
  /^\w+: \$\./, // calls that could not run
  /^Tool permission request failed: AbortError$/,
  /^Interrupted before it had ended\.$/,
]; // calls that were not awaited
function withoutDefaults(input) {
  if (input?.replace_all === false) delete input.replace_all; // added by Claude Code
}

const only = (process.env.ONLY ?? '').split(',').filter(Boolean);
const atOnce = 3; // scenarios; a starting Node program waits more than it works

async function compare(scenario) {
  const [claude, ours] = [await run(scenario, 'claude', model), await run(scenario, 'parlance', model)];
  // How many pieces come between an interruption and its effect is a matter of moments.
  const piece = (one) => scenario.cut && one.event?.delta?.text === '<piece>';
  const [a, b] = [claude, ours].map((ran) =>
    plain(ran)
      .filter((one) => !piece(one))
      .map((one) => JSON.stringify(one)),
  );
  const same = a.join('\n') === b.join('\n');
  if (scenario.differs ? !same && scenario.differs[1](plain(ours)) : same) return `ok ${scenario.name}`;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return [
    `not ok ${scenario.name}: ${i} lines are the same, then`,
    ...a.slice(i).map((one) => `  claude    ${one}`),
    ...b.slice(i).map((one) => `  parlance  ${one}`),
    ours.errors && `  parlance said ${ours.errors}`,
  ]
    .filter(Boolean)
    .join('\n');
}

const model = await start();
const waiting = scenarios.filter(({ name }) => only.length === 0 || only.includes(name));
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) console.log(await compare(next));
  }),
);
model.close();
console.log('end');
