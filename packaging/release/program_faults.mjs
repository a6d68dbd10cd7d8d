// SPDX-License-Identifier: Apache-2.0
// Checks that a self-contained program runs on each distribution with glibc 2.34 or newer, and contains no path of its build.
import { readFileSync } from 'node:fs';
import { run } from './common.mjs';

const newestGlibc = [2, 34];
const allowed = /^(lib(c|m|dl|pthread|rt)\.so\.\d|ld-linux-[\w-]+\.so\.\d)$/;

/** Faults of a program, each with a remedy. `folders` are paths that the program must not contain. */
export function programFaults(file, folders = []) {
  const needed = [...run('readelf', ['-dW', file]).matchAll(/\((NEEDED|RPATH|RUNPATH)\).*\[(.*)\]/g)];
  const versions = new Set(run('readelf', ['-VW', file]).match(/\bGLIBC_\w+(\.\w+)*/g));
  const bytes = readFileSync(file);
  const isNewer = (version) => {
    const [major, minor] = version.slice('GLIBC_'.length).split('.').map(Number);
    return !(major < newestGlibc[0] || (major === newestGlibc[0] && minor <= newestGlibc[1]));
  };
  return [
    ...needed
      .filter(([, tag, name]) => tag !== 'NEEDED' || !allowed.test(name))
      .map(([, tag, name]) => `${file} needs ${name} (${tag}): link the archive, see cmake/self_contained.cmake`),
    ...[...versions]
      .filter(isNewer)
      .map((version) => `${file} needs ${version}: define the function in apps/older_glibc.cpp`),
    ...folders
      .filter((folder) => bytes.includes(`${folder}/`))
      .map((folder) => `${file} contains the path ${folder}: build with the preset dist, which removes it`),
  ];
}
