// SPDX-License-Identifier: Apache-2.0
// A browser's push service and keys: receives the gateway's messages, authenticates the sender, and decrypts the messages (RFC 8030, 8291,
// 8292) without any code of the gateway.

import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';

const hmac = (key, data) => createHmac('sha256', key).update(data).digest();
const hkdf = (salt, secret, info, bytes) =>
  hmac(hmac(salt, secret), Buffer.concat([Buffer.from(info), Buffer.from([1])])).subarray(0, bytes);

export class BrowserKeys {
  constructor() {
    this.pair = createECDH('prime256v1');
    this.pair.generateKeys();
    this.auth = randomBytes(16);
  }
  get wire() {
    return { p256dh: this.pair.getPublicKey('base64url'), auth: this.auth.toString('base64url') };
  }

  /** The text of a body in aes128gcm with a single record. */
  read(body) {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body[20]);
    const sealed = body.subarray(21 + body[20]);
    const common = this.pair.computeSecret(sender);
    const secret = hkdf(
      this.auth,
      common,
      Buffer.concat([Buffer.from('WebPush: info\0'), this.pair.getPublicKey(), sender]),
      32,
    );
    const decipher = createDecipheriv(
      'aes-128-gcm',
      hkdf(salt, secret, 'Content-Encoding: aes128gcm\0', 16),
      hkdf(salt, secret, 'Content-Encoding: nonce\0', 12),
    );
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const end = plain.findLastIndex((byte) => byte !== 0);
    if (plain[end] !== 2) throw new Error('no delimiter of a last record');
    return plain.subarray(0, end).toString();
  }
}

/** The claims of a token, after the check of its signature with the token's own key. */
export function claimsOf(authorization) {
  const [, token, key] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head, claims, signature] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const holds = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const read = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
  if (!holds || read(head).alg !== 'ES256') throw new Error('a token with a wrong signature');
  return { ...read(claims), key };
}

export class PushService {
  answers = []; // status, or [status, headers], of the next answers; then 201
  received = [];

  static async start() {
    const one = new PushService();
    one.server = createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        one.received.push({ path: request.url, headers: request.headers, body: Buffer.concat(parts) });
        const [status, headers] = [one.answers.shift() ?? 201].flat();
        response.writeHead(status, headers).end();
      });
    });
    await new Promise((resolve) => one.server.listen(0, '127.0.0.1', resolve));
    one.origin = `http://127.0.0.1:${one.server.address().port}`;
    return one;
  }
  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
