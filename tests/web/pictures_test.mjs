// SPDX-License-Identifier: Apache-2.0
// Pictures of the page in its states, light and dark, kept in PARLANCE_PICTURES (docs/images/page holds the ones that were looked at:
// docs/page_look.md). Run by name: that each state can be reached and fits is what access_test.mjs tests.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, withPage } from './page.mjs';
import { smallPng } from './small_png.mjs';
import { states } from './states.mjs';

after(closeBrowser);
const folder = process.env.PARLANCE_PICTURES;
assert.ok(folder, 'PARLANCE_PICTURES says where the pictures go');
await mkdir(folder, { recursive: true });

const TAKEN = [
  'first_start',
  'streaming',
  'thinking',
  'approval',
  'three_asks',
  'long_command',
  'question',
  'plan',
  'inbox_phone',
  'offline',
  'after_a_crash',
  'error',
  'memory',
  'usage',
  'limit',
  'team',
  'find',
  'sqlite',
  'sqlite_edit',
  'sqlite_280',
  'databases',
  'doctor',
  'died',
  'settings',
  'zoom_200',
  'narrow_280',
];
const WINDOW = { viewport: { width: 1280, height: 680 } };

for (const { name, prepare, reach, context } of states.filter((one) => TAKEN.includes(one.name))) {
  test(name, () =>
    withPage(
      async (page, host) => {
        await reach(page, host);
        await page.mouse.move(0, 0);
        await page.waitForTimeout(600); // cards arm themselves, and what appears slowly has appeared
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          const picture = smallPng(await page.screenshot({ scale: 'css' }));
          await writeFile(join(folder, `${name}_${colorScheme}.png`), picture);
          assert.ok(picture.length > 2000 && picture.length < 70_000, `${picture.length} bytes`);
        }
      },
      { prepare, context: { ...WINDOW, ...context } },
    ),
  );
}
