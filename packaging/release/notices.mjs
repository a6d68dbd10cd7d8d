// SPDX-License-Identifier: Apache-2.0
// Third-party notices and the SBOM (SPDX 2.3) of self-contained programs. The list of libraries comes from the build: archives on the link
// line, headers in the compiler's lists, and npm packages in the bundles.
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { platforms, programs, read, releaseDate, root, run, sysrootOf, version } from './common.mjs';

// Packages with headers of an interface only: the C library, and libraries for loading at run time.
const interfaces = /^(libc6-dev|linux-libc-dev|libcurl4-.*|libpq-dev|libclang-common-.*|libsimdjson-dev)$/;
const largestCopyright = 100_000; // the file of Boost lists each header, in 2 MB

const query = (sysroot, words) => run('dpkg-query', [`--admindir=${sysroot}/var/lib/dpkg`, ...words]);

function packagesOf(sysroot, files) {
  const found = query(sysroot, ['--search', ...files.map((file) => file.slice(sysroot.length))]);
  return found.split('\n').flatMap((line) => (/^([^:,\s]+)(?::\w+)?: /.exec(line) ?? []).slice(1));
}

/** Archives on the link line of parlance, and the archives of the C++ compiler. */
export function linkedArchives(platform, build) {
  const sysroot = sysrootOf(platform);
  const target = sysroot ? [`--target=${platforms[platform].triplet}`, `--sysroot=${sysroot}`] : [];
  const ninja = readFileSync(path.join(build, 'build.ninja'), 'utf8');
  const rule = ninja.slice(ninja.indexOf('build bin/parlance: CXX_EXECUTABLE_LINKER'));
  const words = /^ {2}LINK_LIBRARIES = (.*)$/m.exec(rule)[1].split(/\s+/);
  const compiler = /^CMAKE_CXX_COMPILER:\w+=(.*)$/m.exec(readFileSync(path.join(build, 'CMakeCache.txt'), 'utf8'))[1];
  const language = ['libstdc++.a', 'libgcc.a', 'libgcc_eh.a'].map((name) =>
    run(compiler, [...target, `-print-file-name=${name}`]).trim(),
  );
  return [
    ...new Set(
      [...words.filter((word) => word.startsWith(`${sysroot}/usr/`) && word.endsWith('.a')), ...language].map((each) =>
        realpathSync(each),
      ),
    ),
  ];
}

/** One header of each third-party folder in the compiler's lists of dependencies. Objects of tests are not part of a release. */
function readHeaders(platform, build) {
  const folderOf = new RegExp(`^ +(${sysrootOf(platform)}/usr/include/((?!c\\+\\+|x86|aarch)[^/\\s]+)\\S*)$`, 'gm');
  const inputs = run('ninja', ['-C', build, '-t', 'inputs', ...programs.map((name) => `bin/${name}`)]);
  const objects = inputs.split('\n').filter((name) => /\.(o|pch)$/.test(name));
  const headers = new Map();
  for (const [, header, folder] of run('ninja', ['-C', build, '-t', 'deps', ...objects]).matchAll(folderOf))
    headers.set(folder, header);
  return [...headers.values()];
}

function debianPackages(platform, build) {
  const sysroot = sysrootOf(platform);
  const archives = packagesOf(sysroot, linkedArchives(platform, build));
  const headers = packagesOf(sysroot, readHeaders(platform, build)).filter((name) => !interfaces.test(name));
  return [...new Set([...archives, ...headers])].sort().map((name) => {
    const [versionOf, source, architecture] = query(sysroot, [
      '--show',
      '--showformat=${Version} ${source:Package} ${Architecture}\n',
      name,
    ])
      .split('\n')[0]
      .split(' ');
    return {
      name: source,
      version: versionOf,
      relation: archives.includes(name) ? 'STATIC_LINK' : 'CONTAINS',
      purl: `pkg:deb/debian/${name.replaceAll('+', '%2B')}@${versionOf.replaceAll('+', '%2B').replaceAll(':', '%3A')}?arch=${architecture}`,
      notice: copyrightOf(sysroot, name),
    };
  });
}

