// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { chosenVendor, EMPTY, givenOf, needsPermission } from './typed';

const openai = { id: 'openai', name: 'OpenAI', url: 'https://api.openai.com/v1', dialect: 'openai', needs_key: true };

test('another vendor begins without the typed key', () => {
  expect(chosenVendor(openai)).toEqual({ ...EMPTY, vendor: 'openai', url: openai.url });
});

test('an empty key is absent, so that a stored key stays', () => {
  expect(givenOf(chosenVendor(openai))).not.toHaveProperty('key');
  expect(givenOf({ ...chosenVendor(openai), key: ' sk ' }).key).toBe('sk');
});

test('a variable replaces the key', () => {
  const given = givenOf({ ...chosenVendor(openai), key: 'sk', keyVariable: 'OPENAI_API_KEY' });
  expect(given).not.toHaveProperty('key');
  expect(given.key_variable).toBe('OPENAI_API_KEY');
});

test('only http:// to another machine needs a permission', () => {
  for (const url of ['', 'h', 'https://h/v1', 'http://127.0.0.1:1/v1', 'http://localhost:1', 'http://[::1]:1/'])
    expect(needsPermission(url), url).toBe(false);
  for (const url of ['http://h/v1', 'http://127.0.0.1.evil.example/v1', 'http://localhost.evil.example'])
    expect(needsPermission(url), url).toBe(true);
});

test('the permission is sent only where it is needed', () => {
  expect(givenOf({ ...chosenVendor(openai), unencrypted: true })).not.toHaveProperty('unencrypted');
  expect(givenOf({ ...EMPTY, url: 'http://h/v1', unencrypted: true }).unencrypted).toBe(true);
});
