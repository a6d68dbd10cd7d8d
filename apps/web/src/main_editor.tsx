// SPDX-License-Identifier: Apache-2.0
// The page in an editor's webview. Built by apps/vscode-extension, so that the page of the browser does not carry what only an editor uses.

import { obeyEditor } from './editor/editor_commands';
import { EditorHost, type WebviewApi } from './editor/editor_host';
import { start } from './start';
import { editorAt } from './markdown/code_actions';
import './style/editor.css';

declare const acquireVsCodeApi: () => WebviewApi;

const host = new EditorHost(acquireVsCodeApi());
editorAt.insert = (text) => host.editor.insert(text);
obeyEditor(start(host), host.editor);
document.addEventListener('click', (event) => {
  // through the extension, which forwards ports of a remote machine for a login
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || !/^https?:$/.test(link.protocol) || !link.target) return;
  event.preventDefault();
  host.editor.external(link.href);
});
