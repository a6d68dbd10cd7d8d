// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { takeToken, tokenIn, WebSocketHost } from './host';
import type { HostMessage } from './protocol';
import type { Link } from './store';

/** A socket that opens, speaks and closes when the test says so. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static refusesNames = false;
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }
  readyState = 0;
  sent: string[] = [];
  closed = false;
  onopen: () => void = () => {};
  onmessage: (event: { data: unknown }) => void = () => {};
  onclose: (event: { code: number; reason: string }) => void = () => {};
  constructor(
    readonly url: string,
    readonly subprotocols: string[],
  ) {
    if (FakeSocket.refusesNames) throw new SyntaxError('invalid subprotocol');
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
  opens(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  says(message: unknown): void {
    this.onmessage({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }
  ends(code = 1006, reason = ''): void {
    this.readyState = 3;
    this.onclose({ code, reason });
  }
}

let store: Map<string, string>;
let address: { href: string; origin: string };
let health: () => Promise<{ status: number }>;
let listeners: Record<string, () => void>;

function page(
  token = 'good',
  href = 'http://host:1/',
): { host: WebSocketHost; links: Link[]; messages: HostMessage[]; states: () => string[] } {
  if (token) store.set('parlance.token', token);
  address.href = href;
  const host = new WebSocketHost('http://host:1');
  const links: Link[] = [];
  const messages: HostMessage[] = [];
  host.onLink((link) => links.push(link));
  host.onMessage((message) => messages.push(message));
  return { host, links, messages, states: () => links.map((link) => link.state) };
}

/** A gateway that answers so; what it was asked. */
function session(answer: Record<'signed_in', boolean>): { url: string; method: string; headers: unknown }[] {
  const asked: { url: string; method: string; headers: unknown }[] = [];
  vi.stubGlobal('fetch', (url: string, { method, headers }: { method: string; headers: unknown }) => {
    asked.push({ url, method, headers });
    return Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(answer) });
  });
  return asked;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  FakeSocket.all = [];
  FakeSocket.refusesNames = false;
  store = new Map();
  listeners = {};
  address = { href: 'http://host:1/', origin: 'http://host:1' };
  health = () => Promise.reject(new Error('refused'));
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', address);
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_: unknown, __: string, url: string) => {
      address.href = 'http://host:1' + url;
    },
  });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => {
      store.set(key, value);
    },
  });
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    listeners[name] = listener;
  });
  vi.stubGlobal('document', {
    hidden: false,
    addEventListener: (name: string, listener: () => void) => {
      listeners[name] = listener;
    },
  });
  vi.stubGlobal('fetch', () => health());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('The token', () => {
  test('is taken out of the address and kept for this tab', () => {
    address.href = 'http://host:1/?a=1#token=secret&b=2';
    expect(takeToken()).toBe('secret');
    expect(address.href).toBe('http://host:1/?a=1#b=2');
    expect(takeToken()).toBe('secret');
  });
  test('may be in the query, and a new token replaces the old', () => {
    store.set('parlance.token', 'old');
    address.href = 'http://host:1/?token=%20new%20';
    expect(takeToken()).toBe('new');
    expect(address.href).toBe('http://host:1/');
  });
  test('is found in whatever was pasted', () => {
    expect(tokenIn('http://host:1/#token=a%2Fb&x=1')).toBe('a/b');
    expect(tokenIn(' token: abc ')).toBe('abc');
    expect(tokenIn('  abc\n')).toBe('abc');
  });
});

