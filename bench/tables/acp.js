// SPDX-License-Identifier: Apache-2.0
// bench/run acp: compares our client of the Agent Client Protocol with the reference SDK, and with JSON.parse on Node.
'use strict';
const { spawn } = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');

const updates = '10000';

exports.acp = async ({ bin, peers, pinned, runOnce, inTurns, median, spread, table, times, within }) => {
  const ours = path.join(bin, 'bench_acp');
  const sdk = path.join(peers, 'acp-sdk');
  const node = [process.execPath, path.join(__dirname, '../node/acp_client.mjs'), sdk];
  const agent = [process.execPath, path.join(__dirname, '../node/acp_agent.mjs')];
  const number = (name) => (text) => Number(text.match(new RegExp(`${name} ([\\d.]+)`))[1]);

  const server = spawn(agent[0], [agent[1], path.join(sdk, 'node_modules/ws')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await new Promise((told) =>
    readline.createInterface({ input: server.stdout }).once('line', (line) => told([line])),
  );
  const both = (name, work, of) => [
    { name: `our ${name}`, run: () => number(of)(runOnce([ours, ...work])) },
    { name: `sdk ${name}`, run: () => number(of)(runOnce([...node, 'sdk', ...work])) },
    { name: `raw ${name}`, run: () => number(of)(runOnce([...node, 'raw', ...work])) },
  ];
  const results = await inTurns([
    ...both('socket', ['updates', updates, url], 'cpu_ms'),
    ...both('stdio', ['updates', updates, ...agent], 'wall_ms'),
    { name: 'our trip', run: () => number('p50_us')(runOnce(pinned([ours, 'round_trips', ours, 'agent']))) },
    {
      name: 'sdk trip',
      run: () => number('p50_us')(runOnce(pinned([...node, 'sdk', 'round_trips', ...node, 'agent']))),
    },
    { name: 'our turn', run: () => number('p50_ms')(runOnce([ours, 'turns', ours, 'agent'])) },
    { name: 'our start', run: () => number('ms')(runOnce([ours, 'start', path.join(bin, 'parlance'), 'serve-acp'])) },
    { name: 'sdk start', run: () => number('ms')(runOnce([ours, 'start', ...node, 'agent'])) },
    {
      name: 'our memory',
      run: () => number('resident_KiB')(runOnce([ours, 'start', path.join(bin, 'parlance'), 'serve-acp'])) / 1024,
    },
    { name: 'sdk memory', run: () => number('resident_KiB')(runOnce([ours, 'start', ...node, 'agent'])) / 1024 },
  ]);
  server.kill();

  const row = (work, key, unit, most, digits = 1) => {
    const a = results.get(`our ${key}`);
    const tell = (all) => (all ? `${median(all).toFixed(digits)} ${unit} ${spread(all)}` : '');
    // The median of the ratios within each round: both programs met the same load.
    const against = (all) => (all ? times(median(a.map((value, i) => all[i] / value))) : '');
    const [b, raw] = [results.get(`sdk ${key}`), results.get(`raw ${key}`)];
    return [work, tell(a), tell(b), against(b), tell(raw), against(raw), `${most} ${unit}`, within(median(a), most)];
  };
  return `## Agent Client Protocol: our client and agent side beside the reference SDK\n\n${table(
    ['work', 'ours', 'SDK', 'ratio', 'JSON.parse', 'ratio', 'at most', 'reached'],
    [
      row(
        '10,000 updates over a WebSocket, typed and mapped to events: processor time of the client',
        'socket',
        'ms',
        15,
      ),
      row('the same over stdio, from the prompt to its end', 'stdio', 'ms', 8),
      row('a request there and back over stdio, p50; each with an agent of its own kind', 'trip', 'µs', 12),
      row('a turn of one word, p50', 'turn', 'ms', 0.5, 3),
      row('parlance serve-acp: start to the answer to initialize', 'start', 'ms', 8),
      row('… its memory then', 'memory', 'MiB', 10),
    ],
  )}
The SDK parses typed messages and does not map them to events. JSON.parse: ws or readline only.
`;
};
