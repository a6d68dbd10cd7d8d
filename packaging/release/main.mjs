// SPDX-License-Identifier: Apache-2.0
// Makes packages from built programs. scripts/release builds the programs and calls this script.
//
//   node packaging/release/main.mjs --repository URL --out FOLDER [--platform NAME]… KIND…
//
// Programs of this machine's platform are below build/dist, of another platform below build/dist-CPU: self-contained programs in bin, and
// programs for the distribution's libraries in shared.
import { copyFileSync, cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  fresh,
  makeTarball,
  platform as thisPlatform,
  platforms,
  programs,
  root,
  run,
  sha256,
  version,
  write,
} from './common.mjs';
import { makeDeb } from './deb.mjs';
import { containedParts, noticesOf, sbomOf } from './notices.mjs';
import { launcherPackages, platformPackage } from './npm.mjs';
import { programFaults } from './program_faults.mjs';
import { writeRegistryEntries } from './registry.mjs';
import { sbomFaults } from './sbom_schema.mjs';
import { stripPrograms } from './stripped.mjs';
import { makeProgramTarball, tarballName } from './tarball.mjs';

const kinds = ['tarball', 'npm', 'deb', 'vsix', 'container', 'registry'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repository: { type: 'string' },
    out: { type: 'string', default: path.join(root, 'build/packages') },
    platform: { type: 'string', multiple: true, default: [thisPlatform] },
  },
});
const chosen = positionals.length ? positionals : kinds;
for (const kind of chosen)
  if (!kinds.includes(kind)) throw new Error(`${kind} is no package: choose from ${kinds.join(', ')}`);
const { repository } = values;
for (const name of values.platform)
  if (!platforms[name]) throw new Error(`--platform ${name}: choose from ${Object.keys(platforms).join(', ')}`);
const buildOf = (name) => path.join(root, 'build', name === thisPlatform ? 'dist' : `dist-${platforms[name].cpu}`);
const native = path.join(buildOf(thisPlatform), 'shared'); // prints completions
const needsAddress = ['npm', 'registry', 'vsix'].filter((kind) => chosen.includes(kind));
if (!repository && needsAddress.length)
  throw new Error(
    `${needsAddress.join(', ')}: the entries name the repository. Add --repository https://github.com/OWNER/NAME`,
  );
const out = fresh(path.resolve(values.out));
const scratch = fresh(path.join(root, 'build/packages.work'));

/** Stripped self-contained programs, with notices and SBOM beside. */
function selfContained(platform) {
  const build = buildOf(platform);
  const { stripped, debug } = stripPrograms(platform, path.join(build, 'bin'), path.join(scratch, platform, 'dist'));
  const faults = programs.flatMap((name) => programFaults(path.join(stripped, name), [root.replace(/\/$/, '')]));
  if (faults.length) throw new Error(faults.join('\n'));
  const parts = containedParts(platform, build, ['apps/web', 'apps/vscode-extension']);
  const files = {
    THIRD_PARTY_NOTICES: path.join(scratch, platform, 'THIRD_PARTY_NOTICES'),
    'sbom.spdx.json': path.join(scratch, platform, 'sbom.spdx.json'),
  };
  write(files.THIRD_PARTY_NOTICES, noticesOf(parts));
  const sbom = sbomOf(parts, platform, sha256(path.join(stripped, 'parlance')));
  const badSbom = sbomFaults(sbom);
  if (badSbom.length) throw new Error(`SBOM: ${badSbom.join('; ')}. Correct packaging/release/notices.mjs`);
  write(files['sbom.spdx.json'], `${JSON.stringify(sbom, undefined, 2)}\n`);
  copyFileSync(files['sbom.spdx.json'], path.join(out, `${tarballName(platform)}.spdx.json`));
  const symbols = path.join(scratch, `${tarballName(platform)}-debug`);
  cpSync(debug, symbols, { recursive: true });
  makeTarball(symbols, path.join(out, `${tarballName(platform)}-debug.tar.gz`));
  return { platform, stripped, native, files, repository, scratch, out };
}

function makeVsix({ platform, stripped, files }) {
  const extension = path.join(root, 'apps/vscode-extension');
  const file = path.join(out, `parlance-${platform}-${version}.vsix`);
  const options = ['--platform', platform, '--programs', stripped, '--notices', files.THIRD_PARTY_NOTICES];
  run('node', [path.join(extension, 'scripts/pack.mjs'), ...options, '--repository', repository, '--out', file]);
}

/** The folder from which an engine builds the image of each platform: podman build --format docker FOLDER. */
function makeContainer(debs) {
  const folder = fresh(path.join(out, 'container'));
  for (const [platform, deb] of Object.entries(debs))
    copyFileSync(deb, path.join(folder, `parlance_${platforms[platform].debian}.deb`));
  copyFileSync(path.join(root, 'packaging/container/Containerfile'), path.join(folder, 'Containerfile'));
}

const wants = (...names) => names.some((name) => chosen.includes(name));
const tarballs = {};
const debs = {};
for (const platform of values.platform) {
  if (wants('tarball', 'npm', 'vsix', 'registry')) {
    const made = selfContained(platform);
    if (wants('tarball', 'registry')) tarballs[platform] = makeProgramTarball(made);
    if (wants('npm')) platformPackage({ ...made, files: { ...made.files, LICENSE: path.join(root, 'LICENSE') } });
    if (wants('vsix')) makeVsix(made);
  }
  if (wants('deb', 'container')) {
    const { stripped } = stripPrograms(
      platform,
      path.join(buildOf(platform), 'shared'),
      path.join(scratch, platform, 'shared'),
    );
    const parts = containedParts(platform, buildOf(platform), ['apps/web']);
    const notices = noticesOf(parts.filter((part) => part.relation === 'CONTAINS'));
    debs[platform] = makeDeb({ platform, stripped, native, notices, scratch, out });
  }
}
if (wants('npm')) launcherPackages({ repository, scratch, out, released: values.platform });
if (wants('registry')) writeRegistryEntries({ repository, tarballs, out: path.join(out, 'registry') });
if (wants('container')) makeContainer(debs);
rmSync(scratch, { recursive: true });
const files = readdirSync(out)
  .filter((name) => statSync(path.join(out, name)).isFile())
  .sort();
writeFileSync(path.join(out, 'SHA256SUMS'), files.map((name) => `${sha256(path.join(out, name))}  ${name}\n`).join(''));
for (const name of files)
  console.log(`${(statSync(path.join(out, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
