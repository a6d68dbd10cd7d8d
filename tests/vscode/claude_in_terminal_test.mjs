// SPDX-License-Identifier: Apache-2.0
// Claude Code's own CLI, started by a person in the integrated terminal of a real VS Code. The CLI finds this window through the terminal
// and its lock file, and a diff here decides about its change. Its model is a script in the prompt.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onDisk, open } from './session.mjs';
import { eventually } from './workbench.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(
  process.env.PARLANCE_PEERS ?? join(root, '.peers'),
  'claude-cli/node_modules/@anthropic-ai/claude-code/cli.js',
);
const skip = existsSync(cli) ? false : `no ${cli}: scripts/peers.sh install claude-cli`;
const MAIN = 'int main() {\n  return 0;\n}\n';
const KEY = 'sk-of-a-test-00000000';

let vs, ui, model;
before(async () => {
  if (skip) return;
  ({ vs, ui } = await open({ files: { 'main.cpp': MAIN } }));
  model = spawn(process.execPath, [join(root, 'tests/peers/models/mock-anthropic/server.mjs'), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
});
after(async () => {
  model?.kill();
  await ui?.close();
  await vs?.stop();
});
const ofHome = (name) => readFile(join(vs.at, name), 'utf8').catch(() => '');

/** The earlier answers of a person who uses Claude Code in this folder. */
const settledIn = () =>
  writeFile(
    join(vs.at, '.claude.json'),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      autoInstallIdeExtension: false,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [vs.folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  );
const step = (name, input) => `@mock tool ${JSON.stringify({ name, input })}\n`;

test(
  'Claude Code in the integrated terminal connects to this window, and its change is decided in a diff',
  { skip },
  async () => {
    const [line] = await once(createInterface({ input: model.stdout }), 'line');
    const file = onDisk(vs, 'main.cpp');
    await settledIn();
    await writeFile(
      join(vs.at, 'prompt'),
      `change it\n${step('Read', { file_path: file })}${step('Edit', { file_path: file, old_string: 'return 0', new_string: 'return 42' })}@mock text {"text":"all done"}\n`,
    );
    await writeFile(
      join(vs.at, 'begin'),
      `export ANTHROPIC_BASE_URL='${JSON.parse(line).url}' ANTHROPIC_API_KEY='${KEY}' CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1
exec '${process.execPath}' '${cli}' --debug-file '${join(vs.at, 'debug')}' "$(cat '${join(vs.at, 'prompt')}')"\n`,
    );
    await ui.openFile('main.cpp');
    await ui.terminal();
    await eventually(() => existsSync(join(vs.at, '.claude/ide')), 'what it looks for is there');
    await ui.page.keyboard.type('. ../begin\n');
    await eventually(
      async () => (await ofHome('debug')).includes('Successfully connected (transport: ws-ide)'),
      'it has connected to us',
    );
    const proposed = ui.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'return 42' });
    await proposed.waitFor();
    await ui.shot('vscode-claude-in-terminal');
    assert.equal(await readFile(file, 'utf8'), MAIN, 'nothing is changed before it is accepted');
    await proposed.click();
    await ui.command('parlance: Accept Changes');
    await eventually(async () => (await readFile(file, 'utf8')) === MAIN.replace('0', '42'), 'it is written');
    await eventually(
      async () => (await ofHome('debug')).includes("Tool 'close_tab' completed successfully"),
      'its tab is closed',
    );
  },
);
