// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { givenBack } from './given_back';

describe('a text held by a field or VS Code', () => {
  test.each([
    ['\uFEFFa\r\nb\r\n', 'a\r\nb\r\n'],
    ['a\r\nb\nc', 'a\nb\nc'],
    ['a\rb', 'a\nb'],
    ['', ''],
  ])('%j comes back as it was where nothing was changed', (original, now) => {
    expect(givenBack(original, now)).toBe(original);
  });
  test('a changed text keeps the mark and the line ends', () => {
    expect(givenBack('\uFEFFa\r\nb\r\n', 'a\nB\n')).toBe('\uFEFFa\r\nB\r\n');
    expect(givenBack('a\nb', 'a\nB')).toBe('a\nB');
    expect(givenBack('a\r\nb\nc', 'a\nb\nC')).toBe('a\nb\nC');
  });
});
