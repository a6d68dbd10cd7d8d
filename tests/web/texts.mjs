// SPDX-License-Identifier: Apache-2.0
// The string tables of the page for tests in several languages: a control is found by its text id, in the language on the screen.

import { createRequire } from 'node:module';
import { webFolder } from './modules.mjs';

const { build } = createRequire(webFolder + 'package.json')('esbuild');

/** Bundles both tables of each language: the sources are TypeScript, and Node 20 cannot import TypeScript. */
async function load() {
  const { outputFiles } = await build({
    stdin: {
      resolveDir: `${webFolder}src/strings`,
      contents: `
        import { en } from './en'; import { zh } from './zh';
        import { en as enViews } from './views/en'; import { zh as zhViews } from './views/zh';
        export const tables = { en: { ...en, views: enViews }, zh: { ...zh, views: zhViews } };`,
    },
    bundle: true,
    write: false,
    format: 'esm',
  });
  return (await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`))
    .tables;
}
let loaded;

/** The table of the page's current language; `views` holds the texts of separate views. */
export async function textsOf(page) {
  loaded ??= load();
  return (await loaded)[(await page.evaluate(() => document.documentElement.lang)) === 'zh-CN' ? 'zh' : 'en'];
}
