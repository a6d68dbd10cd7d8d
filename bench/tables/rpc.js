// SPDX-License-Identifier: Apache-2.0
// bench/run net_rpc, json_lines and memory: compares our servers with Go, vscode-jsonrpc and a floor in C.
'use strict';
const path = require('node:path');

exports.net_rpc = async ({ bin, clientAgainst, hasGo, inTurns, rateTable }) => {
  const ours = path.join(bin, 'bench_net_rpc');
  const go = path.join(bin, 'bench_go');
  const floor = path.join(bin, 'bench_floor');
  const entrants = [];
  for (const callers of [1, 64]) {
    const add = (name, server, client, mode) =>
      entrants.push({
        name: `${name} ${callers}`,
        run: () => clientAgainst([server, 'server'], [client, 'client'], callers, mode),
      });
    add('ours', ours, ours);
    add('floor', floor, floor, ['blocking']);
    if (callers === 1) add('epoll', floor, floor, ['epoll']);
    if (hasGo) add('go', go, go);
    if (hasGo) add('go-ours', ours, go);
  }
  const results = await inTurns(entrants);
  const rows = [
    { work: 'our client and server, 1 caller; peer: blocking C floor', ours: 'ours 1', peer: 'floor 1', target: 0.5 },
  ];
  if (hasGo)
    rows.unshift(
      { work: 'our client and server, 1 caller; peer: Go', ours: 'ours 1', peer: 'go 1', target: 3 },
      { work: 'our client and server, 64 callers; peer: Go', ours: 'ours 64', peer: 'go 64', target: 4 },
      { work: 'Go client and our server, 1 caller; peer: Go server', ours: 'go-ours 1', peer: 'go 1', target: 1.3 },
      { work: 'Go client and our server, 64 callers; peer: Go server', ours: 'go-ours 64', peer: 'go 64', target: 1.3 },
    );
  // Without a target: the highest rate of any program on this machine.
  if (hasGo)
    rows.push({
      work: 'for comparison: epoll and no codec, 1 caller; peer: Go',
      ours: 'epoll 1',
      peer: 'go 1',
      target: 0,
    });
  rows.push({
    work: 'for comparison: our client and server, 64 callers; peer: blocking C, one write for all 64',
    ours: 'ours 64',
    peer: 'floor 64',
    target: 0,
  });
  return `## net/rpc: Chat of 200 bytes over a Unix socket, client and server on one processor\n\n${rateTable(results, rows)}`;
};

exports.json_lines = async ({ bin, peers, options, pinned, pinnedToTwo, runOnce, parseLine, inTurns, rateTable }) => {
  const ours = path.join(bin, 'bench_json_lines');
  const modules = path.join(peers, 'vscode-jsonrpc/node_modules');
  const node = [process.execPath, path.join(__dirname, '../node/json_rpc.mjs'), modules];
  const modes = { sequential: 11, flight: 12, notify: 15 };
  const entrants = [];
  for (const mode of Object.keys(modes)) {
    entrants.push({
      name: `ours ${mode}`,
      run: () => parseLine(runOnce(pinned([ours, mode, String(options.seconds)]))),
    });
    entrants.push({
      name: `node ${mode}`,
      run: () => parseLine(runOnce(pinned([...node, mode, String(options.seconds)]))),
    });
  }
  const seconds = String(options.seconds);
  const floor = (mode) => [path.join(bin, 'bench_floor'), 'pipes', mode, seconds];
  for (const mode of ['blocking', 'epoll'])
    entrants.push({ name: mode, run: () => parseLine(runOnce(pinned(floor(mode)))) });
  const two = options.cpu > 0;
  if (two) {
    entrants.push({ name: 'ours on two', run: () => parseLine(runOnce(pinnedToTwo([ours, 'sequential', seconds]))) });
    entrants.push({
      name: 'node on two',
      run: () => parseLine(runOnce(pinnedToTwo([...node, 'sequential', seconds]))),
    });
  }
  const results = await inTurns(entrants);
  const named = { sequential: 'one call after the other', flight: '64 calls in flight', notify: 'notifications' };
  const rows = Object.entries(modes).map(([mode, target]) => ({
    work: named[mode],
    ours: `ours ${mode}`,
    peer: `node ${mode}`,
    target,
  }));
  if (two)
    rows.splice(1, 0, {
      work: 'the same, a processor for each process',
      ours: 'ours on two',
      peer: 'node on two',
      target: modes.sequential,
    });
  for (const mode of ['blocking', 'epoll'])
    rows.push({
      work: `for comparison: ${mode} and no codec, one after the other`,
      ours: mode,
      peer: 'node sequential',
      target: 0,
    });
  return `## JSON-RPC: 200 bytes over pipes, both processes on one processor; peer: vscode-jsonrpc\n\n${rateTable(results, rows)}`;
};

exports.memory = async ({ bin, hasGo, runOnce, withServer, inTurns, median, table, times, within }) => {
  const count = 2000;
  const measure = (server) =>
    withServer([server, 'server'], (socket, pid) => {
      const [before, after] = runOnce([path.join(bin, 'bench_connections'), socket, String(pid), String(count)])
        .split(' ')
        .map(Number);
      return { before, after };
    });
  const entrants = [{ name: 'ours', run: () => measure(path.join(bin, 'bench_net_rpc')) }];
  if (hasGo) entrants.push({ name: 'go', run: () => measure(path.join(bin, 'bench_go')) });
  const results = await inTurns(entrants);
  const kib = (n) => `${n.toFixed(2)} KiB`;
  const row = (work, key, target) => {
    const a = median(results.get('ours').map((m) => m[key]));
    const b = hasGo ? median(results.get('go').map((m) => m[key])) : NaN;
    return [work, kib(a), hasGo ? kib(b) : 'no Go here', hasGo ? times(b / a) : '', kib(target), within(a, target)];
  };
  const head = ['work', 'ours', 'Go', 'ratio', 'at most', 'reached'];
  const rows = [row('before the first call', 'before', 4), row('after one Chat', 'after', 8)];
  return `## Memory of a net/rpc server for each idle connection (resident set, ${count} connections)\n\n${table(head, rows)}`;
};
