// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { address_of, read_place } from './navigation';

test('an address leads back to its view', () => {
  for (const place of [{ conversation: 'conv_1' }, { ask: 'ask_&=2' }, {}])
    expect(read_place(new URL(address_of(place, 'http://127.0.0.1:1/#token=secret')).hash)).toEqual(place);
});

test('the token is not part of an address that is passed on', () => {
  expect(address_of({ ask: 'a' }, 'http://127.0.0.1:1/#token=secret')).toBe('http://127.0.0.1:1/#ask=a');
});

test('a malformed address leads nowhere', () => {
  expect(read_place('#')).toEqual({});
  expect(read_place('#conversation=')).toEqual({});
  expect(read_place('#%zz')).toEqual({});
});