describe('The connection', () => {
  test('carries the token beside the protocol, never in the address', () => {
    page().host.connect();
    expect(FakeSocket.last.url).toBe('ws://host:1/ws');
    expect(FakeSocket.last.subprotocols).toEqual(['parlance.v1', 'token.good']);
  });

  test('without a token and without a cookie is not tried', async () => {
    const asked = session({ signed_in: false });
    const { host, links } = page('');
    host.connect();
    await vi.waitFor(() => expect(links.at(-1)).toEqual({ state: 'refused', why: 'missing' }));
    expect(asked).toEqual([{ url: 'http://host:1/session', method: 'POST', headers: { 'X-Parlance-Page': '1' } }]);
    expect(FakeSocket.all).toEqual([]);
    host.setToken('typed');
    expect(FakeSocket.last.subprotocols).toContain('token.typed');
    expect(store.get('parlance.token')).toBe('typed');
  });

  test('needs no token where the cookie of the last visit counts', async () => {
    session({ signed_in: true });
    const { host, states } = page('');
    host.connect();
    await vi.waitFor(() => expect(FakeSocket.all.length).toBe(1));
    expect(FakeSocket.last.subprotocols).toEqual(['parlance.v1']);
    FakeSocket.last.opens();
    expect(states()).toEqual(['connecting', 'online']);
  });
  test('gets a cookie for the token, once', async () => {
    const asked = session({ signed_in: true });
    const { host } = page();
    host.connect();
    FakeSocket.last.opens();
    FakeSocket.last.ends();
    vi.advanceTimersByTime(10_000);
    FakeSocket.last.opens();
    expect(asked.filter((request) => request.method === 'POST')).toEqual([
      { url: 'http://host:1/session', method: 'POST', headers: { Authorization: 'Bearer good' } },
    ]);
  });
  test('waits for a missing gateway, also without a token', async () => {
    const { host, links } = page('');
    host.connect();
    await vi.waitFor(() => expect(links.at(-1)).toMatchObject({ state: 'lost', why: 'unreachable' }));
  });

  test('with a token impossible as a subprotocol is refused', () => {
    FakeSocket.refusesNames = true;
    const { host, links } = page('a b');
    host.connect();
    expect(links.at(-1)).toEqual({ state: 'refused', why: 'wrong' });
  });

  test('passes on messages of the host, and drops invalid messages', () => {
    const { host, messages, states } = page();
    expect(host.post({ type: 'ready' })).toBe(false);
    host.connect();
    expect(host.post({ type: 'ready' })).toBe(false);
    FakeSocket.last.opens();
    expect(states()).toEqual(['connecting', 'online']);
    expect(host.post({ type: 'ready' })).toBe(true);
    expect(FakeSocket.last.sent).toEqual(['{"type":"ready"}']);
    FakeSocket.last.says({ type: 'delta', seq: 1, ops: [] });
    FakeSocket.last.says('no JSON');
    FakeSocket.last.onmessage({ data: new ArrayBuffer(4) });
    expect(messages).toEqual([{ type: 'delta', seq: 1, ops: [] }]);
  });

  test('closed for its token asks for another and does not try again', () => {
    const { host, links } = page();
    host.connect();
    FakeSocket.last.opens();
    FakeSocket.last.ends(4401, 'token');
    expect(links.at(-1)).toEqual({ state: 'refused', why: 'wrong' });
    vi.advanceTimersByTime(3_600_000);
    expect(FakeSocket.all.length).toBe(1);
  });

  test('cut connections are remade, at first soon and then less often', async () => {
    const { host, links } = page();
    host.connect();
    FakeSocket.last.opens();
    FakeSocket.last.ends(1006);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; ++attempt) {
      const lost = links.at(-1)!;
      if (lost.state !== 'lost') throw new Error(lost.state);
      waits.push(lost.retryAt - Date.now());
      await vi.advanceTimersByTimeAsync(waits.at(-1)!);
      FakeSocket.last.ends(1006);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 7500, 7500, 7500]);
  });

  test('only a working host permits a fast retry', () => {
    const { host, links } = page();
    host.connect();
    const wait = () => {
      const lost = links.at(-1)!;
      return lost.state === 'lost' ? lost.retryAt - Date.now() : -1;
    };
    for (let i = 0; i < 3; ++i) {
      FakeSocket.last.opens();
      FakeSocket.last.ends();
      vi.advanceTimersByTime(10_000);
    }
    FakeSocket.last.opens();
    FakeSocket.last.ends();
    expect(wait()).toBe(1000);
    vi.advanceTimersByTime(1000);
    FakeSocket.last.opens();
    FakeSocket.last.says({ type: 'snapshot' });
    FakeSocket.last.ends();
    expect(wait()).toBe(125);
  });

  test('a restart is reported as a restart', () => {
    const { host, links } = page();
    host.connect();
    for (const [code, reason, why] of [
      [1012, '', 'restarting'],
      [1001, '', 'restarting'],
      [1011, 'it broke', 'it broke'],
      [1006, '', ''],
    ] as const) {
      FakeSocket.last.opens();
      FakeSocket.last.ends(code, reason);
      expect(links.at(-1)).toMatchObject({ state: 'lost', why });
      vi.advanceTimersByTime(20_000);
    }
  });

  test('never opened gets the reason over plain HTTP', async () => {
    const { host, links } = page();
    for (const [answer, told] of [
      [() => Promise.resolve({ status: 401 }), { state: 'refused', why: 'wrong' }],
      [() => Promise.resolve({ status: 403 }), { state: 'refused', why: 'wrong' }],
      [() => Promise.resolve({ status: 503 }), { state: 'lost', why: 'restarting' }],
      [() => Promise.resolve({ status: 200 }), { state: 'lost', why: '' }],
      [() => Promise.reject(new Error('no')), { state: 'lost', why: 'unreachable' }],
    ] as const) {
      health = answer;
      host.connect();
      FakeSocket.last.ends();
      await vi.advanceTimersByTimeAsync(0);
      expect(links.at(-1)).toMatchObject(told);
    }
  });

  test('hanging is given up', () => {
    page().host.connect();
    vi.advanceTimersByTime(7_999);
    expect(FakeSocket.last.closed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.last.closed).toBe(true);
  });

  test('of an earlier attempt stays silent', () => {
    const { host, messages, links } = page();
    host.connect();
    const before = FakeSocket.last;
    before.opens();
    host.connect();
    expect(before.closed).toBe(true);
    const told = links.length;
    before.says({ type: 'delta', seq: 1, ops: [] });
    before.ends();
    expect(messages).toEqual([]);
    expect(links.length).toBe(told);
  });

  test('is tried at once when the machine is back', () => {
    const { host } = page();
    host.connect();
    FakeSocket.last.opens();
    listeners['online']!();
    expect(FakeSocket.all.length).toBe(1);
    FakeSocket.last.ends();
    listeners['online']!();
    expect(FakeSocket.all.length).toBe(2);
  });

  test('follows an address opened in an existing tab', () => {
    const { host } = page();
    host.connect();
    address.href = 'http://host:1/#token=new';
    listeners['hashchange']!();
    expect(FakeSocket.last.subprotocols).toContain('token.new');
    const count = FakeSocket.all.length;
    listeners['hashchange']!();
    expect(FakeSocket.all.length).toBe(count);
  });
});

describe('State across a reload', () => {
  test('returns unchanged, and is empty if unreadable', () => {
    const { host } = page();
    expect(host.getState()).toBe(null);
    host.setState({ drafts: { a: 'b' } });
    expect(host.getState()).toEqual({ drafts: { a: 'b' } });
    store.set('parlance.state', '{broken');
    expect(host.getState()).toBe(null);
    vi.stubGlobal('sessionStorage', {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    });
    expect(() => host.setState({})).not.toThrow();
  });
});
