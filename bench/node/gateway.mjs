// SPDX-License-Identifier: Apache-2.0
// The minimum of a gateway on Node: an HTTP server of the standard library that loads the modules of any gateway. Real
// gateways load hundreds of files more.
import http from 'node:http';
import 'node:crypto';
import 'node:fs/promises';
import 'node:child_process';

const server = http.createServer((request, response) => response.end('ok\n'));
server.listen(0, '127.0.0.1', () => console.log('ready'));
