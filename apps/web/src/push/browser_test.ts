// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { browserName, bytesOf, idOf } from './browser';

test('a person can tell the own browsers apart', () => {
  expect(browserName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox, Linux');
  expect(
    browserName(
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    ),
  ).toBe('Chrome, Android');
  expect(
    browserName(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    ),
  ).toBe('Edge, Windows');
  expect(
    browserName(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari, iPhone');
  expect(browserName('')).toBe('');
});

test('keys are read as they were written', () => {
  expect([...bytesOf('_-8')]).toEqual([0xff, 0xef]);
});

test('an endpoint has the name that the host gives it', async () => {
  expect(await idOf('https://push.example/a')).toMatch(/^push_[0-9a-f]{16}$/);
  expect(await idOf('https://push.example/a')).not.toBe(await idOf('https://push.example/b'));
});
