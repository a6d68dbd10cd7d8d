// SPDX-License-Identifier: Apache-2.0
// Packages of .peers/NAME, which lie outside of this folder: `await peer('acp-sdk')('ws')`.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const peers = process.env.PARLANCE_PEERS ?? fileURLToPath(new URL('../../../.peers', import.meta.url));

export function peer(name) {
  const { resolve } = createRequire(path.join(peers, name, 'package.json'));
  return (module) => import(pathToFileURL(resolve(module)).href);
}
