// SPDX-License-Identifier: Apache-2.0
// The HTTP side of the mock host: the built page, its policy, attachments.

import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { answerDocument } from './relayed_database.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export async function serveFile(host, request, response) {
  if (!host.available) {
    request.socket.destroy();
    return;
  }
  const path = new URL(request.url, 'http://x').pathname;
  if (path === '/health') {
    const good = request.headers.authorization === `Bearer ${host.token}`;
    response
      .writeHead(good ? 200 : 401, { 'content-type': 'application/json' })
      .end(good ? '{"status":"ok"}' : '{"error":"token"}');
    return;
  }
  if (answerDocument(host, path, response)) return;
  if (path.startsWith('/attachments/')) {
    const found = host.attachments.get(path.slice('/attachments/'.length));
    const status = request.headers.authorization !== `Bearer ${host.token}` ? 401 : found ? 200 : 404;
    response
      .writeHead(status, status === 200 ? { 'content-type': found.about.media_type } : {})
      .end(status === 200 ? found.data : '');
    return;
  }
  const file = normalize(path === '/' ? '/index.html' : path);
  try {
    const body = await readFile(join(host.dist, file));
    response
      .writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .end(body);
  } catch {
    response.writeHead(404).end();
  }
}
