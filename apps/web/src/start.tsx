// The page on a host: what both mains share.

import { render } from 'preact';
import { App } from './app';
import { Page } from './components/page';
import type { Host } from './host';
import './style/tokens.css';
import './style/page.css';
import './style/transcript.css';
import './style/cards.css';
import './style/attachments.css';

export function start(host: Host): App {
  const app = new App(host);
  render(<Page app={app} />, document.getElementById('app')!);
  if (!host.editor) app.places.follow_address();
  host.connect();
  return app;
}
