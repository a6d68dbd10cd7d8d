// SPDX-License-Identifier: Apache-2.0
// What the host of side_by_side.mjs does: the same with either program.
import fs from 'node:fs';
import path from 'node:path';

const step = (verb, argument = {}) => `@mock ${verb} ${JSON.stringify(argument)}\n`;
const call = (name, input) => step('tool', { name, input });
const read = (work) => call('Read', { file_path: path.join(work, 'note.txt') });
const write = (work, name = 'new.txt', content = 'new\n') => call('Write', { file_path: path.join(work, name), content });
const made = "sh -c 'touch made'"; // nothing that either of them knows to be harmless
const bash = (command) => call('Bash', { command, description: 'a command' });
const told = step('text', { text: 'That is it.' });

const everything = (answers = {}) => {
  const hooks = {};
  for (const event of ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'Stop', 'SessionStart', 'SessionEnd', 'PermissionRequest', 'Notification'])
    hooks[event] = [{ answer: answers[event] ?? {} }];
  return hooks;
};
const decided = (permissionDecision, permissionDecisionReason, more = {}) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason, ...more } });
const pre = (answer, matcher) => ({ PreToolUse: [{ ...(matcher === undefined ? {} : { matcher }), answer }] });
const yes = async (_, input) => ({ behavior: 'allow', updatedInput: input });
const mode = (permissionMode) => ({ permissionMode, ...(permissionMode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}) });

// A prompt that stays open: what comes later is said with `settled.say`, and `settled.over` ends it.
const open = (first) => (settled) => (async function* () {
  const user = (text) => ({ type: 'user', message: { role: 'user', content: text.trimEnd() }, parent_tool_use_id: null, session_id: '' });
  const waiting = [];
  let wake = () => {};
  settled.say = (text) => { waiting.push(text); wake(); };
  settled.over = () => settled.say(null);
  yield user(first instanceof Function ? first(settled.work) : first);
  for (;;) {
    while (waiting.length === 0) await new Promise((done) => { wake = done; });
    const next = waiting.shift();
    if (next === null) return;
    yield user(next);
  }
})();
const once = (make) => (settled) => make(settled.work);

// What the first refused tool was told.
const refused = (saw) => saw.flatMap((one) => one.message?.content ?? []).find((block) => block.type === 'tool_result' && block.is_error)?.content ?? '';

