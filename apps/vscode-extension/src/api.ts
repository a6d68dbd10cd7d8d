// SPDX-License-Identifier: Apache-2.0
// The interface for the person's other extensions: `vscode.extensions.getExtension('parlance.parlance').exports`, or the result of its
// `activate()`. docs/howto/add_an_editor_method.md describes methods, docs/howto/webviews.md describes webviews.

import type { Disposable, Webview } from 'vscode';
import type { AboutMethod, AddedHandler, AddedMethods } from './bridge/added';

export interface Parlance {
  /** Of this interface. */
  readonly version: 1;
  /** Adds a method for agents. Throws if the name is invalid or taken. `dispose` removes the method. */
  registerMethod(name: string, about: AboutMethod, handler: AddedHandler): { dispose(): void };
  hasMethod(name: string): boolean;
  /** All callable methods, including the methods of the bridge. */
  methodNames(): string[];
  /** Serves a webview written for the iFlow extension. */
  serveWebview(webview: Webview): Disposable & { hidden(): void };
}

export function apiOf(added: AddedMethods, webviews: { serve: Parlance['serveWebview'] }): Parlance {
  return {
    version: 1,
    registerMethod: (name, about, handler) => ({ dispose: added.add(name, about, handler) }),
    hasMethod: (name) => added.has(name),
    methodNames: () => added.names,
    serveWebview: (webview) => webviews.serve(webview),
  };
}
