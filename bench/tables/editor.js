// SPDX-License-Identifier: Apache-2.0
// bench/run editor: the editor bridge, our agent's side with our editor's side, in C++ and in the extension on Node.
'use strict';
const path = require('node:path');

exports.editor = async ({
  bin,
  scratch,
  options,
  pinned,
  pinnedToTwo,
  runOnce,
  parseLine,
  inTurns,
  median,
  spread,
  table,
  thousands,
  times,
  within,
}) => {
  const ours = path.join(bin, 'bench_editor');
  const floor = path.join(bin, 'bench_floor');
  const bundle = path.join(scratch, 'editor_side.cjs');
  runOnce([process.execPath, path.join(__dirname, '../node/editor_side.mjs'), bundle]);
  const node = [process.execPath, bundle];
  const seconds = String(options.seconds);
  const rate = (name, command) => ({ name, run: () => parseLine(runOnce(pinned(command))).perSecond });
  const number = (name, command, wanted) => ({
    name,
    run: () => Number(runOnce(pinned(command)).match(new RegExp(`${wanted} ([\\d.]+)`))[1]),
  });
  const modes = ['sequential', 'flight', 'notify'];
  const results = await inTurns([
    rate('floor', [floor, 'pipes', 'blocking', seconds]),
    ...modes.map((mode) => rate(`ours ${mode}`, [ours, mode, seconds])),
    ...modes.map((mode) => rate(`node ${mode}`, [ours, mode, seconds, ...node])),
    ...(options.cpu > 0
      ? [
          {
            name: 'ours on two',
            run: () => parseLine(runOnce(pinnedToTwo([ours, 'sequential', seconds]))).perSecond,
          },
        ]
      : []),
    number('start', [ours, 'start'], 'first_answer_ms'),
    number('memory', [ours, 'start'], 'resident_KiB'),
    number('end', [ours, 'end'], 'all_failed_ms'),
  ]);
  const of = (name) => results.get(name);
  // The median of the ratios within each round: both programs met the same load.
  const toFloor = (name) => median(of(name).map((value, i) => value / of('floor')[i]));
  const rateRow = (work, name, least) => [
    work,
    `${thousands(median(of(name)))} ${spread(of(name))}`,
    times(toFloor(name)),
    least ? thousands(least) : '',
    least ? (median(of(name)) >= least ? 'yes' : 'no') : '',
  ];
  const rates = table(
    ['messages of 200 bytes', 'per s', 'to the floor', 'at least', 'reached'],
    [
      rateRow('for comparison, the floor: blocking C, no codec, one after the other', 'floor'),
      rateRow('C++ on both sides, one call after the other', 'ours sequential', 150_000),
      ...(options.cpu > 0 ? [rateRow('… pinned alike, a processor for each side', 'ours on two', 150_000)] : []),
      rateRow('… 64 calls in flight', 'ours flight', 400_000),
      rateRow('… notifications', 'ours notify', 1_000_000),
      rateRow('the extension on Node answers C++, one call after the other', 'node sequential', 45_000),
      rateRow('… 64 calls in flight', 'node flight', 45_000),
      rateRow('… notifications', 'node notify'),
    ],
  );
  const valueRow = (work, name, unit, most, ofIt = 1) => {
    const all = of(name).map((value) => value / ofIt);
    return [work, `${median(all).toFixed(2)} ${unit} ${spread(all)}`, `${most} ${unit}`, within(median(all), most)];
  };
  const values = table(
    ['figure', 'measured', 'at most', 'reached'],
    [
      valueRow('start of the other side to its first answer, p50 of 50', 'start', 'ms', 5),
      valueRow('its memory then', 'memory', 'MiB', 6, 1024),
      valueRow('the other side ends with 64 calls pending: until all have failed', 'end', 'ms', 5),
    ],
  );
  const half = toFloor('ours sequential') >= 0.5 ? 'reached' : 'not reached';
  return `## Editor bridge: both processes on one processor\n\n${rates}\n\nHalf of the floor, one call after the other: ${half}.\n\n${values}`;
};
