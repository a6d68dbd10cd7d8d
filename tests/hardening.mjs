// SPDX-License-Identifier: Apache-2.0
// node tests/hardening.mjs READELF cet|no-cet PROGRAM…
//
// Reads the programs of a Release build and fails where one lacks a protection of cmake/hardening.cmake.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [readelf, cet, ...programs] = process.argv.slice(2);
const read = (program, ...flags) =>
  execFileSync(readelf, ['-W', ...flags, program], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** How often the instruction at which an indirect jump may arrive occurs (endbr64). */
function landingPlaces(program) {
  const bytes = readFileSync(program);
  const endbr64 = Buffer.from([0xf3, 0x0f, 0x1e, 0xfa]);
  let found = 0;
  for (let at = bytes.indexOf(endbr64); at >= 0; at = bytes.indexOf(endbr64, at + 4)) ++found;
  return found;
}

const checks = {
  'is no PIE: the address layout is not random': (program) => /Type:\s+DYN/.test(read(program, '-h')),
  'has no segment that becomes read-only (RELRO)': (program) => /GNU_RELRO/.test(read(program, '-l')),
  'binds its symbols late, so that their table stays writable': (program) =>
    /\(FLAGS_1\).*\bNOW\b|BIND_NOW/.test(read(program, '-d')),
  'has a stack that may be executed': (program) => /GNU_STACK\s+(0x\w+\s+){5}RW\s/.test(read(program, '-l')),
  'has no stack protector': (program) => /__stack_chk_fail/.test(read(program, '--dyn-syms')),
  'has no checks of buffer sizes (_FORTIFY_SOURCE)': (program) =>
    /\b__\w+_chk\b/.test(read(program, '--dyn-syms').replaceAll('__stack_chk_fail', '')),
  'has no landing places for indirect jumps (CET)': (program) => cet !== 'cet' || landingPlaces(program) > 100,
};

const faults = programs.flatMap((program) =>
  Object.entries(checks)
    .filter(([, holds]) => !holds(program))
    .map(([fault]) => `${program} ${fault}; see cmake/hardening.cmake`),
);
for (const fault of faults) console.error(fault);
process.exit(programs.length === 0 || faults.length > 0 ? 1 : 0);
