// SPDX-License-Identifier: Apache-2.0
// A registry for npm on loopback, with the packages of a folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

function packageOf(file) {
  const manifest = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
  return { file, bytes: readFileSync(file), manifest: JSON.parse(manifest) };
}

/** Serves each .tgz of `folder`. Returns the address and the closing function. */
export async function servePackages(folder) {
  const packages = readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => packageOf(path.join(folder, name)));
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(request.url.slice(1));
    const archive = packages.find((each) => path.basename(each.file) === name);
    if (archive) return response.end(archive.bytes);
    const found = packages.find((each) => each.manifest.name === name);
    if (!found) return response.writeHead(404).end('{}');
    const { manifest, bytes, file } = found;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: `${address}/${path.basename(file)}`, integrity };
    const document = {
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  return { address, close: () => server.close() };
}
