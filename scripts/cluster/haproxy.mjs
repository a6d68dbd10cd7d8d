// SPDX-License-Identifier: Apache-2.0
// HAProxy in front of local gateways, with the configuration of packaging/haproxy except addresses, TLS and accounts.
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child, freePort, outputOf, until } from './child.mjs';

export const packaged = fileURLToPath(new URL('../../packaging/haproxy/haproxy.cfg', import.meta.url));

function program() {
  // /usr/sbin is not in every PATH.
  return ['/usr/sbin/haproxy', ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'haproxy'))].find(
    (path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
  );
}

/** The packaged configuration for gateways at `ports`, listening at `port` or with `tls` at it, behind the certificate in that file. */
export function configuration({ ports, port, tls = '' }) {
  const replaced = (text, what, by) => {
    if (!what.test(text)) throw new Error(`${packaged} has nothing like ${what}`);
    return text.replace(what, by);
  };
  let text = readFileSync(packaged, 'utf8');
  text = replaced(text, /^ +(?:user|group|log \/dev\/log) .*\n/gm, '');
  text = replaced(text, /maxconn \d+/, 'maxconn 1000'); // within anybody's limit of open files
  text = replaced(text, /^ +(?:log global|option dontlognull|log-format .*)\n/gm, '');
  text = replaced(text, /^frontend parlance_http\n(?: .*\n)*\n/m, '');
  text = replaced(
    text,
    /bind :443 ssl crt \S+/,
    tls ? `bind 127.0.0.1:${port} ssl crt ${tls}` : `bind 127.0.0.1:${port}`,
  );
  if (!tls) text = replaced(text, / alpn http\/1\.1 ssl-min-ver TLSv1\.2/, '');
  text = replaced(
    text,
    /(?:^ +server .*\n)+/m,
    ports.map((one, i) => `    server gateway${i + 1} 127.0.0.1:${one}\n`).join(''),
  );
  return text;
}

export class HaProxy {
  static missing() {
    return program() ? '' : 'there is no haproxy: apt-get install haproxy';
  }
  /** The faults of a file, or ''. */
  static async complaints(file) {
    return outputOf([program(), '-c', '-q', '-f', file]).then(
      () => '',
      (error) => error.message,
    );
  }

  static async start(folder, ports, { port = 0, tls = '' } = {}) {
    const one = new HaProxy();
    one.port = port || (await freePort());
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration({ ports, port: one.port, tls }));
    one.child = new Child([program(), '-db', '-f', file]);
    await until(async () => {
      if (one.child.ended) throw new Error(`haproxy ended: ${one.child.said}`);
      return (
        tls ||
        fetch(`http://127.0.0.1:${one.port}/ready`).then(
          (answer) => answer.status === 200,
          () => false,
        )
      );
    }, 'a gateway behind haproxy');
    return one;
  }
}
