// SPDX-License-Identifier: Apache-2.0
// A headless VS Code on 127.0.0.1 with a home of its own: nothing of the person's editor leaks in, and no gallery is asked for anything.

import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = join(process.env.PARLANCE_PEERS ?? join(root, '.peers'), 'code-server/node_modules/code-server');

const START_MS = 60_000;

export const installed = () => existsSync(join(entry, 'package.json'));

const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'files.autoSave': 'off',
};

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Writes the folders, the workspace and the settings of the person. */
async function furnish(at, { files, roots, settings, trust }) {
  await mkdir(join(at, 'data/User'), { recursive: true });
  for (const [folder, held] of Object.entries({ project: files, ...roots })) {
    await mkdir(join(at, folder), { recursive: true });
    for (const [name, content] of Object.entries(held)) await writeFile(join(at, folder, name), content);
  }
  const workspace = join(at, 'several.code-workspace');
  const several = Object.keys(roots).length > 0;
  if (several)
    await writeFile(
      workspace,
      JSON.stringify({ folders: ['project', ...Object.keys(roots)].map((path) => ({ path })) }),
    );
  await writeFile(
    join(at, 'data/User/settings.json'),
    JSON.stringify({ ...quiet, 'security.workspace.trust.enabled': !trust, ...settings(at) }),
  );
  return { workspace, several };
}

export class CodeServer {
  /** `files`: name to content, of the folder that is opened. `roots`: more folders of a workspace of several, by name, with theirs. `settings`: of the person, by the home. `prepare`: more of the home, before the start. */
  static async start({
    files = {},
    roots = {},
    settings = () => ({}),
    vsix,
    moreVsix = [],
    env = {},
    trust = true,
    prepare = async () => {},
  }) {
    const at = await realpath(await mkdtemp(join(tmpdir(), 'parlance-vscode-')));
    const one = new CodeServer();
    one.at = at;
    one.folder = join(at, 'project');
    const { workspace, several } = await furnish(at, { files, roots, settings, trust });
    await prepare(one);
    await mkdir(join(at, 'run'), { mode: 0o700 }); // sockets of other tests are not in the way
    const environment = {
      PATH: process.env.PATH,
      HOME: at,
      LANG: 'C.UTF-8',
      TMPDIR: at,
      XDG_RUNTIME_DIR: join(at, 'run'),
      EXTENSIONS_GALLERY: '{}',
      ...env,
    };
    const folders = ['--user-data-dir', join(at, 'data'), '--extensions-dir', join(at, 'extensions')];
    one.command = async (...args) =>
      (await run(process.execPath, [entry, ...folders, ...args], { env: environment })).stdout;
    for (const each of [vsix, ...moreVsix]) await one.command('--install-extension', each);
    one.port = await freePort();
    one.printed = '';
    one.child = spawn(
      'setpriv',
      [
        '--pdeathsig',
        'TERM',
        process.execPath,
        entry,
        ...folders,
        '--auth',
        'none',
        '--bind-addr',
        `127.0.0.1:${one.port}`,
        '--disable-telemetry',
        '--disable-update-check',
        ...(trust ? ['--disable-workspace-trust'] : []),
        '--disable-getting-started-override',
        several ? workspace : one.folder,
      ],
      { env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [one.child.stdout, one.child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        one.printed += text;
      });
    one.url = `http://127.0.0.1:${one.port}/?${several ? `workspace=${encodeURIComponent(workspace)}` : `folder=${encodeURIComponent(one.folder)}`}`;
    await one.#answers();
    return one;
  }

  async #answers() {
    const until = Date.now() + START_MS;
    for (;;) {
      if (this.child.exitCode !== null || Date.now() > until)
        throw new Error(`code-server does not answer:\n${this.printed}`);
      try {
        if ((await fetch(`http://127.0.0.1:${this.port}/healthz`)).ok) return;
      } catch {
        /* not yet */
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }

  /** Ends VS Code, and keeps its home. */
  async end() {
    const gone = new Promise((resolve) => {
      this.child.once('exit', resolve);
    });
    this.child.kill('SIGTERM');
    const hanging = setTimeout(() => this.child.kill('SIGKILL'), 8_000);
    await gone;
    clearTimeout(hanging);
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.end();
    await rm(this.at, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}
