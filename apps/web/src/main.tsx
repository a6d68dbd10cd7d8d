import { render } from 'preact';
import { App } from './app';
import { Page } from './components/page';
import { WebSocketHost } from './host';
import './style/tokens.css';
import './style/page.css';
import './style/transcript.css';
import './style/cards.css';
import './style/attachments.css';

const host = new WebSocketHost();
const app = new App(host);
render(<Page app={app} />, document.getElementById('app')!);
host.connect();
