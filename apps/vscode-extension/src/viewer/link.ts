// SPDX-License-Identifier: Apache-2.0
// The viewer's way to the extension: requests with a number, one answer each, and a way to take one back.

import { fromTheEditor } from '../../../web/src/editor/from_the_editor';
import type { ViewerLink } from '../../../web/src/sqlite/viewer_store';
import type { Asked, Cmd, Requests, Told } from '../../../web/src/sqlite/wire';
import type { ToViewer } from '../sqlite/messages';

export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
export class RequestFailed extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly offset: number | undefined,
  ) {
    super(message);
  }
}

export class WebviewLink implements ViewerLink {
  private last = 0;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private told: (message: Told) => void = () => {};

  constructor(
    private readonly api: WebviewApi,
    from: EventTarget = globalThis,
  ) {
    fromTheEditor<ToViewer>(from, (message) => this.take(message));
  }

  listen(told: (message: Told) => void): void {
    this.told = told;
  }
  kept(): unknown {
    return this.api.getState();
  }
  keep(state: unknown): void {
    this.api.setState(state);
  }

  ask<C extends Cmd>(cmd: C, params: Requests[C]['params']): Asked<Requests[C]['value']> {
    const request = ++this.last;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.waiting.set(request, { resolve, reject });
    });
    this.api.postMessage({ request, cmd, params });
    return { answer: answer as Promise<Requests[C]['value']>, cancel: () => this.api.postMessage({ cancel: request }) };
  }

  private take(message: ToViewer): void {
    if (message.type === 'changed' || message.type === 'pending') {
      this.told(message);
      return;
    }
    const waiter = this.waiting.get(message.request);
    this.waiting.delete(message.request);
    if (message.type === 'done') waiter?.resolve(message.value);
    else waiter?.reject(new RequestFailed(message.code, message.message, message.offset));
  }
}
