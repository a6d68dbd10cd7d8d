// SPDX-License-Identifier: Apache-2.0
// What the host of side_by_side.mjs does: the same with either program.
import fs from 'node:fs';
import path from 'node:path';
import { answersAndEnds } from './side_by_side_answers.mjs';
import {
  bash,
  call,
  decided,
  everything,
  made,
  mode,
  once,
  pre,
  read,
  refused,
  step,
  told,
  write,
  yes,
} from './side_by_side_steps.mjs';

export const scenarios = [
  // ---- every call passes the hooks, whatever the mode
  ...['default', 'acceptEdits', 'bypassPermissions', 'plan'].map((name) => ({
    name: `read_in_${name}`,
    prompt: once((work) => read(work) + told),
    options: mode(name),
    hooks: pre({}),
    asked: yes,
  })),
  ...['default', 'acceptEdits', 'bypassPermissions', 'plan'].map((name) => ({
    name: `denied_by_hook_in_${name}`,
    prompt: once((work) => read(work) + write(work) + bash(made) + told),
    options: mode(name),
    hooks: pre(decided('deny', 'not today')),
    asked: yes,
  })),
  {
    name: 'write_in_acceptEdits',
    prompt: once((work) => write(work) + told),
    options: mode('acceptEdits'),
    hooks: { PreToolUse: [{ answer: {} }], PostToolUse: [{ answer: {} }] },
    asked: yes,
  },
  {
    name: 'bash_in_bypassPermissions',
    prompt: bash(made) + told,
    options: mode('bypassPermissions'),
    hooks: { PreToolUse: [{ answer: {} }], PostToolUse: [{ answer: {} }] },
    asked: yes,
  },
  {
    name: 'write_in_plan',
    prompt: once((work) => write(work) + told),
    options: mode('plan'),
    hooks: pre({}),
    asked: yes,
    differs: [
      'plan mode changes nothing, whoever allows it; Claude Code asks the host',
      (saw) => refused(saw).includes('mode plan') && !saw.some((one) => one.ask),
    ],
  },
  {
    name: 'disallowed_in_bypassPermissions',
    prompt: bash(made) + told,
    options: { ...mode('bypassPermissions'), disallowedTools: ['Bash(sh:*)'] },
    hooks: pre({}),
    asked: yes,
  },

  // ---- matchers
  {
    name: 'matchers',
    prompt: once(
      (work) =>
        read(work) +
        bash(made) +
        write(work) +
        call('Edit', { file_path: path.join(work, 'note.txt'), old_string: 'two', new_string: '2' }) +
        told,
    ),
    options: mode('bypassPermissions'),
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', answer: {} },
        { matcher: 'Edit|Write', answer: {} },
        { matcher: '*', answer: {} },
        { matcher: '', answer: {} },
        { matcher: 'Re.*', answer: {} },
        { matcher: 'ead', answer: {} },
      ],
    },
  },

  // ---- what a hook decides
  { name: 'allowed_by_hook', prompt: bash(made) + told, hooks: pre(decided('allow', 'fine')), asked: yes },
  {
    name: 'asked_by_hook',
    prompt: bash(made) + told,
    hooks: pre(decided('ask', 'better ask')),
    options: { allowedTools: ['Bash'] },
    asked: yes,
  },
  {
    name: 'asked_by_hook_about_a_read',
    prompt: once((work) => read(work) + told),
    hooks: pre(decided('ask', 'better ask')),
    options: { allowedTools: ['Read'] },
    asked: { behavior: 'deny', message: 'no reading' },
  },
  {
    name: 'asked_by_hook_in_bypassPermissions',
    prompt: bash(made) + told,
    hooks: pre(decided('ask', 'better ask')),
    options: mode('bypassPermissions'),
    asked: yes,
  },
  {
    name: 'input_of_hook',
    prompt: bash(made) + told,
    hooks: pre(decided('allow', 'with another', { updatedInput: { command: 'touch other' } })),
    asked: yes,
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }),
  },
  {
    name: 'input_of_hook_is_asked_about',
    prompt: bash(made) + told,
    hooks: pre({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        updatedInput: { command: "sh -c 'touch other'", description: 'o' },
      },
    }),
    asked: yes,
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }),
  },
  {
    name: 'input_of_hook_asked',
    prompt: bash(made) + told,
    hooks: pre(decided('ask', 'look', { updatedInput: { command: 'touch other' } })),
    options: { allowedTools: ['Bash'] },
    asked: yes,
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }),
  },
  {
    name: 'input_of_host',
    prompt: bash(made) + told,
    hooks: { PostToolUse: [{ answer: {} }] },
    asked: { behavior: 'allow', updatedInput: { command: 'touch third' } },
    after: ({ work, note }) => note({ files: fs.readdirSync(work).sort() }),
  },
  {
    name: 'stopped_by_hook',
    prompt: bash(made) + told,
    hooks: pre({ continue: false, stopReason: 'enough of this' }),
    asked: yes,
  },
  {
    name: 'blocked_by_hook',
    prompt: bash(made) + told,
    hooks: pre({ decision: 'block', reason: 'the old way' }),
    asked: yes,
  },
  {
    name: 'hook_says',
    prompt: once((work) => read(work) + told),
    hooks: pre({
      systemMessage: 'a word to the person',
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'a word to the model' },
    }),
  },
  {
    name: 'hook_fails',
    prompt: bash(made) + told,
    hooks: pre(() => {
      throw new Error('broken');
    }),
    asked: yes,
  },
  { name: 'hook_nonsense', prompt: bash(made) + told, hooks: pre({ decision: 17 }), asked: yes },
  {
    name: 'hook_takes_too_long',
    prompt: bash(made) + told,
    hooks: { PreToolUse: [{ answer: () => new Promise(() => {}), timeout: 1 }] },
    asked: yes,
    differs: [
      'a hook that does not answer forbids, as since 2.1.329; 2.1.112 goes on',
      (saw) => refused(saw).startsWith('A hook of the host failed') && !saw.some((one) => one.ask),
    ],
  },
  {
    name: 'two_hooks',
    prompt: bash(made) + told,
    hooks: { PreToolUse: [{ answer: decided('allow', 'yes') }, { answer: decided('deny', 'no') }] },
    asked: yes,
  },
  {
    name: 'allow_and_ask',
    prompt: bash(made) + told,
    hooks: { PreToolUse: [{ answer: decided('allow', 'yes') }, { answer: decided('ask', 'hm') }] },
    asked: yes,
  },

  // ---- the other events
  { name: 'all_events', prompt: bash(made) + bash("sh -c 'exit 3'") + told, hooks: everything(), asked: yes },
  {
    name: 'all_events_of_a_refusal',
    prompt: bash(made) + told,
    hooks: everything(),
    asked: { behavior: 'deny', message: 'not this one' },
  },
  {
    name: 'prompt_blocked',
    prompt: 'hello',
    hooks: { UserPromptSubmit: [{ answer: { decision: 'block', reason: 'not that' } }] },
  },
  {
    name: 'prompt_stopped',
    prompt: 'hello',
    hooks: { UserPromptSubmit: [{ answer: { continue: false, stopReason: 'stop it' } }] },
  },
  {
    name: 'prompt_context',
    prompt: 'hello',
    hooks: {
      UserPromptSubmit: [
        { answer: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'more to know' } } },
      ],
    },
  },
  {
    name: 'post_block',
    prompt: once((work) => read(work) + told),
    hooks: { PostToolUse: [{ answer: { decision: 'block', reason: 'look again' } }] },
  },
  {
    name: 'post_stop',
    prompt: once((work) => read(work) + told),
    hooks: { PostToolUse: [{ answer: { continue: false, stopReason: 'that will do' } }] },
  },
  {
    name: 'post_context',
    prompt: once((work) => read(work) + told),
    hooks: {
      PostToolUse: [
        { answer: { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'of the result' } } },
      ],
    },
  },
  {
    name: 'stop_block',
    prompt: step('text', { text: 'one' }),
    hooks: {
      Stop: [{ answer: (input) => (input.stop_hook_active ? {} : { decision: 'block', reason: 'go on a little' }) }],
    },
  },
  {
    name: 'stop_stop',
    prompt: step('text', { text: 'one' }),
    hooks: { Stop: [{ answer: { continue: false, stopReason: 'indeed' } }] },
  },

  ...answersAndEnds,
];
