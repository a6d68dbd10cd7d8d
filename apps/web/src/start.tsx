// SPDX-License-Identifier: Apache-2.0
// The page on a host: what both mains share.

import { render } from 'preact';
import { App } from './app';
import { preferences } from './components/desk/preferences';
import { drawing } from './components/message';
import { Page } from './components/page';
import type { Host } from './host';
import { tellLooking } from './push/looking';
import { pushChosen } from './push/chosen';
import './style/tokens.css';
import './style/page.css';
import './style/transcript.css';
import './style/cards.css';
import './style/attachments.css';
import './style/desk.css';
import './style/views.css';

export function start(host: Host): App {
  const app = new App(host);
  const root = document.getElementById('app')!;
  // Another language draws everything anew: words are read when something is drawn.
  void preferences
    .begin()
    .then(() => preferences.spoken.subscribe((language) => render(<Page key={language} app={app} />, root)));
  drawing.load(); // the first answer needs it
  tellLooking(app);
  if (!host.editor) {
    app.navigation.followAddress();
    if (pushChosen.get())
      whenOnline(app, () => {
        void import('./push/push').then(({ pushOf }) => pushOf(app).look());
      });
  }
  host.connect();
  return app;
}

/** Once, as soon as the host is there. */
function whenOnline(app: App, work: () => void): void {
  const stop = app.online.subscribe((online) => {
    if (!online) return;
    queueMicrotask(() => stop());
    work();
  });
}
