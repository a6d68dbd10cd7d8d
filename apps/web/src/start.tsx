// SPDX-License-Identifier: Apache-2.0
// Starts the page on a host; shared by both entry points.

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
import './style/composer.css';
import './style/details.css';
import './style/pages.css';
import './style/narrow.css';
import './style/transcript.css';
import './style/markdown.css';
import './style/cards.css';
import './style/asks.css';
import './style/attachments.css';
import './style/desk.css';
import './style/views.css';

export function start(host: Host): App {
  const app = new App(host);
  const root = document.getElementById('app')!;
  // Another language redraws the whole page: components read texts while drawing.
  void preferences
    .begin()
    .then(() => preferences.spoken.subscribe((language) => render(<Page key={language} app={app} />, root)));
  drawing.load(); // the first answer needs this part
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

/** Runs once, as soon as the host answers. */
function whenOnline(app: App, work: () => void): void {
  const stop = app.online.subscribe((online) => {
    if (!online) return;
    queueMicrotask(() => stop());
    work();
  });
}
