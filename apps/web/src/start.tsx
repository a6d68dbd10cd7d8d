// The page on a host: what both mains share.

import { render } from 'preact';
import { App } from './app';
import { preferences } from './components/desk/preferences';
import { drawing } from './components/message';
import { Page } from './components/page';
import type { Host } from './host';
import './style/tokens.css';
import './style/page.css';
import './style/transcript.css';
import './style/cards.css';
import './style/attachments.css';
import './style/desk.css';

export function start(host: Host): App {
  const app = new App(host);
  const root = document.getElementById('app')!;
  // Another language draws everything anew: words are read when something is drawn.
  void preferences.begin().then(() => preferences.spoken.subscribe((language) => render(<Page key={language} app={app} />, root)));
  drawing.load();              // the first answer needs it
  if (!host.editor) app.places.follow_address();
  host.connect();
  return app;
}
