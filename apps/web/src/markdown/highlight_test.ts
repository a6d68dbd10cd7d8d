// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { linesOf } from './highlight';

describe('Coloured code, line by line', () => {
  test('is what it was', () => {
    expect(linesOf('a\n<span class="k">b</span>\n')).toEqual(['a\n', '<span class="k">b</span>\n']);
    expect(linesOf('a\nb')).toEqual(['a\n', 'b']);
    expect(linesOf('')).toEqual([]);
  });

  test('has its colours in each line of a comment that goes over several', () => {
    expect(linesOf('<span class="c">/* a\nb <span class="t">c</span>\nd */</span> e\n')).toEqual([
      '<span class="c">/* a</span>\n',
      '<span class="c">b <span class="t">c</span></span>\n',
      '<span class="c">d */</span> e\n',
    ]);
  });
});
