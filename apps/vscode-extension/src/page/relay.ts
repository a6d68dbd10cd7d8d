// SPDX-License-Identifier: Apache-2.0
// The connection of one page to the gateway: opened when a person uses the page, closed with the page, and reopened after a loss. A visible
// but unused page waits for its use, or until the gateway runs for another reason.

import type { GatewayState } from '../gateway/gateway';
import { fetchAttachment, GatewayLink } from '../gateway/link';
import type { FromPage, ToPage } from './wire';

const FIRST_MS = 250;
const MOST_MS = 15_000;

export interface Source {
  state: GatewayState;
  start(): void;
  lost(): void;
  onChange(listener: (state: GatewayState) => void): () => void;
}

export class Relay {
  private link: GatewayLink | undefined;
  private wanted = false;
  private idle = false; // visible, but unused so far
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly unfollow: () => void;

  /** `path`: where on the gateway. */
  constructor(
    private readonly gateway: Source,
    private readonly post: (message: ToPage) => void,
    private readonly path = '/ws',
  ) {
    this.unfollow = gateway.onChange((state) => this.follow(state));
  }

  dispose(): void {
    this.unfollow();
    this.close();
  }

  /** The page is hidden or gone. */
  close(): void {
    this.wanted = false;
    this.idle = false;
    clearTimeout(this.timer);
    this.link?.close();
    this.link = undefined;
  }

  take(message: FromPage): void {
    if (message.type === 'connect') this.connect(message.used);
    else if (message.type === 'host') this.link?.send(message.text);
    else if (message.type === 'attachment') void this.attachment(message.request, message.id);
  }

  private connect(used: boolean): void {
    this.close();
    if (!used && this.gateway.state.state === 'stopped') {
      this.idle = true;
      this.post({ type: 'link', link: { state: 'idle' } });
      return;
    }
    this.wanted = true;
    this.attempts = 0;
    this.post({ type: 'link', link: { state: 'connecting' } });
    this.gateway.start();
    this.follow(this.gateway.state);
  }

  private follow(state: GatewayState): void {
    if (this.idle && state.state !== 'stopped') {
      this.connect(true);
      return;
    }
    if (!this.wanted) return;
    if (state.state === 'ready') {
      this.open();
      return;
    }
    this.link?.close();
    this.link = undefined;
    clearTimeout(this.timer);
    if (state.state === 'starting') this.post({ type: 'link', link: { state: 'connecting' } });
    else
      this.post({
        type: 'link',
        link: { state: 'lost', why: state.state === 'stopped' ? 'stopped' : state.why, retryAt: 0 },
      });
  }

  private open(): void {
    const { state } = this.gateway;
    if (this.link || state.state !== 'ready') return;
    const link = new GatewayLink(
      state.address,
      {
        open: () => {
          this.attempts = 0;
          this.post({ type: 'link', link: { state: 'online' } });
        },
        message: (text) => this.post({ type: 'host', text }),
        closed: (why) => this.lost(link, why),
      },
      this.path,
    );
    this.link = link;
  }

  private lost(link: GatewayLink, why: string): void {
    if (this.link !== link) return;
    this.link = undefined;
    if (this.attempts > 0) this.gateway.lost();
    const wait = Math.min(MOST_MS, FIRST_MS * 2 ** this.attempts++);
    this.post({ type: 'link', link: { state: 'lost', why, retryAt: Date.now() + wait } });
    this.timer = setTimeout(() => this.open(), wait);
  }

  private async attachment(request: number, id: string): Promise<void> {
    const { state } = this.gateway;
    try {
      if (state.state !== 'ready') throw new Error('not connected');
      this.post({ type: 'attachment', request, ...(await fetchAttachment(state.address, id)) });
    } catch (error) {
      this.post({ type: 'attachment', request, error: error instanceof Error ? error.message : String(error) });
    }
  }
}
