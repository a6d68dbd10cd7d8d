// SPDX-License-Identifier: Apache-2.0
import { WebSocketHost } from './host';
import { start } from './start';

start(new WebSocketHost());
