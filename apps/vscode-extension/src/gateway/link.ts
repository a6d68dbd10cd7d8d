// SPDX-License-Identifier: Apache-2.0
// A connection to the gateway: text frames over a WebSocket, by default the page's own. Its owner has to reconnect.

import WebSocket from 'ws';
import type { Address } from './gateway';

const CONNECT_MS = 8_000;

export interface LinkEvents {
  open(): void;
  message(text: string): void;
  /** Called once, also after a failed opening. */
  closed(why: string): void;
}

export class GatewayLink {
  private readonly socket: WebSocket;
  private ended = false;

  constructor({ origin, token }: Address, events: LinkEvents, path = '/ws') {
    this.socket = new WebSocket(`${origin.replace(/^http/, 'ws')}${path}`, ['parlance.v1', `token.${token}`], {
      handshakeTimeout: CONNECT_MS,
      maxPayload: 256 << 20,
    });
    this.socket.on('open', () => events.open());
    this.socket.on('message', (data, binary) => {
      if (!binary && !this.ended) events.message((data as Buffer).toString('utf8'));
    });
    let why = '';
    this.socket.on('error', (error) => {
      why = error.message;
    });
    this.socket.on('close', (_, reason) => {
      if (this.ended) return;
      this.ended = true;
      events.closed(reason.toString() || why);
    });
  }

  /** False: the frame was not sent. */
  send(text: string): boolean {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(text);
    return true;
  }

  close(): void {
    this.ended = true;
    this.socket.close();
  }
}

/** The attachments of a prompt, for display on the page. */
export async function fetchAttachment(
  { origin, token }: Address,
  id: string,
): Promise<{ mediaType: string; base64: string }> {
  const answer = await fetch(`${origin}/attachments/${encodeURIComponent(id)}`, {
    headers: { Authorization: `Bearer ${token}` },
    cache: 'no-store',
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return {
    mediaType: answer.headers.get('content-type') ?? '',
    base64: Buffer.from(await answer.arrayBuffer()).toString('base64'),
  };
}
