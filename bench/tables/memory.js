// SPDX-License-Identifier: Apache-2.0
// bench/run embedder and memory_search: costs of storing and searching memories.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

// Processor time of a whole run in seconds, user and system.
function cpuOf({ runOnce, pinned }, command) {
  const timed = 'TIMEFORMAT="%U %S"; { time "$@" > /dev/null; } 2>&1';
  return runOnce(pinned(['bash', '-c', timed, 'bash', ...command]))
    .split(' ')
    .map(Number)
    .reduce((sum, part) => sum + part);
}

exports.embedder = async ({
  bin,
  options,
  pinned,
  runOnce,
  parseLine,
  inTurns,
  median,
  spread,
  table,
  thousands,
  within,
}) => {
  const measure = (what) =>
    parseLine(runOnce(pinned([path.join(bin, 'bench_embedder'), what, String(options.seconds)])));
  // Service and clients are threads of one process, so the process is not pinned.
  const overHttp = (what) => parseLine(runOnce([path.join(bin, 'bench_embed_service'), what, String(options.seconds)]));
  const results = await inTurns([
    ...['embed', 'score'].map((what) => ({ name: what, run: () => measure(what) })),
    ...['single', 'batch', 'ours'].map((what) => ({ name: what, run: () => overHttp(what) })),
  ]);
  const row = (work, name, target) => {
    const all = results.get(name);
    const rate = median(all.map((m) => m.perSecond));
    return [
      work,
      `${thousands(rate)} ${spread(all.map((m) => m.perSecond))}`,
      `${median(all.map((m) => m.cpu)).toFixed(1)} µs`,
      target ? thousands(target) : '',
      target ? within(target, rate) : '',
    ];
  };
  return `## Built-in embedder: texts of 60 characters, one processor\n\n${table(
    ['work', 'per s', 'processor time of one', 'at least', 'reached'],
    [
      row('embedding a text', 'embed', 20_000),
      row('scoring a text by the words of a query', 'score', 0),
      row('over HTTP: 32 clients of /embed, one text a request (service and clients)', 'single', 0),
      row('over HTTP: 4 clients of /embed-batch, 256 texts a request', 'batch', 0),
      row('over HTTP: our own client, 256 texts a call', 'ours', 0),
    ],
  )}`;
};

