// SPDX-License-Identifier: Apache-2.0
// Builds the extension: its bundle, and the page (apps/web) and the SQLite viewer as webviews load them.
import { build } from 'esbuild';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editorStyle } from './editor_style.mjs';

const here = fileURLToPath(new URL('..', import.meta.url));
const web = join(here, '../web');

if (!existsSync(join(web, 'node_modules'))) {
  console.error('The parts of the page are not installed. To have them: (cd apps/web && npm ci)');
  process.exit(1);
}

const options = { absWorkingDir: here, bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };
await build({
  ...options,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
});
const webview = { ...options, format: 'esm', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact' };
await build({ ...webview, entryPoints: ['src/viewer/main.ts'], outfile: 'media/viewer/viewer.js' });
await build({ ...webview, entryPoints: [join(web, 'src/main_editor.tsx')], outfile: 'media/page/page.js' });
for (const name of ['media/page/page.css', 'media/viewer/viewer.css']) {
  const style = join(here, name);
  writeFileSync(style, editorStyle(readFileSync(style, 'utf8')));
}

cpSync(join(here, '../../LICENSE'), join(here, 'LICENSE'));
