// SPDX-License-Identifier: Apache-2.0
// bench/run vectors: runs bench_vectors and prints tables of its output.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

// Reads lines "NAME UNIT VALUE…" into values by name.
function parse(text) {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name, , ...values]) => [name, values.map(Number)]),
  );
}

// The extension file. bench_vectors loads it into its own SQLite.
function findSqliteVec(peers) {
  const modules = path.join(peers, 'sqlite-vec/node_modules');
  if (!fs.existsSync(modules)) return { why: 'not installed: scripts/peers.sh install sqlite-vec' };
  const folder = fs.readdirSync(modules).find((name) => name.startsWith('sqlite-vec-'));
  const file = folder && fs.readdirSync(path.join(modules, folder)).find((name) => /^vec0\.(so|dylib)$/.test(name));
  return file
    ? { library: path.join(modules, folder, file) }
    : { why: `npm has none for ${process.platform} on ${process.arch}` };
}

function run({ bin, pinned, progress }, what, args) {
  progress(`vectors: ${what}`);
  const [program, ...rest] = pinned([path.join(bin, 'bench_vectors'), ...args]);
  const done = spawnSync(program, rest, { encoding: 'utf8', timeout: 3_600_000 });
  progress('');
  if (done.status !== 0) throw new Error(`bench_vectors: ${done.error?.message ?? done.stderr}`);
  return { facts: parse(done.stdout), complaints: done.stderr.trim() };
}

// tools: bin, peers, pinned, progress, options, median, spread, table, times, within of bench/run
module.exports.vectors = (tools) => {
  const { options, median, spread, table, times } = tools;
  const rounds = ['--rounds', String(options.rounds)];
  const vec = findSqliteVec(tools.peers);
  const small = run(tools, '100,000 rows', [
    ...rounds,
    '--peers',
    ...(vec.library ? ['--sqlite-vec', vec.library] : []),
  ]);
  const large = run(tools, '1,000,000 rows', ['--rows', '1000000', ...rounds, ...(options.index ? ['--index'] : [])]);

  const ms = (values) => `${median(values).toFixed(median(values) < 1 ? 3 : 2)} ms ${spread(values)}`;
  const share = (value) => value.toFixed(3);
  // atMost: processor time in ms. The time counts only with the recall, [of what, at least].
  const row = (of, work, ours, peer, atMost, recall) => {
    const mine = of.get(`${ours}-cpu`);
    const theirs = of.get(`${peer}-cpu`);
    if (!mine) return [work, 'not there', '', '', '', '', atMost ? `${atMost} ms` : '', ''];
    const ratio = theirs ? times(median(mine.map((value, i) => theirs[i] / value))) : '';
    const found = recall ? of.get(recall[0])?.[0] : undefined;
    const good = !recall || found >= recall[1];
    const reached = atMost ? (good && median(mine) <= atMost ? 'yes' : 'no') : '';
    return [
      work,
      ms(mine),
      ms(of.get(ours)),
      found === undefined ? '' : share(found),
      theirs ? ms(theirs) : '',
      ratio,
      atMost ? `${atMost} ms` : '',
      reached,
    ];
  };
  const besideVec = small.facts.has('sqlite-vec')
    ? 'sqlite-vec'
    : `sqlite-vec, not available (${vec.why ?? small.complaints})`;
  const rows = [
    row(small.facts, '100,000 rows, all looked at; beside: f32 scan with AVX2', 'ours', 'f32-scan', 4, [
      'ours-recall',
      1,
    ]),
    row(small.facts, `the same; beside: ${besideVec}`, 'ours', 'sqlite-vec', 0, ['ours-recall', 1]),
    row(small.facts, 'the same, one category of five; beside: all', 'ours-filtered', 'ours', 0),
    row(small.facts, 'the same, uniform rows', 'uniform', '', 4, ['uniform-recall', 1]),
  ];
  // Without AVX-512 or AVX2, the first row equals the next one.
  if (small.facts.has('ours-avx2'))
    rows.push(
      row(small.facts, 'the same with AVX2 only; beside: f32 scan with AVX2', 'ours-avx2', 'f32-scan', 0, [
        'ours-avx2-recall',
        1,
      ]),
    );
  if (small.facts.has('ours-portable'))
    rows.push(
      row(small.facts, 'the same with plain C++ only; beside: f32 scan with AVX2', 'ours-portable', 'f32-scan', 0, [
        'ours-portable-recall',
        1,
      ]),
    );
  rows.push(
    row(
      small.facts,
      `100,000 rows, graph; beside: hnswlib on f32 (recall ${share(small.facts.get('hnswlib-recall')[0])})`,
      'graph',
      'hnswlib',
      0,
      ['graph-recall', 0.98],
    ),
    row(large.facts, '1,000,000 rows, all looked at; beside: f32 scan with AVX2', 'ours', 'f32-scan', 40, [
      'ours-recall',
      1,
    ]),
  );
  if (options.index)
    rows.push(
      row(large.facts, '1,000,000 rows, graph; beside: all looked at', 'graph', 'ours', 1, ['graph-recall', 0.98]),
    );
  const searches = table(
    ['work', 'ours, CPU', 'ours, wall', 'recall', 'beside, CPU', 'ratio, CPU', 'at most', 'reached'],
    rows,
  );

  const limit = (work, value, unit, digits, most) => [
    work,
    `${value.toFixed(digits)}${unit}`,
    most ? `${most}${unit}` : '',
    most ? tools.within(value, most) : '',
  ];
  const of = (from, name) => from.facts.get(name)[0];
  const costs = [
    limit('1,000,000 int8 rows into an empty index', of(large, 'fill-cpu'), ' s CPU', 2, 1),
    limit('memory of it, to its int8 rows', of(large, 'int8-bytes'), 'x', 2, 1.3),
    limit('… as resident set', of(large, 'int8-resident'), 'x', 2, 1.3),
    limit('memory with exact rows, to int8 and f32 rows', of(large, 'all-bytes'), 'x', 2, 1.3),
    limit('… as resident set', of(large, 'all-resident'), 'x', 2, 1.3),
    limit('100,000 rows: the graph is built in', of(small, 'graph-build-cpu'), ' s CPU', 0),
    limit('… where hnswlib with f32 takes', of(small, 'hnswlib-build-cpu'), ' s CPU', 0),
    limit('… and int8 rows and graph, to the int8 rows', of(small, 'graph-bytes'), 'x', 2),
  ];
  if (options.index) {
    costs.push(
      limit('1,000,000 rows: the graph is built in', of(large, 'graph-build-cpu'), ' s CPU', 0),
      limit('… and int8 rows and graph, to the int8 rows', of(large, 'graph-bytes'), 'x', 2),
      limit('… and the recall that it measures on its rows', of(large, 'graph-measured-recall'), '', 3),
    );
  }
  return (
    `## Vectors: the ten nearest of rows of 384 components, one core\n\n${searches}\n\n` +
    `Recall: share of the true ten (double precision; for a graph at 1,000,000 rows: the ten of the scan). Rows are grouped in topics, except uniform rows.\n\n` +
    table(['cost', 'ours', 'at most', 'reached'], costs)
  );
};
