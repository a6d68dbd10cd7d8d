import { WebSocketHost } from './host';
import { start } from './start';

start(new WebSocketHost());
