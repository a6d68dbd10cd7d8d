// SPDX-License-Identifier: Apache-2.0
// node tests/vscode/run.mjs FILE_test.mjs: runs one file of tests, or says what is missing for it and ends with 77, which ctest counts
// as skipped.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installed } from './code_server.mjs';

const SKIPPED = 77;

function skip(missing, command) {
  console.log(`Skipped: ${missing}. To have it: ${command}`);
  process.exit(SKIPPED);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
if (!installed()) skip('VS Code (code-server) is not installed', 'scripts/peers.sh install code-server');
for (const folder of ['apps/web', 'apps/vscode-extension'])
  if (!existsSync(`${root}${folder}/node_modules`))
    skip(`the npm packages of ${folder} are not installed`, `(cd ${root}${folder} && npm ci)`);
const { browserProgram } = await import('../web/modules.mjs');
if (!browserProgram())
  skip('there is no Chromium on PATH', 'apt-get install chromium, or PARLANCE_CHROMIUM=/path/to/it');

await import(pathToFileURL(resolve(process.argv[2])));
