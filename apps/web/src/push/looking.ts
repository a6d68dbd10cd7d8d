// SPDX-License-Identifier: Apache-2.0
// Tells the host whether a person looks at this page, so that other browsers stay silent about visible requests.

import type { App } from '../app';

const AWAY_MS = 180_000; // without a key press or a pointer move the person is away, even if the page has the focus
const LOOK_MS = 15_000;

export function tellLooking(app: App): void {
  let told = false;
  let lastSign = Date.now();
  const tell = () => {
    if (!app.online.peek() || !app.state.peek().capabilities.includes('push')) {
      told = false;
      return;
    }
    const looking = !document.hidden && document.hasFocus() && Date.now() - lastSign < AWAY_MS;
    if (looking === told) return;
    told = looking;
    app.tell({ type: 'looking', looking });
  };
  const sign = () => {
    lastSign = Date.now();
    tell();
  };
  app.online.subscribe(tell);
  for (const event of ['focus', 'pointermove', 'pointerdown', 'keydown', 'wheel'])
    addEventListener(event, sign, { passive: true });
  addEventListener('blur', tell);
  document.addEventListener('visibilitychange', tell);
  setInterval(tell, LOOK_MS);
}
