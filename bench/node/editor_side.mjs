// SPDX-License-Identifier: Apache-2.0
// The peer of bench/editor.cpp: the bridge code of the VS Code extension, bundled, on Node. Serves stdin and stdout.
//
//   node editor_side.mjs FILE_FOR_THE_BUNDLE       bundles, and ends
//   node BUNDLE                                    serves
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const bridge = join(root, 'apps/vscode-extension/src/bridge');

const side = `
import { Rpc } from '${bridge}/rpc.ts';
import { Writer } from '${bridge}/writer.ts';
let lines = 0;
const writer = new Writer(process.stdout);
const rpc = new Rpc((line) => writer.write(line), new Map([
  ['initialize', async () => ({ success: true, protocol: 1, editor: { name: 'bench', version: '1' }, methods: ['closeAllDiffs'] })],
  ['getWorkspaceFolder', async () => ({ success: true, folder: 'x'.repeat(140) })],
  ['closeAllDiffs', async () => ({ success: true, closed: lines })],
]), { text() {}, note() {}, notified(method) { if (method === 'log') lines += 1; } });
process.stdin.on('data', (bytes) => rpc.receive(bytes));
process.stdin.on('end', () => process.exit(0));
`;

const esbuild = createRequire(join(root, 'apps/web/package.json'))('esbuild');
await esbuild.build({
  stdin: { contents: side, resolveDir: bridge, loader: 'ts' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node18',
  outfile: process.argv[2],
  logLevel: 'warning',
});
