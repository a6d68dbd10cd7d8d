// SPDX-License-Identifier: Apache-2.0
// bench/run page_burst, turns, commits and conversations: costs of many pages that do not read, of a long conversation, of many
// conversations with simultaneous commits, and of many idle conversations.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const pages = 100;
const megabytes = 3;
const turns = 10_000;
const startMs = 20_000;

// Starts `parlance up` with the scripted agent, without pauses, and runs `body`.
async function withUp({ bin, folder }, body) {
  const at = (name) => path.join(folder, name);
  fs.mkdirSync(at('work'), { recursive: true });
  const up = spawn(
    path.join(bin, 'parlance'),
    [
      'up',
      '--listen',
      '127.0.0.1:0',
      '--embed-listen',
      '127.0.0.1:0',
      '--agent-socket',
      at('a.sock'),
      '--agent-socket-link',
      'none',
      '--state',
      at('state'),
      '--ready-file',
      at('ready.json'),
      '--folder',
      at('work'),
      '--rehearsal-pace-ms',
      '0',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  up.stderr.on('data', (text) => {
    said += text;
  });
  const ended = new Promise((resolve) => up.once('exit', resolve));
  try {
    for (const end = Date.now() + startMs; !fs.existsSync(at('ready.json'));) {
      if (up.exitCode !== null || Date.now() > end) throw new Error(`parlance up did not start: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await body(JSON.parse(fs.readFileSync(at('ready.json'), 'utf8')), at('work'));
  } finally {
    up.kill('SIGTERM');
    await ended;
  }
}

exports.page_burst = async ({ bin, scratch, runOnce, inTurns, median, table, within }) => {
  let servers = 0;
  const measure = () =>
    withUp({ bin, folder: path.join(scratch, `burst${++servers}`) }, (ready, work) => {
      const { address, pid } = ready.services.gateway;
      const told = runOnce([
        path.join(bin, 'bench_page_burst'),
        address,
        ready.token,
        String(pid),
        String(pages),
        String(megabytes),
        work,
      ]);
      const [, longest, middle, before, grown] = told
        .match(/health ([\d.]+) ms at most, ([\d.]+) in the middle \(([\d.]+) before\); memory grew by (-?[\d.]+) MiB/)
        .map(Number);
      return { longest, middle, before, grown };
    });
  const results = (await inTurns([{ name: 'burst', run: measure }])).get('burst');
  const of = (key) => median(results.map((one) => one[key]));
  return `## ${pages} pages that do not read, and a message of ${megabytes} MB\n\n${table(
    ['figure', 'measured', 'at most', 'reached'],
    [
      ['/health meanwhile, the longest', `${of('longest').toFixed(1)} ms`, '20 ms', within(of('longest'), 20)],
      ['… the middle one', `${of('middle').toFixed(2)} ms`, '', ''],
      ['for comparison: /health before, the middle one', `${of('before').toFixed(2)} ms`, '', ''],
      ['memory of the gateway, grown', `${of('grown').toFixed(1)} MiB`, '64 MiB', within(of('grown'), 64)],
    ],
  )}`;
};

// One run of 22,000 turns, which contains the medians.
exports.turns = async ({ bin, scratch, runOnce, table, times, within }) => {
  const folder = path.join(scratch, 'turns');
  const lines = runOnce([path.join(bin, 'bench_turns'), folder, String(turns)]).split('\n');
  const read = (line) => {
    const [, first, middle, last] = line
      .match(/first ([\d.]+) ms, .* turns ([\d.]+) ms \(.*\), .* turns ([\d.]+) ms/)
      .map(Number);
    return { first, middle, last };
  };
  const [alone, withAgent] = lines.map(read);
  const ms = (value) => `${value.toFixed(3)} ms`;
  const row = (work, one, atMost, reached) => [
    work,
    ms(one.first),
    ms(one.middle),
    ms(one.last),
    times(one.last / one.first),
    atMost,
    reached,
  ];
  return `## A turn of a long conversation: processor time, prompts and answers of 200 bytes, the store on disk\n\n${table(
    [
      'work',
      'the first',
      'after 1,000 turns',
      `after ${turns.toLocaleString('en')} turns`,
      'ratio',
      'at most',
      'reached',
    ],
    [
      row('the hub and its store', alone, times(1.2), within(alone.last / alone.first, 1.2)),
      row('… with our agent behind its socket', withAgent, times(1.3), within(withAgent.last / withAgent.first, 1.3)),
    ],
  )}\n\nThe agent keeps the history between calls, so each call sends new messages only (decision 0068). The model of this measurement reads no messages.`;
};

// One run alternates the three stores and prints their medians.
exports.commits = async ({ bin, runOnce, table, times }) => {
  const told = runOnce([path.join(bin, 'bench_commits'), '2']);
  const [, grouped, full, , plain] = told
    .match(/groups (\d+), SQLite FULL (\d+) \(ratio ([\d.]+)\), SQLite as it is (\d+)/)
    .map(Number);
  const whole = (value) => value.toLocaleString('en');
  return `## Commits a second of 64 conversations at once, an event of 200 bytes each, all on one disk\n\n${table(
    ['store', 'commits a second', 'of SQLite FULL', 'at least', 'reached'],
    [
      [
        'PostgreSQL, what waits is one transaction',
        whole(grouped),
        times(grouped / full),
        times(2),
        grouped / full >= 2 ? 'yes' : 'no',
      ],
      ['SQLite that waits for the disk at each commit', whole(full), times(1), '', ''],
      ['for comparison: the store on SQLite as it is, which does not', whole(plain), times(plain / full), '', ''],
    ],
  )}`;
};

// A process for each size: the memory of an earlier size must not count.
exports.conversations = async ({ bin, runOnce, table, thousands }) => {
  const rows = ['sqlite', 'postgres'].flatMap((store) =>
    [1000, 10_000, 100_000].map((count) => {
      const told = runOnce([path.join(bin, 'bench_conversations'), store, String(count)]);
      const [, start, kib, list, bytes, rare, common, none] = told.split(' ').map(Number);
      const mib = (kib * count) / 1024;
      return [
        store === 'sqlite' ? 'SQLite' : 'PostgreSQL',
        thousands(count),
        `${start} ms`,
        `${kib} KiB`,
        `${mib.toFixed(0)} MiB`,
        `${list} ms, ${bytes} KiB`,
        ...[rare, common, none].map((ms) => `${ms} ms`),
      ];
    }),
  );
  const opened = ['sqlite', 'postgres'].map((store) => {
    const told = runOnce([path.join(bin, 'bench_conversations'), 'open', store, '20000']);
    const [, end, endCpu, all, allCpu, kib] = told.split(' ');
    return [
      store === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      `${end} ms`,
      `${endCpu} ms`,
      `${all} ms`,
      `${allCpu} ms`,
      `${kib} KiB`,
    ];
  });
  return `## Idle conversations of one turn each\n\n${table(
    [
      'store',
      'conversations',
      'start',
      'memory of each',
      'of all',
      'first list of a page',
      'search: rare word',
      'common words',
      'no match',
    ],
    rows,
  )}\n\nTargets for 100,000: start 200 ms, memory 100 MiB, and the first list of a page as with 1,000.

## A page opens a conversation of 20,000 events\n\n${table(
    ['store', 'the last 2,000', 'processor time', 'all', 'processor time', 'size of all'],
    opened,
  )}`;
};
