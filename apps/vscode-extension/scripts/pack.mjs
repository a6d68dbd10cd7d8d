// SPDX-License-Identifier: Apache-2.0
// Packs the extension for one platform into a VSIX, which is a zip with a manifest. The programs are those of a build of this repository.
//
//   node scripts/pack.mjs [--platform linux-x64] [--programs FOLDER] [--notices FILE] [--repository URL] [--out FILE]
import { createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ZipFile } from 'yazl';
import { contentTypes, manifestOf, packageOf, platforms, readmeOf } from './vsix.mjs';

process.env.TZ = 'UTC'; // a zip has local times
const here = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    platform: { type: 'string', default: 'linux-x64' },
    programs: { type: 'string' },
    notices: { type: 'string' }, // of software in the programs and the bundles
    repository: { type: 'string' }, // for the links of the marketplace page
    out: { type: 'string' },
  },
});
const { platform } = values;
if (!platforms[platform]) throw new Error(`--platform ${platform}: there are ${Object.keys(platforms).join(', ')}`);
const programs = resolve(values.programs ?? join(here, '../../build/release/bin'));
const about = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
if (values.repository) about.repository = { type: 'git', url: values.repository };
const out = resolve(values.out ?? join(here, `../../build/parlance-${platform}-${about.version}.vsix`));

const files = (folder) =>
  readdirSync(join(here, folder), { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile())
    .map((one) => relative(here, join(one.parentPath ?? one.path, one.name)))
    .sort();

const zip = new ZipFile();
const sameTime = new Date(Date.UTC(2024, 0, 1)); // the same bytes from the same sources
const add = (name, bytes, mode = 0o100644) => zip.addBuffer(Buffer.from(bytes), name, { mtime: sameTime, mode });
add('[Content_Types].xml', contentTypes);
add('extension.vsixmanifest', manifestOf(about, platform));
add('extension/package.json', packageOf(about));
add('extension/CHANGELOG.md', readFileSync(join(here, '../../CHANGELOG.md')));
if (values.notices) add('extension/THIRD_PARTY_NOTICES', readFileSync(values.notices));
add('extension/README.md', readmeOf(readFileSync(join(here, 'README.md'), 'utf8'), about));
for (const name of ['LICENSE', ...files('dist'), ...files('media')])
  add(`extension/${name}`, readFileSync(join(here, name)));
for (const name of ['parlance', 'sqlite-helper']) {
  const file = name + platforms[platform].ending;
  if (!existsSync(join(programs, file)))
    throw new Error(`${join(programs, file)} is not there. To build it: ninja -C build/release ${name}`);
  add(`extension/bin/${platform}/${file}`, readFileSync(join(programs, file)), 0o100755);
}
zip.end();
await pipeline(zip.outputStream, createWriteStream(out));
console.log(out);
