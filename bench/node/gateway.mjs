// SPDX-License-Identifier: Apache-2.0
// A gateway on Node that serves nothing yet: an HTTP server of the standard library, with the modules loaded that any gateway needs.
// The least that a Node gateway can take to start; real ones load hundreds of files more.
import http from 'node:http';
import 'node:crypto';
import 'node:fs/promises';
import 'node:child_process';

const server = http.createServer((request, response) => response.end('ok\n'));
server.listen(0, '127.0.0.1', () => console.log('ready'));
