// SPDX-License-Identifier: Apache-2.0
// Runs the commands of documentation pages in a sandbox with a separate home folder. A page marks a block of code with the fence
// "```sh run". Blocks run in the order of their page. A block "```sh run gateway" runs beside a gateway, whose address and token replace
// the placeholders of the page. A block "```js file NAME" becomes a file of the working folder. Programs of other projects are stubs: npm
// installs nothing, and an agent is parlance's own ACP server.
//
// usage: PARLANCE=build/release/bin/parlance node --test scripts/howto_commands_test.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = path.resolve(process.env.PARLANCE ?? path.join(root, 'build/release/bin/parlance'));

// The blocks of a page to run: [{script, gateway, line}].
export function blocks(markdown) {
  return [...markdown.matchAll(/^( *)```sh run( gateway)?\n([\s\S]*?)^ *```$/gm)].map((match) => ({
    gateway: match[2] !== undefined,
    line: markdown.slice(0, match.index).split('\n').length,
    script: match[3]
      .split('\n')
      .map((line) => line.slice(match[1].length))
      .join('\n'),
  }));
}

// The files of a page: [{name, text}].
export const files = (markdown) =>
  [...markdown.matchAll(/^```\w+ file ([\w.]+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => ({ name, text }));

const answer = JSON.stringify({ turns: [{ steps: [{ say: 'Two files.' }] }] });
const agent = 'exec parlance serve-acp --model rehearsal --scenario "$HOME/answer.json"';
const stubs = { npm: 'exit 0', gemini: agent, 'codex-acp': agent };

// A home folder with runtime folder and working folder, and at most one gateway.
class Sandbox {
  constructor() {
    this.home = mkdtempSync(path.join(realpathSync(tmpdir()), 'howto-'));
    const runtime = path.join(this.home, 'run');
    mkdirSync(runtime, { mode: 0o700 });
    mkdirSync(path.join(this.home, 'work'));
    const bin = path.join(this.home, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(this.home, 'answer.json'), answer);
    for (const [name, script] of Object.entries(stubs))
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    this.env = {
      HOME: this.home,
      XDG_RUNTIME_DIR: runtime,
      PATH: `${path.dirname(program)}:${bin}:${process.env.PATH}`,
      LC_ALL: 'C.UTF-8',
    };
  }

  async start() {
    if (this.gateway) return;
    const ready = path.join(this.home, 'ready.json');
    const flags = [
      'up',
      '--listen',
      '127.0.0.1:0',
      '--embed-listen',
      '127.0.0.1:0',
      '--agent-socket-link',
      'none',
      '--ready-file',
      ready,
    ];
    rmSync(ready, { force: true });
    const watcher = watch(this.home);
    const made = new Promise((resolve) => watcher.on('change', () => existsSync(ready) && resolve()));
    this.gateway = spawn(program, flags, {
      env: this.env,
      cwd: path.join(this.home, 'work'),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await Promise.race([made, once(this.gateway, 'exit').then(() => assert.fail('the gateway ended at its start'))]);
    watcher.close();
    const { services, token } = JSON.parse(readFileSync(ready, 'utf8'));
    this.address = new URL(services.gateway.address).host;
    this.token = token;
  }

  async stop() {
    if (!this.gateway) return;
    const exit = once(this.gateway, 'exit');
    this.gateway.kill('SIGTERM');
    await exit;
    this.gateway = undefined;
  }

  async run({ script, gateway }) {
    await (gateway ? this.start() : this.stop());
    const here = script
      .replaceAll('build/release/bin/', '')
      .replaceAll('127.0.0.1:55003', this.address ?? '')
      .replaceAll('Bearer TOKEN', `Bearer ${this.token}`);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', here], {
      env: this.env,
      cwd: path.join(this.home, 'work'),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    let text = `${here}\n`;
    for (const output of [child.stdout, child.stderr]) output.on('data', (piece) => (text += piece));
    const [code] = await once(child, 'close');
    return { ok: code === 0, text };
  }

  async remove() {
    await this.stop();
    rmSync(this.home, { recursive: true });
  }
}

const pages = ['docs/howto', 'docs/tutorial', 'docs/reference'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
);

test('blocks are found with their indentation, and others are not', () => {
  const page = '1. a\n\n   ```sh run\n   b\n     c\n   ```\n\n```sh\nd\n```\n```sh run gateway\ne\n```\n';
  assert.deepEqual(blocks(page), [
    { gateway: false, line: 3, script: 'b\n  c\n' },
    { gateway: true, line: 11, script: 'e\n' },
  ]);
});
test('files of a page are found', () =>
  assert.deepEqual(files('```js file a.mjs\nb\n```\n```js\nc\n```\n'), [{ name: 'a.mjs', text: 'b\n' }]));
for (const page of pages) {
  const text = readFileSync(path.join(root, page), 'utf8');
  const found = blocks(text);
  if (found.length === 0) continue;
  test(page, async () => {
    const sandbox = new Sandbox();
    try {
      for (const file of files(text)) writeFileSync(path.join(sandbox.home, 'work', file.name), file.text);
      await sandbox.start(); // a state folder exists on every page
      for (const block of found) {
        const { ok, text: output } = await sandbox.run(block);
        assert.ok(ok, `${page}:${block.line}: ${output}`);
      }
    } finally {
      await sandbox.remove();
    }
  });
}
