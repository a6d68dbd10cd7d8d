// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { optionsInForce, valueName } from './options';
import type { AgentOption, SlashCommand } from './protocol';
import { matching, taken } from './slash';

const command = (name: string): SlashCommand => ({ name, description: '' });
const commands = ['help', 'compact', 'clear', 'Review', 'pr-review', 'mcp:files:list'].map(command);
const names = (text: string) => matching(commands, text).map((known) => known.name);

describe('Slash commands', () => {
  test('are offered from the slash on', () => {
    expect(names('/')).toEqual(commands.map((known) => known.name));
    expect(names('')).toEqual([]);
    expect(names('help')).toEqual([]);
    expect(names(' /help')).toEqual([]);
  });
  test('prefixes come before other matches', () => {
    expect(names('/c')).toEqual(['compact', 'clear', 'mcp:files:list']);
    expect(names('/re')).toEqual(['Review', 'pr-review']);
    expect(names('/REVIEW')).toEqual(['Review', 'pr-review']);
    expect(names('/nothing')).toEqual([]);
  });
  test('no longer offered after a space, or for a complete command', () => {
    expect(names('/help me')).toEqual([]);
    expect(names('/help\n')).toEqual([]);
    expect(names('/help')).toEqual([]);
    expect(names('/hel')).toEqual(['help']);
    expect(names('/HELP')).toEqual(['help']);
  });
  test('are eight at most', () => {
    expect(
      matching(
        Array.from({ length: 20 }, (_, i) => command(`c${i}`)),
        '/c',
      ).length,
    ).toBe(8);
  });
  test('leave room for words', () => {
    expect(taken(command('help'))).toBe('/help ');
  });
});

describe('Options of an agent', () => {
  const option = (id: string, value: string): AgentOption =>
    ({
      id,
      name: id,
      description: '',
      kind: 'select',
      value,
      values: [{ value: 'a', name: 'Alpha', description: '' }],
    }) as unknown as AgentOption;
  test('offered options, with the chosen value in place', () => {
    expect(
      optionsInForce([option('x', '1'), option('y', '1')], [option('y', '2')]).map(
        (inForce) => `${inForce.id}=${inForce.value}`,
      ),
    ).toEqual(['x=1', 'y=2']);
  });
  test('options known only to the conversation come last', () => {
    expect(optionsInForce([option('x', '1')], [option('z', '3')]).map((inForce) => inForce.id)).toEqual(['x', 'z']);
    expect(optionsInForce(undefined, undefined)).toEqual([]);
  });
  test('have readable values', () => {
    expect(valueName([option('x', 'a')], 'x', 'a')).toBe('Alpha');
    expect(valueName([option('x', 'a')], 'x', 'b')).toBe('b');
    expect(valueName([], 'x', 'b')).toBe('b');
  });
});
