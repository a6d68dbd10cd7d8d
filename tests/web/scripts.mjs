// SPDX-License-Identifier: Apache-2.0
// Turns that the mock host plays, found by the first word of the prompt. They wait at gates that the test opens, never for time.

const ALLOW = [
  { id: 'once', label: 'Allow once', kind: 'allow_once', dangerous: false },
  { id: 'always', label: 'Always edits in tests/', kind: 'allow_always', dangerous: false },
  { id: 'no', label: 'Reject', kind: 'reject_once', dangerous: false },
];
export const BEFORE =
  Array.from({ length: 60 }, (_, i) => `  step_${i + 1}();`)
    .join('\n')
    .replace('  step_41();\n  step_42();', '  peer.kill();\n  loop.advance(50ms);') + '\n';
export const AFTER = BEFORE.replace(
  '  loop.advance(50ms);',
  '  auto back = peer.next(Event::ready);\n  loop.run_until(back);',
);

const ANSWER = `The test waits **50 ms** for the peer to come back. The peer waits for its own back-off first, which starts at 40 ms and has jitter, so the two race. I would wait for the \`ready\` event instead of the clock.

\`\`\`cpp
// The clock decides nothing any more.
auto back = peer.next(Event::ready);
loop.run_until(back);
\`\`\`

| run | failures |
|:--|--:|
| before | 4 of 200 |
| after | 0 of 200 |

- [x] reproduced
- [ ] run it 200 times

See <https://example.org/jitter> and [this note](https://example.org/note).
`;

export const HOSTILE = `Before <script>window.pwned = 1</script> <img src=x onerror="window.pwned = 2"> after.

<div onclick="window.pwned = 3" style="position:fixed;inset:0">raw</div>

![tracker](https://tracker.invalid/pixel.png) [bad](javascript:window.pwned=4) [data](data:text/html,hi)

<iframe src="https://tracker.invalid/frame"></iframe>

[style]: https://example.org
`;

/** Text in pieces as a model sends it. */
function pieces(text, size = 7) {
  const out = [];
  for (let at = 0; at < text.length; at += size) out.push({ kind: 'text', text: text.slice(at, at + size) });
  return out;
}

