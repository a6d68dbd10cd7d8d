// SPDX-License-Identifier: Apache-2.0
// A VS Code with the packed extension in it and a browser before it, for one test file.

import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CodeServer } from './code_server.mjs';
import { Workbench } from './workbench.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const extension = join(root, 'apps/vscode-extension');

/** The VSIX of the programs under test. */
export async function packed() {
  const out = join(tmpdir(), `parlance-${process.pid}.vsix`);
  await run(process.execPath, [join(extension, 'scripts/build.mjs')]);
  const programs = process.env.PARLANCE_BIN ? ['--programs', dirname(process.env.PARLANCE_BIN)] : [];
  await run(process.execPath, [join(extension, 'scripts/pack.mjs'), ...programs, '--out', out]);
  return out;
}

/** `scenario`: what the rehearsal plays, as docs/howto/rehearsal.md tells it, or what makes it of the home. `databases`: name to the SQL that makes it. */
export async function open({ files, roots, databases = {}, settings = {}, scenario, trust = true, moreVsix }) {
  const vsix = await packed();
  const vs = await CodeServer.start({
    vsix,
    moreVsix,
    files,
    roots,
    trust,
    settings: (at) => ({
      'workbench.colorTheme': 'Default Dark Modern',
      ...settings,
      ...(scenario && { 'parlance.arguments': ['--scenario', join(at, 'play.json'), '--rehearsal-pace-ms', '2'] }),
    }),
    prepare: async (one) => {
      if (scenario)
        await writeFile(
          join(one.at, 'play.json'),
          JSON.stringify(typeof scenario === 'function' ? scenario(one.at) : scenario),
        );
      for (const [name, sql] of Object.entries(databases)) await run('sqlite3', [join(one.folder, name), sql]);
    },
  });
  await rm(vsix);
  try {
    return { vs, ui: await Workbench.open(vs.url) };
  } catch (error) {
    await vs.stop();
    throw error;
  }
}

export const onDisk = (vs, name) => join(vs.folder, name);
