// SPDX-License-Identifier: Apache-2.0
// Strips programs, and keeps their symbols in separate .debug files, which debuggers find by name and checksum.
import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { fresh, platforms, programs, run } from './common.mjs';

/** Copies the programs of `bin` to `out`/programs without symbols, and the symbols to `out`/debug. */
export function stripPrograms(platform, bin, out) {
  const tool = (name) => `${platforms[platform].triplet}-${name}`;
  const stripped = fresh(path.join(out, 'programs'));
  const debug = fresh(path.join(out, 'debug'));
  for (const name of programs) {
    const built = path.join(bin, name);
    if (!existsSync(built)) throw new Error(`${built} does not exist. To build it: scripts/release`);
    const symbols = path.join(debug, `${name}.debug`);
    run(tool('objcopy'), ['--only-keep-debug', '--compress-debug-sections', built, symbols]);
    copyFileSync(built, path.join(stripped, name));
    run(tool('strip'), ['--strip-all', '--remove-section=.comment', path.join(stripped, name)]);
    run(tool('objcopy'), [`--add-gnu-debuglink=${symbols}`, path.join(stripped, name)]);
  }
  return { stripped, debug };
}