const scripts = {
  async hello({ emit }) {
    emit(...pieces('Hello. This is **scripted**.'));
  },
  async silent({ emit, pass }) {
    await pass('spoken');
    emit({ kind: 'text', text: 'At last.' });
  },
  async answer({ emit }) {
    emit(...pieces(ANSWER));
  },
  async hostile({ emit }) {
    emit(...pieces(HOSTILE));
  },

  async slowly({ emit, pass }) {
    emit({ kind: 'text', text: 'First part, ' });
    await pass('second');
    emit({ kind: 'text', text: 'second part, ' });
    await pass('third');
    emit({ kind: 'text', text: 'third part.' });
  },

  async think({ emit, pass }) {
    emit({ kind: 'thinking_start' }, { kind: 'thinking_content', text: 'The two timers race. ' });
    await pass('thought');
    emit(
      { kind: 'thinking_content', text: 'So wait for the event.' },
      { kind: 'thinking_end', duration_ms: 12_000 },
      { kind: 'text', text: 'Done thinking.' },
    );
  },

  async edit({ emit, ask, host }) {
    emit({
      kind: 'tool_start',
      call: 'k1',
      tool: 'edit_file',
      title: 'tests/reconnect_test.cpp',
      input: { path: 'tests/reconnect_test.cpp' },
    });
    const diff = { path: 'tests/reconnect_test.cpp', before: BEFORE, after: AFTER };
    const answer = await ask({
      kind: 'permission',
      call: 'k1',
      tool: 'edit_file',
      title: 'tests/reconnect_test.cpp',
      why: 'Rehearsal wants to change a file in ~/code/engine.',
      diff,
      options: ALLOW,
    });
    if (answer.chosen === 'no') {
      emit(
        { kind: 'tool_end', call: 'k1', state: 'rejected' },
        { kind: 'text', text: answer.text ? `Understood: ${answer.text}` : 'Left as it was.' },
      );
      return;
    }
    if (answer.chosen === 'always') host.addRule('Edits in ~/code/engine/tests');
    emit(
      { kind: 'tool_update', call: 'k1', content: [{ type: 'diff', ...diff }] },
      { kind: 'tool_end', call: 'k1', state: 'done' },
      { kind: 'text', text: 'The file is changed.' },
    );
  },

  async two({ emit, ask }) {
    emit(
      { kind: 'tool_start', call: 'a', tool: 'edit_file', title: 'a.txt', input: {} },
      { kind: 'tool_start', call: 'b', tool: 'run_command', title: 'ctest --repeat until-fail:200', input: {} },
    );
    const one = async (call, more) => {
      const answer = await ask({ kind: 'permission', call, why: 'Rehearsal wants to.', options: ALLOW, ...more });
      emit({ kind: 'tool_end', call, state: answer.chosen === 'no' ? 'rejected' : 'done' });
    };
    await Promise.all([
      one('a', { tool: 'edit_file', title: 'a.txt', diff: { path: 'a.txt', after: 'new\n' } }),
      one('b', {
        tool: 'run_command',
        title: 'ctest --repeat until-fail:200',
        detail: Array.from({ length: 120 }, (_, i) => `line ${i + 1} of a long command`).join('\n'),
      }),
    ]);
    emit({ kind: 'text', text: 'Both decided.' });
  },

  async run({ emit }) {
    emit({ kind: 'tool_start', call: 'k1', tool: 'run_command', title: 'ctest', input: { command: 'ctest' } });
    emit({ kind: 'tool_output', call: 'k1', text: '\x1b[32mok\x1b[0m start\n' });
    emit({
      kind: 'tool_output',
      call: 'k1',
      text: Array.from({ length: 99 }, (_, i) => `test ${i + 2} passed\n`).join(''),
    });
    emit({ kind: 'tool_end', call: 'k1', state: 'failed' }, { kind: 'text', text: 'It ran.' });
  },

  async question({ emit, ask }) {
    const answer = await ask({
      kind: 'question',
      title: 'Two things before I begin',
      why: 'Rehearsal needs to know.',
      questions: [
        {
          header: 'Store',
          question: 'Where should it be kept?',
          multiple: false,
          options: [
            { label: 'SQLite', description: 'One file, no server.' },
            { label: 'PostgreSQL', description: 'For a team.' },
          ],
        },
        {
          header: 'Checks',
          question: 'What should run?',
          multiple: true,
          options: [
            { label: 'Unit tests', description: '' },
            { label: 'Fuzzing', description: 'A minute or two.' },
          ],
        },
      ],
    });
    emit({ kind: 'text', text: answer.answers ? `You said: ${JSON.stringify(answer.answers)}` : 'You declined.' });
  },

  async plan({ emit, ask }) {
    const entries = ['Reproduce the failure', 'Wait for the event, not the clock', 'Run it 200 times'].map(
      (content, i) => ({ content, status: ['completed', 'in_progress', 'pending'][i], priority: 'medium' }),
    );
    emit(
      { kind: 'plan', entries },
      { kind: 'usage', input_tokens: 18_000, output_tokens: 204, cost: { amount: 0.11, currency: 'USD' } },
    );
    const answer = await ask({
      kind: 'plan',
      title: 'Make the test wait for the event',
      why: 'Rehearsal asks before it begins.',
      plan: '## Plan\n\n1. Reproduce it\n2. Wait for `ready`\n3. Run it **200** times\n',
      options: [
        { id: 'smart', label: 'Begin, decide when to ask', kind: 'choice', dangerous: false },
        { id: 'default', label: 'Begin, ask for each edit', kind: 'choice', dangerous: false },
        { id: 'keep', label: 'Keep planning', kind: 'reject_once', dangerous: false },
        { id: 'feedback', label: 'Change the plan', kind: 'feedback', dangerous: false },
      ],
    });
    emit({ kind: 'text', text: `Plan: ${answer.chosen}${answer.text ? `, ${answer.text}` : ''}.` });
  },

  async error() {
    throw Object.assign(new Error('The model is overloaded.'), {
      code: 'overloaded',
      detail: 'HTTP 529 after 3 tries',
    });
  },
};

export function scriptFor(prompt) {
  return scripts[/^\w+/.exec(prompt.toLowerCase())?.[0] ?? ''] ?? scripts.hello;
}
