// SPDX-License-Identifier: Apache-2.0
// Connects a webview written for iFlow's extension (docs/protocol/webview.md) to the gateway. The relay handles the editor's part: picking
// and opening files, and the person's current view. Webviews are untrusted: a webview cannot send the editor's messages.

import type { GatewayState } from '../gateway/gateway';
import type { IdeContext } from '../context';
import { Relay, type Source } from './relay';

const MOST_HELD = 100; // messages of a webview held until the gateway has started
const EDITORS_OWN = ['ideContextChanged', 'pickedFiles', 'workspaceFolders'];

export interface Around {
  pick(): Promise<string[]>;
  open(path: string, line: number): Promise<void>;
  context(): IdeContext;
  folders(): string[];
}

type Message = Record<string, unknown> & { type: string };

function read(value: unknown): Message | undefined {
  return typeof value === 'object' && value !== null && typeof (value as Message).type === 'string'
    ? (value as Message)
    : undefined;
}

export class WebviewRelay {
  private readonly relay: Relay;
  private online = false;
  private wanted = false;
  private held: Message[] = [];
  private current: string | undefined; // the shown conversation, restored on a new connection
  private ready: Message = { type: 'ready' };

  constructor(
    gateway: Source & { state: GatewayState },
    private readonly around: Around,
    private readonly post: (message: unknown) => void,
  ) {
    this.relay = new Relay(
      gateway,
      (message) => {
        if (message.type === 'host') this.heard(message.text);
        else if (message.type === 'link') this.link(message.link);
      },
      '/webview',
    );
  }

  dispose(): void {
    this.relay.dispose();
  }

  /** The webview is hidden or closed: it receives the missed state after its next `ready`. */
  hidden(): void {
    this.online = this.wanted = false;
    this.held = [];
    this.relay.close();
  }

  /** Handles a message of the webview. */
  take(value: unknown): void {
    const message = read(value);
    if (!message) this.fail('', 'invalid_request', 'a message must be an object with a `type`');
    else if (EDITORS_OWN.includes(message.type))
      this.fail(message.type, 'denied', 'only the editor may send this message');
    else if (message.type === 'ready') this.begin(message);
    else if (message.type === 'pickFiles') void this.pick();
    else if (message.type === 'openFile') this.open(message);
    else this.send(message);
  }

  contextChanged(): void {
    if (this.online) this.send({ type: 'ideContextChanged', context: this.around.context() });
  }
  foldersChanged(): void {
    if (this.online) this.send({ type: 'workspaceFolders', folders: this.around.folders() });
  }

  private begin(message: Message): void {
    this.ready = message;
    if (this.online) {
      this.send(message);
      return;
    }
    this.wanted = true;
    this.relay.take({ type: 'connect', used: true });
  }

  private send(message: Message): void {
    if (this.online) this.relay.take({ type: 'host', text: JSON.stringify(message) });
    else if (this.wanted && this.held.length < MOST_HELD) this.held.push(message);
    else this.fail(message.type, 'invalid_request', '`ready` comes first');
  }

  private link(link: { state: string; why?: string }): void {
    const was = this.online;
    this.online = link.state === 'online';
    if (this.online) {
      this.foldersChanged();
      this.contextChanged();
      this.send({ ...this.ready, ...(this.current !== undefined && { conversationId: this.current }) });
      for (const message of this.held.splice(0)) this.send(message);
    } else if (was || link.state === 'lost')
      this.fail('', 'disconnected', link.why || 'the connection was lost; connecting again');
  }

  private heard(text: string): void {
    const message = read(JSON.parse(text));
    if (!message) return;
    if (message.type === 'stateUpdated')
      this.current = (message.state as { currentConversationId?: string }).currentConversationId;
    this.post(message);
  }

  private async pick(): Promise<void> {
    try {
      this.send({ type: 'pickedFiles', files: await this.around.pick() });
    } catch (error) {
      this.fail('pickFiles', 'failed', String(error));
    }
  }

  private open({ path, line }: Message): void {
    if (typeof path !== 'string' || (line !== undefined && typeof line !== 'number')) {
      this.fail('openFile', 'invalid_params', '$.path: expected a text');
      return;
    }
    this.around
      .open(path, line ?? 1)
      .catch((error: unknown) =>
        this.fail('openFile', 'failed', error instanceof Error ? error.message : String(error)),
      );
  }

  private fail(of: string, code: string, message: string): void {
    this.post({ type: 'failed', of, code, message });
  }
}
