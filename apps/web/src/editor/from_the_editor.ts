// SPDX-License-Identifier: Apache-2.0
// Messages from the extension to a webview. VS Code delivers these messages within the webview's own origin. Messages of other windows,
// such as a framing page, are ignored.

export function fromTheEditor<Message>(from: EventTarget, take: (message: Message) => void): void {
  from.addEventListener('message', (event) => {
    const { origin, data } = event as MessageEvent<Message>;
    if (origin === globalThis.origin) take(data);
  });
}
