// SPDX-License-Identifier: Apache-2.0
// Steps of the scripted model, and answers of the host, for the scenarios of side_by_side.mjs.
import path from 'node:path';

export const step = (verb, argument = {}) => `@mock ${verb} ${JSON.stringify(argument)}\n`;
export const call = (name, input) => step('tool', { name, input });
export const read = (work) => call('Read', { file_path: path.join(work, 'note.txt') });
export const write = (work, name = 'new.txt', content = 'new\n') =>
  call('Write', { file_path: path.join(work, name), content });
export const made = "sh -c 'touch made'"; // nothing that either of them knows to be harmless
export const bash = (command) => call('Bash', { command, description: 'a command' });
export const told = step('text', { text: 'That is it.' });

export const everything = (answers = {}) => {
  const hooks = {};
  for (const event of [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'UserPromptSubmit',
    'Stop',
    'SessionStart',
    'SessionEnd',
    'PermissionRequest',
    'Notification',
  ])
    hooks[event] = [{ answer: answers[event] ?? {} }];
  return hooks;
};
export const decided = (permissionDecision, permissionDecisionReason, more = {}) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason, ...more },
});
export const pre = (answer, matcher) => ({ PreToolUse: [{ ...(matcher === undefined ? {} : { matcher }), answer }] });
export const yes = async (_, input) => ({ behavior: 'allow', updatedInput: input });
export const mode = (permissionMode) => ({
  permissionMode,
  ...(permissionMode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}),
});

// A prompt that stays open: what comes later is said with `settled.say`, and `settled.over` ends it.
export const open = (first) => (settled) =>
  (async function* () {
    const user = (text) => ({
      type: 'user',
      message: { role: 'user', content: text.trimEnd() },
      parent_tool_use_id: null,
      session_id: '',
    });
    const waiting = [];
    let wake = () => {};
    settled.say = (text) => {
      waiting.push(text);
      wake();
    };
    settled.over = () => settled.say(null);
    yield user(first instanceof Function ? first(settled.work) : first);
    for (;;) {
      while (waiting.length === 0)
        await new Promise((done) => {
          wake = done;
        });
      const next = waiting.shift();
      if (next === null) return;
      yield user(next);
    }
  })();
export const once = (make) => (settled) => make(settled.work);

// What the first refused tool was told.
export const refused = (saw) =>
  saw.flatMap((one) => one.message?.content ?? []).find((block) => block.type === 'tool_result' && block.is_error)
    ?.content ?? '';