export const scenarios = [
  // ---- every call passes the hooks, whatever the mode
  ...['default', 'acceptEdits', 'bypassPermissions', 'plan'].map((name) => (
    { name: `read_in_${name}`, prompt: once((work) => read(work) + told), options: mode(name), hooks: pre({}), asked: yes })),
  ...['default', 'acceptEdits', 'bypassPermissions', 'plan'].map((name) => (
    { name: `denied_by_hook_in_${name}`, prompt: once((work) => read(work) + write(work) + bash(made) + told), options: mode(name), hooks: pre(decided('deny', 'not today')), asked: yes })),
  { name: 'write_in_acceptEdits', prompt: once((work) => write(work) + told), options: mode('acceptEdits'), hooks: { PreToolUse: [{ answer: {} }], PostToolUse: [{ answer: {} }] }, asked: yes },
  { name: 'bash_in_bypassPermissions', prompt: bash(made) + told, options: mode('bypassPermissions'), hooks: { PreToolUse: [{ answer: {} }], PostToolUse: [{ answer: {} }] }, asked: yes },
  { name: 'write_in_plan', prompt: once((work) => write(work) + told), options: mode('plan'), hooks: pre({}), asked: yes,
    differs: ['plan mode changes nothing, whoever allows it; Claude Code asks the host', (saw) => refused(saw).includes('mode plan') && !saw.some((one) => one.ask)] },
  { name: 'disallowed_in_bypassPermissions', prompt: bash(made) + told, options: { ...mode('bypassPermissions'), disallowedTools: ['Bash(sh:*)'] }, hooks: pre({}), asked: yes },

  // ---- matchers
  { name: 'matchers', prompt: once((work) => read(work) + bash(made) + write(work) + call('Edit', { file_path: path.join(work, 'note.txt'), old_string: 'two', new_string: '2' }) + told), options: mode('bypassPermissions'),
    hooks: { PreToolUse: [{ matcher: 'Bash', answer: {} }, { matcher: 'Edit|Write', answer: {} }, { matcher: '*', answer: {} }, { matcher: '', answer: {} }, { matcher: 'Re.*', answer: {} }, { matcher: 'ead', answer: {} }] } },

  // ---- what a hook decides
  { name: 'allowed_by_hook', prompt: bash(made) + told, hooks: pre(decided('allow', 'fine')), asked: yes },
  { name: 'asked_by_hook', prompt: bash(made) + told, hooks: pre(decided('ask', 'better ask')), options: { allowedTools: ['Bash'] }, asked: yes },
  { name: 'asked_by_hook_about_a_read', prompt: once((work) => read(work) + told), hooks: pre(decided('ask', 'better ask')), options: { allowedTools: ['Read'] }, asked: { behavior: 'deny', message: 'no reading' } },
  { name: 'asked_by_hook_in_bypassPermissions', prompt: bash(made) + told, hooks: pre(decided('ask', 'better ask')), options: mode('bypassPermissions'), asked: yes },
  { name: 'input_of_hook', prompt: bash(made) + told, hooks: pre(decided('allow', 'with another', { updatedInput: { command: 'touch other' } })), asked: yes,
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }) },
  { name: 'input_of_hook_is_asked_about', prompt: bash(made) + told, hooks: pre({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: "sh -c 'touch other'", description: 'o' } } }), asked: yes,
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }) },
  { name: 'input_of_hook_asked', prompt: bash(made) + told, hooks: pre(decided('ask', 'look', { updatedInput: { command: 'touch other' } })), options: { allowedTools: ['Bash'] }, asked: yes,
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }) },
  { name: 'input_of_host', prompt: bash(made) + told, hooks: { PostToolUse: [{ answer: {} }] }, asked: { behavior: 'allow', updatedInput: { command: 'touch third' } },
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }) },
  { name: 'stopped_by_hook', prompt: bash(made) + told, hooks: pre({ continue: false, stopReason: 'enough of this' }), asked: yes },
  { name: 'blocked_by_hook', prompt: bash(made) + told, hooks: pre({ decision: 'block', reason: 'the old way' }), asked: yes },
  { name: 'hook_says', prompt: once((work) => read(work) + told), hooks: pre({ systemMessage: 'a word to the person', hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'a word to the model' } }) },
  { name: 'hook_fails', prompt: bash(made) + told, hooks: pre(() => { throw new Error('broken'); }), asked: yes },
  { name: 'hook_nonsense', prompt: bash(made) + told, hooks: pre({ decision: 17 }), asked: yes },
  { name: 'hook_takes_too_long', prompt: bash(made) + told, hooks: { PreToolUse: [{ answer: () => new Promise(() => {}), timeout: 1 }] }, asked: yes,
    differs: ['a hook that does not answer forbids, as since 2.1.329; 2.1.112 goes on', (saw) => refused(saw).startsWith('A hook of the host failed') && !saw.some((one) => one.ask)] },
  { name: 'two_hooks', prompt: bash(made) + told, hooks: { PreToolUse: [{ answer: decided('allow', 'yes') }, { answer: decided('deny', 'no') }] }, asked: yes },
  { name: 'allow_and_ask', prompt: bash(made) + told, hooks: { PreToolUse: [{ answer: decided('allow', 'yes') }, { answer: decided('ask', 'hm') }] }, asked: yes },

  // ---- the other events
  { name: 'all_events', prompt: bash(made) + bash("sh -c 'exit 3'") + told, hooks: everything(), asked: yes },
  { name: 'all_events_of_a_refusal', prompt: bash(made) + told, hooks: everything(), asked: { behavior: 'deny', message: 'not this one' } },
  { name: 'prompt_blocked', prompt: 'hello', hooks: { UserPromptSubmit: [{ answer: { decision: 'block', reason: 'not that' } }] } },
  { name: 'prompt_stopped', prompt: 'hello', hooks: { UserPromptSubmit: [{ answer: { continue: false, stopReason: 'stop it' } }] } },
  { name: 'prompt_context', prompt: 'hello', hooks: { UserPromptSubmit: [{ answer: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'more to know' } } }] } },
  { name: 'post_block', prompt: once((work) => read(work) + told), hooks: { PostToolUse: [{ answer: { decision: 'block', reason: 'look again' } }] } },
  { name: 'post_stop', prompt: once((work) => read(work) + told), hooks: { PostToolUse: [{ answer: { continue: false, stopReason: 'that will do' } }] } },
  { name: 'post_context', prompt: once((work) => read(work) + told), hooks: { PostToolUse: [{ answer: { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'of the result' } } }] } },
  { name: 'stop_block', prompt: step('text', { text: 'one' }), hooks: { Stop: [{ answer: (input) => (input.stop_hook_active ? {} : { decision: 'block', reason: 'go on a little' }) }] } },
  { name: 'stop_stop', prompt: step('text', { text: 'one' }), hooks: { Stop: [{ answer: { continue: false, stopReason: 'indeed' } }] } },

  // ---- questions to the host
  { name: 'suggestions', prompt: once((work) => bash(made) + bash('git push origin main') + write(work) + call('Read', { file_path: '/etc/hostname' }) + told),
    asked: { behavior: 'deny', message: 'not this one' } },
  { name: 'write_outside', prompt: call('Write', { file_path: '/etc/should-not-exist', content: 'x' }) + told, asked: { behavior: 'deny', message: 'not this one' },
    differs: ['nothing is written outside of the folders, whoever allows it; Claude Code asks', (saw) => refused(saw).includes('/etc/should-not-exist') && !saw.some((one) => one.ask)] },
  { name: 'always', prompt: bash('git init a') + bash('git init b') + told, asked: async (_, input) => ({ behavior: 'allow', updatedInput: input, updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'git init:*' }], behavior: 'allow', destination: 'session' }] }) },
  { name: 'always_edits', prompt: once((work) => write(work, 'a.txt') + write(work, 'b.txt') + told), asked: async (_, input, { suggestions }) => ({ behavior: 'allow', updatedInput: input, updatedPermissions: suggestions }) },
  { name: 'allowed_rule', prompt: bash('git init a') + bash(made) + told, options: { allowedTools: ['Bash(git init:*)'] }, asked: { behavior: 'deny', message: 'only init' } },
  { name: 'denied_rule', prompt: bash('git init a') + bash('true && git push') + told, options: { disallowedTools: ['Bash(git push:*)'], allowedTools: ['Bash'] }, asked: yes },
  { name: 'denied_and_stopped', prompt: bash(made) + told, asked: { behavior: 'deny', message: 'stop here', interrupt: true } },
  { name: 'nobody_to_ask', prompt: bash(made) + told, hooks: pre({}) },
  { name: 'host_fails', prompt: bash(made) + told, asked: () => { throw new Error('cannot say'); } },

  // ---- how turns end
  { name: 'partial_messages', prompt: once(() => step('think', { thinking: 'hm', text: 'a longer text, in pieces' })), options: { includePartialMessages: true } },
  { name: 'partial_tool', prompt: once((work) => step('tool', { name: 'Read', input: { file_path: path.join(work, 'note.txt') }, say: 'I look.' }) + told), options: { includePartialMessages: true } },
  { name: 'api_error', prompt: step('error', { status: 400, message: 'this model is tired' }) },
  { name: 'api_error_401', prompt: step('error', { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }) },
  { name: 'max_turns', prompt: once((work) => read(work) + read(work) + told), options: { maxTurns: 1 } },
  { name: 'max_tokens', prompt: step('maxtokens', { text: 'cut' }),
    differs: ['Claude Code asks the model on by itself; with us the turn ends, and says why', (saw) => saw.some((one) => one.stop_reason === 'max_tokens' && one.result === 'cut')] },
  { name: 'refusal', prompt: step('refuse', { text: 'no' }) },
  { name: 'unknown_resume', prompt: 'hello', options: { resume: '11111111-2222-4333-8444-555555555555' } },
  { name: 'interrupt', prompt: open(step('slow', { chunks: 400 })), options: { includePartialMessages: true }, partial: false, cut: true,
    each: async (message, settled) => {
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta' && !settled.told) { settled.told = true; settled.note({ interrupted: (await settled.query.interrupt()) ?? null }); }
      if (message.type === 'result') settled.over();
    } },
  { name: 'interrupt_while_asked', prompt: open(bash(made) + told), asked: (_, __, ___, settled) => { setTimeout(() => settled.query.interrupt(), 50); return new Promise(() => {}); },
    each: async (message, settled) => { if (message.type === 'result') settled.over(); } },
  { name: 'two_prompts', prompt: open(step('text', { text: 'one' })), hooks: { SessionStart: [{ answer: {} }], SessionEnd: [{ answer: {} }], UserPromptSubmit: [{ answer: {} }] },
    each: async (message, settled) => { if (message.type === 'result') { if (settled.again) settled.over(); else { settled.again = true; settled.say(step('text', { text: 'two' })); } } } },
  { name: 'modes_of_the_host', prompt: open(step('text', { text: 'one' })),
    each: async (message, settled) => {
      if (message.type !== 'result') return;
      for (const name of ['bypassPermissions', 'acceptEdits', 'default']) settled.note({ mode: name, set: await settled.query.setPermissionMode(name).then(() => 'yes', (error) => String(error.message)) });
      settled.over();
    } },
  { name: 'unknown_tool', prompt: call('Teleport', { to: 'Mars' }) + told, hooks: pre({}) },
  { name: 'wrong_input', prompt: call('Read', { path: 1 }) + told, hooks: pre({}) },
];
