// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test, vi } from 'vitest';
import type { Json, Message } from './framing';
import { ConnectionClosed, Rpc, RpcError, type Handler } from './rpc';

function make(handlers: Record<string, Handler> = {}) {
  const sent: Message[] = [];
  const texts: string[] = [];
  const notes: string[] = [];
  const heard: string[] = [];
  const rpc = new Rpc((line) => sent.push(JSON.parse(line) as Message), new Map(Object.entries(handlers)), {
    text: (line) => texts.push(line),
    note: (line) => notes.push(line),
    notified: (method) => heard.push(method),
  });
  const say = (message: Message) => rpc.receive(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`));
  return { rpc, sent, texts, notes, heard, say };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('requests of ours', () => {
  test('64 in flight, answered in reverse, each to its own', async () => {
    const { rpc, sent, say } = make();
    const answers = Array.from({ length: 64 }, (_, n) => rpc.request('twice', { n }));
    for (const { id, params } of [...sent].reverse()) say({ id: id!, result: (params as { n: number }).n * 2 });
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 64 }, (_, n) => n * 2));
  });
  test('an error object is thrown with its code', async () => {
    const { rpc, sent, say } = make();
    const answer = rpc.request('x');
    say({ id: sent[0]!.id!, error: { code: -32603, message: 'Internal error' } });
    await expect(answer).rejects.toMatchObject({ code: -32603, message: 'RPC Error: Internal error' });
  });
  test('too late: cancelled, then dropped and counted; the next request is not disturbed', async () => {
    vi.useFakeTimers();
    const { rpc, sent, say } = make();
    const answer = rpc.request('slow', {}, 5000);
    const failed = expect(answer).rejects.toThrow("No response for 'slow' after 5s");
    await vi.advanceTimersByTimeAsync(5000);
    await failed;
    vi.useRealTimers();
    const { id } = sent[0]!;
    expect(sent[1]).toMatchObject({ method: 'cancel', params: { id } });
    say({ id: id!, result: 1 });
    say({ id: id!, result: 2 });
    expect(rpc.late).toBe(2);
    const next = rpc.request('quick');
    say({ id: sent[2]!.id!, result: 'here' });
    expect(await next).toBe('here');
  });
  test('an id of the other type is not ours', () => {
    const { rpc, say } = make();
    void rpc.request('x', {}, 0).catch(() => {});
    say({ id: 1, result: 1 });
    expect(rpc.late).toBe(1);
    rpc.close('done');
  });
  test('the end: all waiting requests fail at once, and a second close has no effect', async () => {
    const { rpc } = make();
    const answers = Array.from({ length: 10 }, () => rpc.request('x'));
    rpc.close('it ended');
    rpc.close('again');
    for (const answer of await Promise.allSettled(answers))
      expect(answer).toMatchObject({ reason: expect.any(ConnectionClosed) as Error });
    await expect(rpc.request('y')).rejects.toThrow('it ended');
  });
});

describe('requests of the other side', () => {
  test('handlers run in parallel, and ids return unchanged', async () => {
    let release = (_: Json) => {};
    const { sent, say } = make({
      slow: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
      quick: async (params) => params,
    });
    say({ id: 1, method: 'slow' });
    say({ id: '1', method: 'quick', params: { a: 1 } });
    await settled();
    expect(sent).toEqual([{ jsonrpc: '2.0', id: '1', result: { a: 1 } }]);
    release(null);
    await settled();
    expect(sent[1]).toEqual({ jsonrpc: '2.0', id: 1, result: null });
  });
  test.each<[string, Message, number, string]>([
    ['an unknown method', { id: 1, method: 'nope' }, -32601, 'Method not found: nope'],
    ['params that are no object', { id: 1, method: 'x', params: [] }, -32602, "x: 'params' must be an object"],
    ['an id that is neither', { id: true, method: 'x' }, -32600, "'id' must be a string or a number"],
    ['no method', { id: 1 }, -32600, "'method' is missing"],
    ['a handler that throws', { id: 1, method: 'throws' }, -32603, 'it broke'],
    ['a handler that refuses', { id: 1, method: 'refuses' }, -32002, 'no'],
  ])('%s', async (_, message, code, text) => {
    const { sent, say } = make({
      throws: async () => {
        throw new Error('it broke');
      },
      refuses: async () => {
        throw new RpcError(-32002, 'no');
      },
    });
    say(message);
    await settled();
    expect(sent[0]!.error).toEqual({ code, message: text });
  });
  test('cancelling tells the handler and answers at once', async () => {
    let told = false;
    const { sent, say } = make({
      wait: (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            told = true;
          });
        }),
    });
    say({ id: 7, method: 'wait' });
    say({ method: 'cancel', params: { id: 7 } });
    await settled();
    expect(told).toBe(true);
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32800, message: 'Cancelled' } }]);
  });
  test('a result after a cancel is dropped, even with a reused id', async () => {
    const release: ((value: Json) => void)[] = [];
    const { sent, say } = make({
      wait: () =>
        new Promise((resolve) => {
          release.push(resolve);
        }),
    });
    say({ id: 7, method: 'wait' });
    say({ method: 'cancel', params: { id: 7 } });
    say({ method: 'cancel', params: { id: 7 } });
    say({ method: 'cancel', params: { id: '7' } });
    say({ id: 7, method: 'wait' });
    release[0]!('first');
    await settled();
    release[1]!('second');
    await settled();
    expect(sent.map((message) => message.result ?? message.error)).toEqual([
      { code: -32800, message: 'Cancelled' },
      'second',
    ]);
  });
  test('a late request for the signal sees the cancel', async () => {
    let look = (): boolean => false;
    const { rpc, say } = make({
      wait: (_, call) =>
        new Promise(() => {
          look = () => call.signal.aborted;
        }),
    });
    say({ id: 7, method: 'wait' });
    rpc.close('it ended');
    expect(look()).toBe(true);
  });
  test('notifications are never answered; text and oddities are shown', async () => {
    const { rpc, sent, texts, notes, heard, say } = make();
    say({ method: 'status', params: { state: 'idle' } });
    rpc.receive(Buffer.from('hello\n{odd\n'));
    await settled();
    expect([sent, heard, texts, notes.length]).toEqual([[], ['status'], ['hello', '{odd'], 1]);
  });
});
