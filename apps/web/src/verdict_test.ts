// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { verdict } from './components/ask/verdict';
import type { Ask } from './protocol';
import { zh } from './strings/zh';

const ask = (more: Partial<Ask>): Ask => ({
  id: 'a',
  conversation: 'c',
  kind: 'permission',
  title: 't',
  why: 'w',
  digest: 'd',
  state: 'answered',
  chosen: 'yes',
  created_at: '2026-01-01T00:00:00Z',
  options: [
    { id: 'yes', label: 'Yes', kind: 'allow_once', dangerous: false },
    { id: 'no', label: 'No', kind: 'reject_once', dangerous: false },
  ],
  ...more,
});

describe('what became of a request', () => {
  test('says where it was answered', () => {
    expect(verdict(ask({ by: 'person' }))).toBe('Allowed by you.');
    expect(verdict(ask({ by: 'terminal' }))).toBe('Allowed in the terminal.');
    expect(verdict(ask({ by: 'host', chosen: 'no' }))).toBe('Rejected in the program that started the agent.');
  });
  test('is one sentence in Chinese too', () => {
    expect(zh.verdict('已允许', zh.by('jon'))).toBe('已允许（由 jon）。');
    expect(zh.verdict('已拒绝', '', '不要')).toBe('已拒绝：“不要”');
  });
  test('names any other person, whatever the name', () => {
    expect(verdict(ask({ by: 'rule `git log`' }))).toBe('Allowed by rule `git log`.');
    expect(verdict(ask({ by: 'toString' }))).toBe('Allowed by toString.');
    expect(verdict(ask({ by: undefined as unknown as string, text: 'fine' }))).toBe('Allowed: “fine”');
  });
});