function copyrightOf(sysroot, name) {
  const text = readFileSync(`${sysroot}/usr/share/doc/${name}/copyright`, 'utf8');
  if (text.length <= largestCopyright) return text;
  const licences = text.split(/\n\n+/).filter((paragraph) => paragraph.startsWith('License:'));
  return `Licences of the files (the list of files: Debian package ${name}):\n\n${licences.join('\n\n')}\n`;
}

/** npm packages in the bundle of a folder: imports of the sources, and their dependencies by the lock file. */
function npmPackages(folder) {
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`));
  const sources = run('git', ['-C', root, 'ls-files', `${folder}/src`])
    .split('\n')
    .filter((name) => /(?<!_test)\.tsx?$/.test(name));
  const imported = sources.flatMap((name) => [
    ...read(name).matchAll(/^(?:import|export|\}) .*?'((?:@[\w-]+\/)?[\w.-]+)[^']*';$/gm),
  ]);
  const names = new Set(imported.map(([, name]) => name).filter((name) => packages[`node_modules/${name}`]));
  for (const name of names)
    for (const each of Object.keys(packages[`node_modules/${name}`].dependencies ?? {})) names.add(each);
  return [...names].map((name) => {
    const about = packages[`node_modules/${name}`];
    return {
      name,
      version: about.version,
      licence: about.license,
      relation: 'CONTAINS',
      purl: `pkg:npm/${name.replace('@', '%40')}@${about.version}`,
      notice: npmNotice(path.join(root, folder, 'node_modules', name), name, about.license),
    };
  });
}

function npmNotice(folder, name, licence) {
  const file = existsSync(folder) && readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file)
    throw new Error(`${name} (${licence}): no licence text in ${folder}. To install the packages: ./check page`);
  return readFileSync(path.join(folder, file), 'utf8');
}

/** Software of other projects in the programs of `build` and in bundles of `folders`, sorted by name. */
export function containedParts(platform, build, folders) {
  const parts = new Map();
  for (const part of [...debianPackages(platform, build), ...folders.flatMap(npmPackages)])
    if (!parts.has(`${part.name} ${part.version}`)) parts.set(`${part.name} ${part.version}`, part);
  return [...parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function noticesOf(parts) {
  const head = `parlance ${version} contains the following software of other projects, with these notices.\n`;
  return [
    head,
    ...parts.map(({ name, version: of, notice }) => `${'='.repeat(78)}\n${name} ${of}\n\n${notice.trim()}\n`),
  ].join('\n');
}

/** The SBOM as SPDX 2.3. The same parts of the same commit give the same bytes. */
export function sbomOf(parts, platform, checksum) {
  const own = {
    SPDXID: 'SPDXRef-parlance',
    name: 'parlance',
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'Apache-2.0',
    licenseDeclared: 'Apache-2.0',
    copyrightText: 'NOASSERTION',
    primaryPackagePurpose: 'APPLICATION',
  };
  const id = (part) => `SPDXRef-${part.name}-${part.version}`.replace(/[^A-Za-z0-9.-]/g, '-');
  const packages = parts.map((part) => ({
    SPDXID: id(part),
    name: part.name,
    versionInfo: part.version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: part.licence ?? 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: part.purl }],
  }));
  const related = (from, type, to) => ({ spdxElementId: from, relationshipType: type, relatedSpdxElement: to });
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `parlance-${version}-${platform}`,
    documentNamespace: `urn:sha256:${checksum}`,
    creationInfo: {
      created: releaseDate.toISOString().replace(/\.\d+Z$/, 'Z'),
      creators: ['Tool: parlance-scripts-release'],
    },
    packages: [own, ...packages],
    relationships: [
      related('SPDXRef-DOCUMENT', 'DESCRIBES', own.SPDXID),
      ...parts.map((part) => related(own.SPDXID, part.relation, id(part))),
    ],
  };
}