exports.memory_search = async (tools) => {
  const {
    bin,
    scratch,
    options,
    pinned,
    runOnce,
    parseLine,
    withServer,
    clientAgainst,
    inTurns,
    median,
    table,
    thousands,
    times,
    within,
  } = tools;
  const ours = path.join(bin, 'bench_memory_search');
  const floor = path.join(bin, 'bench_floor');
  const state = path.join(scratch, 'memories');
  const many = path.join(scratch, 'many-memories');
  const manyRows = 200_000;
  const rows = 10_000;
  const stored = Number(runOnce([ours, 'fill', state, String(rows)]));
  runOnce([ours, 'fill', many, String(manyRows)]);
  const search = (kind, scan) => () =>
    withServer(
      [ours, 'server'],
      (socket) => {
        const [told, line] = runOnce(pinned([ours, 'client', socket, String(options.seconds), kind])).split('\n');
        const [, p50, p95] = told.match(/p50 (\d+) p95 (\d+)/).map(Number);
        return { ...parseLine(line), p50, p95 };
      },
      [state, ...scan],
    );
  // Twice: the first use of memory costs a virtual machine extra time, a second for 400 MB or more. The second run uses the memory
  // of the first.
  const load = () => {
    runOnce(pinned([ours, 'load', many]));
    return {
      perMillion:
        ((cpuOf(tools, [ours, 'load', many]) - cpuOf(tools, [ours, 'load', state])) * 1e6) / (manyRows - rows),
    };
  };
  // Without AVX-512, the first row is the row of AVX2.
  const hasAvx2 =
    /\bavx2\b/.test(fs.readFileSync('/proc/cpuinfo', 'utf8')) &&
    /\bavx512_?vnni\b/.test(fs.readFileSync('/proc/cpuinfo', 'utf8'));
  const results = await inTurns([
    { name: 'fresh', run: search('fresh', []) },
    { name: 'again', run: search('again', []) },
    ...(hasAvx2 ? [{ name: 'fresh-avx2', run: search('fresh', ['avx2']) }] : []),
    { name: 'floor', run: () => clientAgainst([floor, 'server'], [floor, 'client'], 1, ['blocking']) },
    { name: 'load', run: load },
  ]);
  const middle = (name, value) => median(results.get(name).map(value));
  const p50 = (name) => middle(name, (m) => m.p50) / 1000;
  const p95 = (name) => `${(middle(name, (m) => m.p95) / 1000).toFixed(2)} ms`;
  const loads = results.get('load').map((m) => m.perMillion);
  const loaded = median(loads);
  // The duration of a search in echoes of the same round: both met the same load.
  const echo = (round) => 1e6 / results.get('floor')[round].perSecond;
  const timesEcho = (name) => median(results.get(name).map((m, round) => m.p50 / echo(round)));
  return `## Memory: 10,000 entries behind MemorySearch, one caller, client and server on one processor\n\n${table(
    ['work', 'measured', 'to reach', 'reached'],
    [
      [
        'a question that nobody has asked before, over the socket and back, p50',
        `${p50('fresh').toFixed(2)} ms`,
        '1 ms',
        within(p50('fresh'), 1),
      ],
      ['… p95', p95('fresh'), '', ''],
      ['one of twelve that are asked again and again, p50', `${p50('again').toFixed(2)} ms`, '', ''],
      ['… p95', p95('again'), '', ''],
      [
        'for comparison: a blocking C echo over the same kind of socket',
        `${(1000 / middle('floor', (m) => m.perSecond)).toFixed(3)} ms`,
        '',
        '',
      ],
      [
        '… a question asked for the first time is so many of its echoes, p50',
        times(timesEcho('fresh')),
        '40x',
        within(timesEcho('fresh'), 40),
      ],
      ...(hasAvx2
        ? [['… with AVX2 only', times(timesEcho('fresh-avx2')), '40x', within(timesEcho('fresh-avx2'), 40)]]
        : []),
      ['… one that is asked again', times(timesEcho('again')), '40x', within(timesEcho('again'), 40)],
      [
        'stored with their vectors, in batches of 200',
        `${thousands(stored)} a second`,
        '5 k a second',
        within(5000, stored),
      ],
      [
        `vectors loaded at a start, of ${thousands(manyRows)} rows, for a million more`,
        `${loaded.toFixed(2)} s CPU`,
        '1 s CPU',
        within(loaded, 1),
      ],
      [
        '… the slowest of the rounds',
        `${Math.max(...loads).toFixed(2)} s CPU`,
        '1 s CPU',
        within(Math.max(...loads), 1),
      ],
    ],
  )}`;
};

// One run alternates both and prints their medians.
exports.memories = async ({ bin, options, runOnce, table, times, within }) => {
  const most = { 'search for what nobody asked before, p50 ms': 4, 'the search after it, p50 ms': 6 };
  const rows = [];
  for (const count of [10_000, 100_000]) {
    const [, ...lines] = runOnce([path.join(bin, 'bench_memories'), String(count), String(options.seconds)])
      .trim()
      .split('\n');
    for (const line of lines) {
      const [, what, shared, file, ratio] = line.match(
        /^(.*\S) +PostgreSQL +([\d.]+) +SQLite +([\d.]+) +ratio ([\d.]+)$/,
      );
      const target = most[what];
      rows.push([
        `${count.toLocaleString('en')}: ${what}`,
        shared,
        file,
        times(Number(ratio)),
        target ? times(target) : '',
        target ? within(Number(ratio), target) : '',
      ]);
    }
  }
  return `## Memories in PostgreSQL, beside a file\n\n${table(['what', 'PostgreSQL', 'file', 'of the file', 'at most', 'reached'], rows)}`;
};
