// SPDX-License-Identifier: Apache-2.0
// Makes packages from built programs. scripts/release builds the programs and calls this script.
//
//   node packaging/release/main.mjs --repository URL --out FOLDER [--dist BUILD] [--shared BUILD] [--platform NAME] KIND…
import { copyFileSync, cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  fresh,
  make_tarball,
  platform as this_platform,
  programs,
  root,
  run,
  sha256,
  version,
  write,
} from './common.mjs';
import { make_deb } from './deb.mjs';
import { contained_parts, notices_of, sbom_of } from './notices.mjs';
import { launcher_packages, platform_package } from './npm.mjs';
import { program_faults } from './program_faults.mjs';
import { write_registry_entries } from './registry.mjs';
import { strip_programs } from './stripped.mjs';
import { make_program_tarball, tarball_name } from './tarball.mjs';

const kinds = ['tarball', 'npm', 'deb', 'vsix', 'container', 'registry'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repository: { type: 'string' },
    out: { type: 'string', default: path.join(root, 'build/packages') },
    dist: { type: 'string', default: path.join(root, 'build/dist') },
    shared: { type: 'string', default: path.join(root, 'build/release') },
    platform: { type: 'string', default: this_platform },
  },
});
const chosen = positionals.length ? positionals : kinds;
for (const kind of chosen)
  if (!kinds.includes(kind)) throw new Error(`${kind} is no package: choose from ${kinds.join(', ')}`);
const { repository, platform } = values;
const needs_address = ['npm', 'registry', 'vsix'].filter((kind) => chosen.includes(kind));
if (!repository && needs_address.length)
  throw new Error(
    `${needs_address.join(', ')}: the entries name the repository. Add --repository https://github.com/OWNER/NAME`,
  );
const out = fresh(path.resolve(values.out));
const scratch = fresh(path.join(root, 'build/packages.work'));

/** Stripped self-contained programs, with notices and SBOM beside. */
function self_contained() {
  const { stripped, debug } = strip_programs(path.join(values.dist, 'bin'), path.join(scratch, 'dist'));
  const faults = programs.flatMap((name) => program_faults(path.join(stripped, name), [root.replace(/\/$/, '')]));
  if (faults.length) throw new Error(faults.join('\n'));
  const parts = contained_parts(values.dist, ['apps/web', 'apps/vscode-extension']);
  const files = {
    THIRD_PARTY_NOTICES: path.join(scratch, 'THIRD_PARTY_NOTICES'),
    'sbom.spdx.json': path.join(scratch, 'sbom.spdx.json'),
  };
  write(files.THIRD_PARTY_NOTICES, notices_of(parts));
  const sbom = sbom_of(parts, platform, sha256(path.join(stripped, 'parlance')));
  write(files['sbom.spdx.json'], `${JSON.stringify(sbom, undefined, 2)}\n`);
  copyFileSync(files['sbom.spdx.json'], path.join(out, `${tarball_name(platform)}.spdx.json`));
  const symbols = path.join(scratch, `${tarball_name(platform)}-debug`);
  cpSync(debug, symbols, { recursive: true });
  make_tarball(symbols, path.join(out, `${tarball_name(platform)}-debug.tar.gz`));
  return { platform, stripped, files, repository, scratch, out };
}

function make_vsix({ stripped, files }) {
  const extension = path.join(root, 'apps/vscode-extension');
  const file = path.join(out, `parlance-${platform}-${version}.vsix`);
  const options = ['--platform', platform, '--programs', stripped, '--notices', files.THIRD_PARTY_NOTICES];
  run('node', [path.join(extension, 'scripts/pack.mjs'), ...options, '--repository', repository, '--out', file]);
}

/** The folder from which an engine builds the image: podman build FOLDER. */
function make_container(deb) {
  const folder = fresh(path.join(out, 'container'));
  copyFileSync(deb, path.join(folder, 'parlance.deb'));
  copyFileSync(path.join(root, 'packaging/container/Containerfile'), path.join(folder, 'Containerfile'));
}

const wants = (...names) => names.some((name) => chosen.includes(name));
if (wants('tarball', 'npm', 'vsix', 'registry')) {
  const made = self_contained();
  const tarball = wants('tarball', 'registry') && make_program_tarball(made);
  if (wants('npm')) {
    platform_package({ ...made, files: { ...made.files, LICENSE: path.join(root, 'LICENSE') } });
    launcher_packages({ ...made, released: [platform] });
  }
  if (wants('vsix')) make_vsix(made);
  if (wants('registry'))
    write_registry_entries({ repository, tarballs: { [platform]: tarball }, out: path.join(out, 'registry') });
}
if (wants('deb', 'container')) {
  const { stripped } = strip_programs(path.join(values.shared, 'bin'), path.join(scratch, 'shared'));
  const deb = make_deb({ platform, stripped, scratch, out });
  if (wants('container')) make_container(deb);
}
rmSync(scratch, { recursive: true });
const files = readdirSync(out)
  .filter((name) => statSync(path.join(out, name)).isFile())
  .sort();
writeFileSync(path.join(out, 'SHA256SUMS'), files.map((name) => `${sha256(path.join(out, name))}  ${name}\n`).join(''));
for (const name of files)
  console.log(`${(statSync(path.join(out, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
