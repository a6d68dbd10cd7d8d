// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { GatewayState } from '../gateway/gateway';
import { Relay } from './relay';
import type { ToPage } from './wire';

class Source {
  state: GatewayState = { state: 'stopped' };
  starts = 0;
  listeners: ((state: GatewayState) => void)[] = [];
  start(): void {
    this.starts++;
    if (this.state.state === 'stopped') this.become({ state: 'starting' });
  }
  lost(): void {}
  onChange(listener: (state: GatewayState) => void) {
    this.listeners.push(listener);
    return () => {};
  }
  become(state: GatewayState): void {
    this.state = state;
    for (const listener of this.listeners) listener(state);
  }
}

function make() {
  const source = new Source();
  const posted: ToPage[] = [];
  const relay = new Relay(source, (message) => posted.push(message));
  const links = () => posted.flatMap((message) => (message.type === 'link' ? [message.link.state] : []));
  return { source, relay, links };
}

test('a page that is merely shown starts nothing, and is connected once it is used', () => {
  const { source, relay, links } = make();
  relay.take({ type: 'connect', used: false });
  expect([source.starts, links()]).toEqual([0, ['idle']]);
  relay.take({ type: 'connect', used: true });
  expect([source.starts, links()]).toEqual([1, ['idle', 'connecting', 'connecting', 'connecting']]);
});

test('or once the program runs for somebody else, or when it does already', () => {
  const { source, relay, links } = make();
  relay.take({ type: 'connect', used: false });
  source.become({ state: 'starting' });
  expect(links().at(-1)).toBe('connecting');
  const late = new Relay(source, () => {});
  late.take({ type: 'connect', used: false });
  expect(source.starts).toBe(2); // which starts nothing where it is starting already
});

test('one that is hidden before anybody used it stays away', () => {
  const { source, relay, links } = make();
  relay.take({ type: 'connect', used: false });
  relay.close();
  source.become({ state: 'starting' });
  expect(links()).toEqual(['idle']);
});
