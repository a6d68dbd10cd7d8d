// SPDX-License-Identifier: Apache-2.0
// Checks that a self-contained program runs on each distribution with glibc 2.34 or newer, and contains no path of its build.
import { readFileSync } from 'node:fs';
import { run } from './common.mjs';

const newest_glibc = [2, 34];
const allowed = /^(lib(c|m|dl|pthread|rt)\.so\.\d|ld-linux-[\w-]+\.so\.\d)$/;

/** Faults of a program, each with a remedy. `folders` are paths that the program must not contain. */
export function program_faults(file, folders = []) {
  const needed = [...run('readelf', ['-dW', file]).matchAll(/\((NEEDED|RPATH|RUNPATH)\).*\[(.*)\]/g)];
  const versions = new Set(run('readelf', ['-VW', file]).match(/\bGLIBC_\w+(\.\w+)*/g));
  const bytes = readFileSync(file);
  const is_newer = (version) => {
    const [major, minor] = version.slice('GLIBC_'.length).split('.').map(Number);
    return !(major < newest_glibc[0] || (major === newest_glibc[0] && minor <= newest_glibc[1]));
  };
  return [
    ...needed
      .filter(([, tag, name]) => tag !== 'NEEDED' || !allowed.test(name))
      .map(([, tag, name]) => `${file} needs ${name} (${tag}): link the archive, see cmake/self_contained.cmake`),
    ...[...versions]
      .filter(is_newer)
      .map((version) => `${file} needs ${version}: define the function in apps/older_glibc.cpp`),
    ...folders
      .filter((folder) => bytes.includes(`${folder}/`))
      .map((folder) => `${file} contains the path ${folder}: build with the preset dist, which removes it`),
  ];
}
