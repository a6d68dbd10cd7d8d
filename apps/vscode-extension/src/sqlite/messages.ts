// SPDX-License-Identifier: Apache-2.0
// What the viewer's webview and the extension say to each other. The webview sends requests with a number, and hears one answer to each.

import type { Cmd, Requests, Told } from '../../../web/src/sqlite/wire';

export type ToExtension =
  { [C in Cmd]: { request: number; cmd: C; params: Requests[C]['params'] } }[Cmd] | { cancel: number };
export type ToViewer =
  | { type: 'done'; request: number; value: unknown }
  | { type: 'failed'; request: number; code: string; message: string; offset?: number }
  | Told;
