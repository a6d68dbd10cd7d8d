// SPDX-License-Identifier: Apache-2.0
// bench/run page_burst, turns and commits: what a conversation costs the gateway when many pages follow it and do not read, when it is long, and
// when many write at once.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const pages = 100;
const megabytes = 3;
const turns = 10_000;
const start_ms = 20_000;

// Runs `body` beside a whole `parlance up` whose agent is the rehearsal, without pauses.
async function with_up({ bin, folder }, body) {
  const at = (name) => path.join(folder, name);
  fs.mkdirSync(at('work'), { recursive: true });
  const up = spawn(path.join(bin, 'parlance'), ['up', '--listen', '127.0.0.1:0', '--embed-listen', '127.0.0.1:0', '--agent-socket', at('a.sock'),
    '--agent-socket-link', 'none', '--state', at('state'), '--ready-file', at('ready.json'), '--folder', at('work'), '--rehearsal-pace-ms', '0'],
  { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  up.stderr.on('data', (text) => { said += text; });
  const ended = new Promise((resolve) => up.once('exit', resolve));
  try {
    for (const end = Date.now() + start_ms; !fs.existsSync(at('ready.json'));) {
      if (up.exitCode !== null || Date.now() > end) throw new Error(`parlance up did not start: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await body(JSON.parse(fs.readFileSync(at('ready.json'), 'utf8')), at('work'));
  } finally {
    up.kill('SIGTERM');
    await ended;
  }
}

exports.page_burst = async ({ bin, scratch, run_once, in_turns, median, table, within }) => {
  let servers = 0;
  const measure = () => with_up({ bin, folder: path.join(scratch, `burst${++servers}`) }, (ready, work) => {
    const { address, pid } = ready.services.gateway;
    const told = run_once([path.join(bin, 'bench_page_burst'), address, ready.token, String(pid), String(pages), String(megabytes), work]);
    const [, longest, middle, before, grown] = told.match(/health ([\d.]+) ms at most, ([\d.]+) in the middle \(([\d.]+) before\); memory grew by (-?[\d.]+) MiB/).map(Number);
    return { longest, middle, before, grown };
  });
  const results = (await in_turns([{ name: 'burst', run: measure }])).get('burst');
  const of = (key) => median(results.map((one) => one[key]));
  return `## Pages that do not read: ${pages} of them follow a conversation, and one message of ${megabytes} MB is sent in it and answered\n\n${table(
    ['figure', 'measured', 'at most', 'reached'],
    [
      ['/health meanwhile, the longest', `${of('longest').toFixed(1)} ms`, '20 ms', within(of('longest'), 20)],
      ['… the middle one', `${of('middle').toFixed(2)} ms`, '', ''],
      ['for comparison: /health before, the middle one', `${of('before').toFixed(2)} ms`, '', ''],
      ['memory of the gateway, grown', `${of('grown').toFixed(1)} MiB`, '64 MiB', within(of('grown'), 64)],
    ],
  )}`;
};

// One run is 22,000 turns: the medians are in it.
exports.turns = async ({ bin, scratch, run_once, table, times, within }) => {
  const folder = path.join(scratch, 'turns');
  const lines = run_once([path.join(bin, 'bench_turns'), folder, String(turns)]).split('\n');
  const read = (line) => {
    const [, first, middle, last] = line.match(/first ([\d.]+) ms, .* turns ([\d.]+) ms \(.*\), .* turns ([\d.]+) ms/).map(Number);
    return { first, middle, last };
  };
  const [alone, with_agent] = lines.map(read);
  const ms = (value) => `${value.toFixed(3)} ms`;
  const row = (work, one, at_most, reached) => [work, ms(one.first), ms(one.middle), ms(one.last), times(one.last / one.first), at_most, reached];
  const more = with_agent.last - with_agent.first;
  return `## A turn of a long conversation: processor time, prompts and answers of 200 bytes, the store on disk\n\n${table(
    ['work', 'the first', 'after 1,000 turns', `after ${turns.toLocaleString('en')} turns`, 'ratio', 'at most', 'reached'],
    [
      row('the hub and its store', alone, times(1.2), within(alone.last / alone.first, 1.2)),
      row('… with our agent behind its socket, which is sent the history each time', with_agent, '1 ms more', within(more, 1)),
    ],
  )}\n\nThe agent keeps no history between calls, so each call sends 192 to 384 KiB of history through the socket, regardless of the conversation's length.`;
};

// The three take turns in one run, whose medians it prints.
exports.commits = async ({ bin, run_once, table, times }) => {
  const told = run_once([path.join(bin, 'bench_commits'), '2']);
  const [, grouped, full, , plain] = told.match(/groups (\d+), SQLite FULL (\d+) \(ratio ([\d.]+)\), SQLite as it is (\d+)/).map(Number);
  const whole = (value) => value.toLocaleString('en');
  return `## Commits a second of 64 conversations at once, an event of 200 bytes each, all on one disk\n\n${table(
    ['store', 'commits a second', 'of SQLite FULL', 'at least', 'reached'],
    [
      ['PostgreSQL, what waits is one transaction', whole(grouped), times(grouped / full), times(2), grouped / full >= 2 ? 'yes' : 'no'],
      ['SQLite that waits for the disk at each commit', whole(full), times(1), '', ''],
      ['for comparison: the store on SQLite as it is, which does not', whole(plain), times(plain / full), '', ''],
    ],
  )}`;
};
