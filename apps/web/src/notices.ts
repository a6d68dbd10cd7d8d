// The system's notifications, for a person who looks elsewhere: on when that person wants them and the browser allows it.

import { signal } from '@preact/signals';

const KEY = 'parlance.notify';

export class Notices {
  readonly there = typeof Notification !== 'undefined';
  readonly on = signal(this.there && Notification.permission === 'granted' && stored());
  through: ((title: string, body: string, ask: string) => void) | undefined;  // the service worker's notices, while it tells of what waits as well
  readonly refused = signal(this.there && Notification.permission === 'denied');

  async choose(on: boolean): Promise<void> {
    const allowed = on && (Notification.permission === 'granted' || await Notification.requestPermission() === 'granted');
    this.refused.value = Notification.permission === 'denied';
    this.on.value = allowed;
    try { localStorage.setItem(KEY, allowed ? '1' : ''); } catch { /* forbidden: it holds for this page */ }
  }

  /** One at a time for each `tag`; a press brings the page to the front. */
  tell(title: string, body: string, tag: string, pressed: () => void): void {
    if (!this.on.peek() || document.hasFocus()) return;
    if (this.through) { this.through(title, body, tag); return; }
    const notice = new Notification(title, { body, tag });
    notice.onclick = () => { window.focus(); notice.close(); pressed(); };
  }
}

function stored(): boolean {
  try { return localStorage.getItem(KEY) === '1'; } catch { return false; }
}
