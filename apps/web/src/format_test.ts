// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { ago, bytes, clock, day, duration, grouped, joinFolder, money, shortFolder, shortPaths, took } from './format';
import { speak, t } from './strings';

const at = (year: number, month: number, date: number, hour = 12, minute = 0) =>
  new Date(year, month - 1, date, hour, minute).getTime();
const iso = (ms: number) => new Date(ms).toISOString();

describe('How long', () => {
  test('a duration below a second has tenths', () => {
    expect([0, 1, 49, 100, 449, 949].map(took)).toEqual(['0 s', '0.1 s', '0.1 s', '0.1 s', '0.4 s', '0.9 s']);
    expect(took(950)).toBe('1 s');
    expect(took(-5)).toBe('0 s');
  });
  test('units change at sixty', () => {
    expect([59_499, 59_500, 3_599_499, 3_599_500, 7_260_000].map(duration)).toEqual([
      '59 s',
      '1 m 00 s',
      '59 m 59 s',
      '1 h 00 m',
      '2 h 01 m',
    ]);
    expect(duration(-1)).toBe('0 s');
  });
});

test('the time of an entry names another day', () => {
  const now = at(2026, 3, 10, 0, 30);
  expect(clock(iso(at(2026, 3, 10, 0, 5)), now)).toBe('00:05');
  expect(clock(iso(at(2026, 3, 9, 23, 55)), now)).toBe('Mar 9 · 23:55');
  expect(clock('', now)).toBe('');
});

describe('The day', () => {
  const now = at(2026, 3, 10, 0, 30);
  test('begins at midnight, not a day ago', () => {
    expect(day(iso(at(2026, 3, 10, 0, 1)), now)).toBe(t.today);
    expect(day(iso(at(2026, 3, 9, 23, 59)), now)).toBe(t.yesterday);
    expect(day(iso(at(2026, 3, 9, 0, 1)), now)).toBe(t.yesterday);
  });
  test('of the future is today: clocks differ', () => {
    expect(day(iso(at(2026, 3, 11)), now)).toBe(t.today);
  });
  test('is in the language of the page, not of the browser', async () => {
    await speak('zh');
    expect(day(iso(at(2026, 3, 4)), now)).toMatch(/^星期/);
    await speak('en');
    expect(day(iso(at(2026, 3, 4)), now)).toMatch(/day$/);
  });
  test('is a weekday for a week, and then a date', () => {
    const weekday = day(iso(at(2026, 3, 4)), now);
    expect(weekday).toBe(new Date(at(2026, 3, 4)).toLocaleDateString('en', { weekday: 'long' }));
    expect(day(iso(at(2026, 3, 3)), now)).toContain('2026');
  });
  test('of an invalid time is empty', () => {
    expect(day('soon', now)).toBe('');
    expect(ago('', now)).toBe('');
  });
  test('a change of the clock makes no day', () => {
    for (let date = 1; date < 60; ++date)
      expect(day(iso(at(2026, 3, date, 12)), at(2026, 3, date + 1, 12))).toBe(t.yesterday);
  });
});

describe('How long ago', () => {
  const now = at(2026, 3, 10, 12);
  test('is a word for the end of a line', () => {
    expect(ago(iso(now - 59_000), now)).toBe(t.now);
    expect(ago(iso(now + 5_000), now)).toBe(t.now);
    expect(ago(iso(now - 60_000), now)).toBe(t.minutes(1));
    expect(ago(iso(now - 3_599_000), now)).toBe(t.minutes(59));
    expect(ago(iso(now - 3_600_000), now)).toBe(t.hours(1));
    expect(ago(iso(at(2026, 3, 10, 0, 1)), now)).toBe(t.hours(11));
  });
  test('is a weekday from yesterday on, and a date after a week', () => {
    expect(ago(iso(at(2026, 3, 9, 23)), now)).toBe(
      new Date(at(2026, 3, 9)).toLocaleDateString('en', { weekday: 'short' }),
    );
    expect(ago(iso(at(2026, 3, 3)), now)).toBe(
      new Date(at(2026, 3, 3)).toLocaleDateString('en', { month: 'short', day: 'numeric' }),
    );
  });
});

describe('Folders', () => {
  test('below home are short', () => {
    expect(shortFolder('/home/ann', '/home/ann')).toBe('~');
    expect(shortFolder('/home/ann/code', '/home/ann/')).toBe('~/code');
    expect(shortFolder('/home/anna/code', '/home/ann')).toBe('/home/anna/code');
    expect(shortFolder('/srv', '/home/ann')).toBe('/srv');
    expect(shortFolder('/srv', '')).toBe('/srv');
    expect(shortFolder('/srv', '/')).toBe('/srv');
  });
  test('inside a sentence, too', () => {
    expect(shortPaths('from /home/ann/a to /home/ann/b, not /home/anna/c', '/home/ann')).toBe(
      'from ~/a to ~/b, not /home/anna/c',
    );
    expect(shortPaths('/srv/a', '')).toBe('/srv/a');
  });
});

describe('Numbers', () => {
  test('have digits in groups of three', () => {
    expect([0, 999, 1000, 1_234_567, 1234.5, -1000].map(grouped)).toEqual([
      '0',
      '999',
      '1,000',
      '1,234,567',
      '1,235',
      '-1,000',
    ]);
  });
  test('of money are cents, or fractions of a cent', () => {
    expect(money({ amount: 1.005, currency: 'USD' })).toMatch(/^\$1\.0[01]$/);
    expect(money({ amount: 0.00123, currency: 'USD' })).toBe('$0.0012');
    expect(money({ amount: 0, currency: 'USD' })).toBe('$0.00');
    expect(money({ amount: 2, currency: 'EUR' })).toBe('2.00 EUR');
  });
  test('of bytes are in a fitting unit', () => {
    expect([0, 1023, 1024, 1024 * 1024 - 1, 1024 * 1024, 1.55 * 1024 * 1024].map(bytes)).toEqual([
      '0 B',
      '1023 B',
      '1 KiB',
      '1024 KiB',
      '1.0 MiB',
      '1.6 MiB',
    ]);
  });
});

test('paths of a conversation, whole', () => {
  expect(['a.ts', '/x/a.ts', '~/a.ts', 'C:\\a.ts'].map((path) => joinFolder('/w/', path))).toEqual([
    '/w/a.ts',
    '/x/a.ts',
    '~/a.ts',
    'C:\\a.ts',
  ]);
});
