// SPDX-License-Identifier: Apache-2.0
// The page in an editor's webview. Built by apps/vscode-extension, so that the page of the browser does not carry what only an editor uses.

import { obey_editor } from './editor/editor_commands';
import { EditorHost, type WebviewApi } from './editor/editor_host';
import { start } from './start';
import { editor_at } from './markdown/code_actions';
import './style/editor.css';

declare const acquireVsCodeApi: () => WebviewApi;

const host = new EditorHost(acquireVsCodeApi());
editor_at.insert = (text) => host.editor.insert(text);
obey_editor(start(host), host.editor);
