// SPDX-License-Identifier: Apache-2.0
// What other extensions of the person get of this one: `vscode.extensions.getExtension('parlance.parlance').exports`, or what its `activate()` gives.
// docs/howto/add_an_editor_method.md tells of methods, docs/howto/webviews.md of webviews.

import type { Disposable, Webview } from 'vscode';
import type { AboutMethod, AddedHandler, AddedMethods } from './bridge/added';

export interface Parlance {
  /** Of this interface. */
  readonly version: 1;
  /** Adds a method that agents may call. Throws where the name cannot be had. `dispose` takes it away again. */
  registerMethod(name: string, about: AboutMethod, handler: AddedHandler): { dispose(): void };
  hasMethod(name: string): boolean;
  /** All that can be called, those of the bridge itself among them. */
  methodNames(): string[];
  /** Answers a webview that was written for the extension of iFlow. */
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
