// SPDX-License-Identifier: Apache-2.0
// The page's own packages serve its tests too: one lock file, one install. And the browser, wherever the machine has it.
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const webFolder = fileURLToPath(new URL('../../apps/web/', import.meta.url));
const require = createRequire(webFolder + 'package.json');

export const { WebSocket, WebSocketServer } = require('ws');
/** The program that is tried: what this build made. */
export const program =
  process.env.PARLANCE_BIN ?? fileURLToPath(new URL('../../build/release/bin/parlance', import.meta.url));

/** The source of axe-core, to be run in a page. */
export const axeSource = () => readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
export const { chromium } = require('playwright-core');

/** The browser's program, or '' when there is none. */
export function browserProgram() {
  if (process.env.PARLANCE_CHROMIUM) return process.env.PARLANCE_CHROMIUM;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        /* not here */
      }
    }
  }
  return '';
}
