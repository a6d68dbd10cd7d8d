// SPDX-License-Identifier: Apache-2.0
// What a webview is told by its extension. VS Code hands it on within the webview's own origin, which nobody else has: a message of another
// window, such as one that a page was framed into, is not taken.

export function fromTheEditor<Message>(from: EventTarget, take: (message: Message) => void): void {
  from.addEventListener('message', (event) => {
    const { origin, data } = event as MessageEvent<Message>;
    if (origin === globalThis.origin) take(data);
  });
}
