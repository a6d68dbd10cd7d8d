// SPDX-License-Identifier: Apache-2.0
// bench/run claude: compares our host of Claude Code with the Claude agent SDK, both with the scripted agent of tests/peers/claude.
'use strict';
const path = require('node:path');

const sessions = 100;
const agent = path.join(__dirname, '../../tests/peers/claude/fake_agent.mjs');

exports.claude = async ({
  bin,
  peers,
  pinned,
  pinnedToTwo,
  runOnce,
  inTurns,
  median,
  spread,
  table,
  times,
  within,
}) => {
  const ours = path.join(bin, 'bench_claude');
  const sdk = [
    process.execPath,
    path.join(__dirname, '../node/claude_host.mjs'),
    path.join(peers, 'claude-sdk/node_modules/@anthropic-ai/claude-agent-sdk'),
    agent,
  ];
  const percentiles = (text) => JSON.parse(text.slice('latency '.length));
  const many = (text) =>
    text.split('\n').map((line) => {
      const [, lost, each, growth] = line
        .match(/lost (\d+) rss_KiB_each ([\d.]+) growth_since_first_KiB (-?\d+)/)
        .map(Number);
      return { lost, each, growth };
    });
  const results = await inTurns([
    { name: 'our lines', run: () => Number(runOnce([ours, 'lines']).match(/median ([\d.]+)/)[1]) },
    { name: 'sdk lines', run: () => Number(runOnce([...sdk, 'lines']).match(/cpu_ms ([\d.]+)/)[1]) },
    ...[
      ['latency', pinned],
      ['latency on two', pinnedToTwo],
    ].flatMap(([name, placed]) => [
      { name: `our ${name}`, run: () => percentiles(runOnce(placed([ours, 'latency', process.execPath, agent]))) },
      { name: `sdk ${name}`, run: () => percentiles(runOnce(placed([...sdk, 'latency']))) },
      { name: `floor ${name}`, run: () => percentiles(runOnce(placed([ours, 'floor', process.execPath, agent]))) },
    ]),
  ]);
  const rounds = many(runOnce([ours, 'sessions', process.execPath, agent, String(sessions)]));
  const row = (work, key, unit, most, of = (value) => value) => {
    const a = results.get(`our ${key}`).map(of);
    const b = results.get(`sdk ${key}`).map(of);
    const floor = results.get(`floor ${key}`)?.map(of);
    const tell = (all) => `${median(all).toFixed(1)} ${unit} ${spread(all)}`;
    // The median of the ratios within each round: both programs met the same load.
    const against = (all) => times(median(a.map((value, i) => all[i] / value)));
    return [
      work,
      tell(a),
      tell(b),
      against(b),
      floor ? tell(floor) : '',
      floor ? against(floor) : '',
      most ? `${most} ${unit}` : '',
      most ? within(median(a), most) : '',
    ];
  };
  const lost = rounds.reduce((all, one) => all + one.lost, 0);
  const growth = rounds.at(-1).growth;
  return `## Claude Code's protocol: our host beside the Claude agent SDK\n\n${table(
    ['work', 'ours', 'SDK', 'ratio', 'C that blocks', 'ratio', 'at most', 'reached'],
    [
      row(
        'processor time for 10,000 stream lines: ours reads and maps them to events, the SDK reads them',
        'lines',
        'ms',
        8,
      ),
      row('can_use_tool, as the agent sees it, p50', 'latency', 'µs', 20, (one) => one.p50_us),
      row('… p99', 'latency', 'µs', 200, (one) => one.p99_us),
      row('for comparison: agent and host on a processor each, p50', 'latency on two', 'µs', 0, (one) => one.p50_us),
      row('… p99', 'latency on two', 'µs', 0, (one) => one.p99_us),
      [
        `${sessions} sessions at once: memory of the host for each`,
        `${rounds[0].each.toFixed(1)} KiB`,
        '',
        '',
        '',
        '',
        '1024 KiB',
        within(rounds[0].each, 1024),
      ],
      [
        `… lines lost, of ${rounds.length} rounds with ${sessions} × 2002`,
        String(lost),
        '',
        '',
        '',
        '',
        '0',
        within(lost, 0),
      ],
      ['… growth from the first round to the last', `${growth} KiB`, '', '', '', '', '1024 KiB', within(growth, 1024)],
    ],
  )}
C that blocks: a host of bare C without JSON, waiting in read(2). Its figures show the cost of the agent and the machine.
`;
};
