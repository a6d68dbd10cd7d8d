// SPDX-License-Identifier: Apache-2.0
// One host for the real Claude Code and for `parlance serve-claude`. It answers can_use_tool in odd shapes, and checks for the effect of the
// command. Both programs have the same scripted model (tests/peers/models/mock-anthropic). The host prints one line for each program and shape:
//   PROGRAM SHAPE ran|refused FIRST WORDS OF THE RESULT
// CLAUDE: the real CLI   PARLANCE: our program   WORK: an empty folder
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { start } from '../models/mock-anthropic/server.mjs';
import { environmentOf } from './environment.mjs';

// Members of the control_response beside its request_id; `input`: the input of the request.
const shapes = {
  no_response: () => ({ subtype: 'success' }),
  null_response: () => ({ subtype: 'success', response: null }),
  input_as_text: (input) => ({ subtype: 'success', response: { behavior: 'allow', updatedInput: input.command } }),
  input_as_list: (input) => ({ subtype: 'success', response: { behavior: 'allow', updatedInput: [input.command] } }),
  other_behavior: (input) => ({ subtype: 'success', response: { behavior: 'allowed', updatedInput: input } }),
  denied: () => ({ subtype: 'success', response: { behavior: 'deny', message: 'no' } }),
  allowed: (input) => ({ subtype: 'success', response: { behavior: 'allow', updatedInput: input } }),
};

const step = (verb, argument) => `@mock ${verb} ${JSON.stringify(argument)}`;
const prompt = (shape) =>
  step('tool', { name: 'Bash', input: { command: `sh -c 'touch ${shape}'`, description: 'a command' } }) +
  '\n' +
  step('text', { text: 'done' });

async function run(who, command, model) {
  const base = path.join(process.env.WORK, who);
  const cwd = path.join(base, 'work');
  fs.mkdirSync(cwd, { recursive: true });
  fs.mkdirSync(path.join(base, 'home'));
  fs.writeFileSync(path.join(base, 'key'), 'dummy', { mode: 0o600 });
  const child = spawn(
    command[0],
    [
      ...command.slice(1),
      '--output-format',
      'stream-json',
      '--input-format',
      'stream-json',
      '--verbose',
      '--permission-prompt-tool',
      'stdio',
      '--setting-sources',
      '',
    ],
    { cwd, env: environmentOf(base, model), stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const send = (line) => child.stdin.write(JSON.stringify(line) + '\n');
  const waiting = Object.keys(shapes);
  let shape;
  let result = '';
  const next = () => {
    shape = waiting.shift();
    if (shape === undefined) return child.stdin.end();
    send({ type: 'user', message: { role: 'user', content: prompt(shape) }, parent_tool_use_id: null, session_id: '' });
  };
  next();
  for await (const text of readline.createInterface({ input: child.stdout })) {
    const line = JSON.parse(text);
    if (line.type === 'control_request' && line.request.subtype === 'can_use_tool')
      send({
        type: 'control_response',
        response: { request_id: line.request_id, ...shapes[shape](line.request.input) },
      });
    for (const block of line.type === 'user' && Array.isArray(line.message.content) ? line.message.content : [])
      if (block.type === 'tool_result') result = String(block.content).split('\n')[0].slice(0, 80);
    if (line.type === 'result') {
      console.log(`${who} ${shape} ${fs.existsSync(path.join(cwd, shape)) ? 'ran' : 'refused'} ${result}`);
      next();
    }
  }
}

const model = await start();
await Promise.all([
  run('claude', [process.execPath, process.env.CLAUDE], model),
  run('parlance', [process.env.PARLANCE], model),
]);
model.close();
console.log('end');
