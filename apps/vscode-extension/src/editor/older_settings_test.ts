// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { moves, offerToMove, olderFlags, type Inspect, type Mover, type Written } from './older_settings';

const inspectOf =
  (held: Record<string, Written>): Inspect =>
  (section, name) =>
    held[`${section}.${name}`] ?? {};

test('what iflow.* says counts where parlance.* says nothing', () => {
  expect(olderFlags(inspectOf({}))).toEqual([]);
  expect(
    olderFlags(
      inspectOf({
        'iflow.timeout': { user: 60000 },
        'parlance.timeout': { workspace: 9000 },
        'iflow.debugLogging': { user: true },
        'iflow.port': { user: 8090, workspace: 8095 },
        'iflow.nodePath': { user: '/opt/node' },
        'iflow.maxFileBytes': { user: 1000 },
      }),
    ),
  ).toEqual([
    '--agent-timeout',
    '9000',
    '--log-level',
    'debug',
    '--iflow-port',
    '8095',
    '--iflow-node',
    '/opt/node',
    '--prompt-file-bytes',
    '1000',
  ]);
  expect(
    olderFlags(
      inspectOf({
        'iflow.debugLogging': { user: true },
        'parlance.debugLogging': { user: false },
        'iflow.nodePath': { user: '' },
        'iflow.port': { user: null },
      }),
    ),
  ).toEqual([]);
});

function mover(held: Record<string, Written>, answer: boolean) {
  let offered = false;
  let asked: string[] | undefined;
  const made: Mover = {
    inspect: inspectOf(held),
    offered: () => offered,
    ask: async (names) => {
      asked = names;
      return answer;
    },
    write: async (section, name, where, value) => {
      (held[`${section}.${name}`] ??= {})[where] = value;
    },
    keepOffered: async () => {
      offered = true;
    },
  };
  return {
    made,
    asked: () => asked,
    again: () => {
      asked = undefined;
    },
  };
}

test('they are moved once it is wanted, each where it was, and only what ours do not say', async () => {
  const held: Record<string, Written> = {
    'iflow.timeout': { user: 1, workspace: 2 },
    'iflow.port': { user: 3 },
    'parlance.port': { user: 4 },
  };
  const { made, asked } = mover(held, true);
  await offerToMove(made);
  expect(asked()).toEqual(['iflow.timeout']);
  expect(held).toEqual({
    'iflow.timeout': { user: undefined, workspace: undefined },
    'iflow.port': { user: 3 },
    'parlance.port': { user: 4 },
    'parlance.timeout': { user: 1, workspace: 2 },
  });
  expect(moves(made.inspect)).toEqual([]);
});

test('who does not want it is not asked again, and nobody is asked about nothing', async () => {
  const held: Record<string, Written> = { 'iflow.maxFileBytes': { user: 1 } };
  const { made, asked, again } = mover(held, false);
  await offerToMove(made);
  expect(asked()).toEqual(['iflow.maxFileBytes']);
  expect(held).toEqual({ 'iflow.maxFileBytes': { user: 1 } });
  again();
  await offerToMove(made);
  expect(asked()).toBeUndefined();
  const nothing = mover({}, true);
  await offerToMove(nothing.made);
  expect(nothing.asked()).toBeUndefined();
});
