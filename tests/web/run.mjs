// SPDX-License-Identifier: Apache-2.0
// node tests/web/run.mjs FILE_test.mjs: runs one file of tests, or says what is missing for it and ends with 77, which ctest counts
// as skipped.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SKIPPED = 77;

function skip(missing, command) {
  console.log(`Skipped: ${missing}. To have it: ${command}`);
  process.exit(SKIPPED);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = await import('./modules.mjs').catch((error) => {
  if (error.code === 'MODULE_NOT_FOUND')
    skip('the npm packages of apps/web are not installed', `(cd ${root}apps/web && npm ci)`);
  throw error;
});
if (!modules.browserProgram())
  skip('there is no Chromium on PATH', 'apt-get install chromium, or PARLANCE_CHROMIUM=/path/to/it');
if (!existsSync(`${modules.webFolder}dist/index.html`))
  skip('the page is not built', `(cd ${root}apps/web && npm run build)`);

await import(pathToFileURL(resolve(process.argv[2])));
