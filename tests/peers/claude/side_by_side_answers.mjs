// SPDX-License-Identifier: Apache-2.0
// Scenarios of side_by_side.mjs: questions to the host, and the ends of turns.
import path from 'node:path';
import { bash, call, made, once, open, pre, read, refused, step, told, write, yes } from './side_by_side_steps.mjs';

export const answersAndEnds = [
  // ---- questions to the host
  {
    name: 'suggestions',
    prompt: once(
      (work) =>
        bash(made) + bash('git push origin main') + write(work) + call('Read', { file_path: '/etc/hostname' }) + told,
    ),
    asked: { behavior: 'deny', message: 'not this one' },
  },
  {
    name: 'write_outside',
    prompt: call('Write', { file_path: '/etc/should-not-exist', content: 'x' }) + told,
    asked: { behavior: 'deny', message: 'not this one' },
    differs: [
      'nothing is written outside of the folders, whoever allows it; Claude Code asks',
      (saw) => refused(saw).includes('/etc/should-not-exist') && !saw.some((one) => one.ask),
    ],
  },
  {
    name: 'always',
    prompt: bash('git init a') + bash('git init b') + told,
    asked: async (_, input) => ({
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'git init:*' }],
          behavior: 'allow',
          destination: 'session',
        },
      ],
    }),
  },
  {
    name: 'always_edits',
    prompt: once((work) => write(work, 'a.txt') + write(work, 'b.txt') + told),
    asked: async (_, input, { suggestions }) => ({
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions: suggestions,
    }),
  },
  {
    name: 'allowed_rule',
    prompt: bash('git init a') + bash(made) + told,
    options: { allowedTools: ['Bash(git init:*)'] },
    asked: { behavior: 'deny', message: 'only init' },
  },
  {
    name: 'denied_rule',
    prompt: bash('git init a') + bash('true && git push') + told,
    options: { disallowedTools: ['Bash(git push:*)'], allowedTools: ['Bash'] },
    asked: yes,
  },
  {
    name: 'denied_and_stopped',
    prompt: bash(made) + told,
    asked: { behavior: 'deny', message: 'stop here', interrupt: true },
  },
  { name: 'nobody_to_ask', prompt: bash(made) + told, hooks: pre({}) },
  {
    name: 'host_fails',
    prompt: bash(made) + told,
    asked: () => {
      throw new Error('cannot say');
    },
  },

  // ---- how turns end
  {
    name: 'partial_messages',
    prompt: once(() => step('think', { thinking: 'hm', text: 'a longer text, in pieces' })),
    options: { includePartialMessages: true },
  },
  {
    name: 'partial_tool',
    prompt: once(
      (work) =>
        step('tool', { name: 'Read', input: { file_path: path.join(work, 'note.txt') }, say: 'I look.' }) + told,
    ),
    options: { includePartialMessages: true },
  },
  { name: 'api_error', prompt: step('error', { status: 400, message: 'this model is tired' }) },
  {
    name: 'api_error_401',
    prompt: step('error', { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }),
  },
  { name: 'max_turns', prompt: once((work) => read(work) + read(work) + told), options: { maxTurns: 1 } },
  {
    name: 'max_tokens',
    prompt: step('maxtokens', { text: 'cut' }),
    differs: [
      'Claude Code asks the model on by itself; with us the turn ends, and says why',
      (saw) => saw.some((one) => one.stop_reason === 'max_tokens' && one.result === 'cut'),
    ],
  },
  { name: 'refusal', prompt: step('refuse', { text: 'no' }) },
  { name: 'unknown_resume', prompt: 'hello', options: { resume: '11111111-2222-4333-8444-555555555555' } },
  {
    name: 'interrupt',
    prompt: open(step('slow', { chunks: 400 })),
    options: { includePartialMessages: true },
    partial: false,
    cut: true,
    each: async (message, settled) => {
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta' && !settled.told) {
        settled.told = true;
        settled.note({ interrupted: (await settled.query.interrupt()) ?? null });
      }
      if (message.type === 'result') settled.over();
    },
  },
  {
    name: 'interrupt_while_asked',
    prompt: open(bash(made) + told),
    asked: (_, __, ___, settled) => {
      setTimeout(() => settled.query.interrupt(), 50);
      return new Promise(() => {});
    },
    each: async (message, settled) => {
      if (message.type === 'result') settled.over();
    },
  },
  {
    name: 'two_prompts',
    prompt: open(step('text', { text: 'one' })),
    hooks: { SessionStart: [{ answer: {} }], SessionEnd: [{ answer: {} }], UserPromptSubmit: [{ answer: {} }] },
    each: async (message, settled) => {
      if (message.type === 'result') {
        if (settled.again) settled.over();
        else {
          settled.again = true;
          settled.say(step('text', { text: 'two' }));
        }
      }
    },
  },
  {
    name: 'modes_of_the_host',
    prompt: open(step('text', { text: 'one' })),
    each: async (message, settled) => {
      if (message.type !== 'result') return;
      for (const name of ['bypassPermissions', 'acceptEdits', 'default'])
        settled.note({
          mode: name,
          set: await settled.query.setPermissionMode(name).then(
            () => 'yes',
            (error) => String(error.message),
          ),
        });
      settled.over();
    },
  },
  { name: 'unknown_tool', prompt: call('Teleport', { to: 'Mars' }) + told, hooks: pre({}) },
  { name: 'wrong_input', prompt: call('Read', { path: 1 }) + told, hooks: pre({}) },
];
