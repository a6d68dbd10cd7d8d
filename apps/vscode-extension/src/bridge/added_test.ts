// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { bridgeTo, MemoryEditor } from './test_editor';

const about = { description: 'Counts words.', parameters: { type: 'object' }, readOnly: true };

describe('methods of other extensions', () => {
  test('are called by their name, told with what they are for, and gone when they are taken away', async () => {
    const { added, call } = bridgeTo(new MemoryEditor());
    expect(await call('getAddedMethods')).toEqual({ success: true, methods: [] });
    const remove = added.add('wordCount', about, ({ text }) => ({
      success: true,
      words: String(text).split(' ').length,
    }));
    expect(added.has('wordCount')).toBe(true);
    expect(added.has('getSelection')).toBe(true);
    expect(await call('wordCount', { text: 'a b c' })).toEqual({ success: true, words: 3 });
    expect(((await call('initialize')) as { methods: string[] }).methods).toContain('wordCount');
    expect(await call('getAddedMethods')).toEqual({ success: true, methods: [{ name: 'wordCount', ...about }] });
    expect(await call('callAddedMethod', { method: 'wordCount', params: { text: 'a b' } })).toEqual({
      success: true,
      result: { success: true, words: 2 },
    });
    remove();
    remove();
    await expect(call('wordCount')).rejects.toMatchObject({ code: -32601, message: 'Method not found: wordCount' });
    await expect(call('callAddedMethod', { method: 'wordCount' })).rejects.toMatchObject({ code: -32601 });
  });

  test('an impossible action is an answer, an exception an error; an empty result is success', async () => {
    const { added, call } = bridgeTo(new MemoryEditor());
    let says: () => unknown = () => ({ success: false, error: 'Not now' });
    added.add('its.method', { description: 'Of it.' }, () => says());
    expect(await call('its.method')).toEqual({ success: false, error: 'Not now' });
    expect(await call('callAddedMethod', { method: 'its.method' })).toEqual({ success: false, error: 'Not now' });
    says = () => undefined;
    expect(await call('its.method')).toEqual({ success: true });
    expect(await call('getAddedMethods')).toEqual({
      success: true,
      methods: [{ name: 'its.method', description: 'Of it.', readOnly: false }],
    });
    says = () => {
      throw new Error('broken');
    };
    await expect(call('its.method')).rejects.toMatchObject({ code: -32603, message: 'broken' });
    await expect(call('callAddedMethod', { method: 'its.method', params: 3 })).rejects.toMatchObject({
      code: -32602,
      message: "callAddedMethod: 'params' must be an object",
    });
  });

  test('hear that they are no longer wanted', async () => {
    const { added, call, say, last } = bridgeTo(new MemoryEditor());
    let stopped = false;
    added.add(
      'wait',
      { description: 'Waits.' },
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = true;
            resolve(null);
          });
        }),
    );
    const waiting = call('wait');
    say({ method: 'cancel', params: { id: last() } });
    await expect(waiting).rejects.toMatchObject({ code: -32800 });
    expect(stopped).toBe(true);
  });

  test.each<[string, string, object, string]>([
    ['a name of the bridge', 'ping', about, 'ping is a method of the bridge already'],
    ['a name that is none', 'a b', about, '"a b" is no name of a method'],
    ['without saying what for', 'mine', {}, 'mine: say in "description" what it is for'],
  ])('%s is refused', (_, name, what, message) => {
    const { added } = bridgeTo(new MemoryEditor());
    expect(() => added.add(name, what as never, () => null)).toThrow(message);
  });
});
