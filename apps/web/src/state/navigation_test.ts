// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { addressOf, readPlace } from './navigation';

test('an address leads back to its view', () => {
  for (const place of [{ conversation: 'conv_1' }, { ask: 'ask_&=2' }, {}])
    expect(readPlace(new URL(addressOf(place, 'http://127.0.0.1:1/#token=secret')).hash)).toEqual(place);
});

test('the token is not part of an address that is passed on', () => {
  expect(addressOf({ ask: 'a' }, 'http://127.0.0.1:1/#token=secret')).toBe('http://127.0.0.1:1/#ask=a');
});

test('a malformed address leads nowhere', () => {
  expect(readPlace('#')).toEqual({});
  expect(readPlace('#conversation=')).toEqual({});
  expect(readPlace('#%zz')).toEqual({});
});
