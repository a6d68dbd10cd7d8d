// SPDX-License-Identifier: Apache-2.0
// What hardening costs (cmake/hardening.cmake):
//
//   node bench/binaries/hardening.mjs HARDENED PLAIN [ROUNDS]     two build folders with the same benchmarks, configured with
//                                                        -DPARLANCE_BENCH=ON -DPARLANCE_HARDEN=ON and =OFF
//
// Runs bench_turns of both in pairs, in changing order and on one processor, and prints the median of the ratios of their processor time.
// Exits with 1 above the target of 2 %.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const [hardened, plain, rounds = '41'] = process.argv.slice(2);
if (!plain) {
  console.error('usage: node bench/binaries/hardening.mjs HARDENED PLAIN [ROUNDS]');
  process.exit(2);
}
const target = 1.02;
const turns = '1000';

/** Seconds of processor time of one run, of the program and of what it starts. */
function run(build) {
  const folder = mkdtempSync(join(tmpdir(), 'hardening-'));
  const done = spawnSync(
    'taskset',
    [
      '-c',
      String(cpus().length - 1),
      'bash',
      '-c',
      'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null',
      join(build, 'bin/bench_turns'),
      folder,
      turns,
    ],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true, force: true });
  if (done.status !== 0) throw new Error(`${build}: ${done.stderr}`);
  return done.stderr
    .trim()
    .split('\n')
    .at(-1)
    .split(' ')
    .map(Number)
    .reduce((sum, part) => sum + part, 0);
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ratios = [];
for (let round = 0; round < Number(rounds); ++round) {
  const order = round % 2 === 0 ? [hardened, plain] : [plain, hardened];
  const took = new Map(order.map((build) => [build, run(build)]));
  ratios.push(took.get(hardened) / took.get(plain));
}
const middle = median(ratios);
console.log(
  `hardened / plain: median ${middle.toFixed(3)} of ${ratios.length} pairs (${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}), target ${target}`,
);
process.exit(middle > target ? 1 : 0);
