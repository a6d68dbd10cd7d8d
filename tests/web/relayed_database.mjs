// SPDX-License-Identifier: Apache-2.0
// A database behind the mock host's socket, served by the real program like at the gateway.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { program } from './modules.mjs';

/** False: the address is another. */
export function lookAt({ pathname, searchParams }, ws) {
  if (pathname !== '/sqlite') return false;
  const path = searchParams.get('path');
  const helper = spawn(program, ['sqlite', '--log-level', 'error', '--read-only']);
  createInterface({ input: helper.stdout }).on('line', (line) => ws.send(line));
  ws.on('message', (data) => helper.stdin.write(`${data}\n`));
  ws.on('close', () => helper.stdin.end());
  ws.send(JSON.stringify({ event: 'opened', path }));
  return true;
}

/** The gateway's answers besides messages; false: another address. */
export function answerDocument(host, path, response) {
  if (path !== '/databases' && path !== '/doctor') return false;
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(path === '/doctor' ? host.findings : { databases: host.databases }));
  return true;
}
