// SPDX-License-Identifier: Apache-2.0
// A question of an agent as a separate document: the whole text is readable, hidden characters have marks, and the buttons stay in view.

import { visible, visibleLine, visibleProse } from '../../../web/src/visible';
import type { Question } from '../bridge/editor';
import { escaped } from './html';

const ARMED_MS = 400; // a button that appears under the pointer ignores early clicks

const STYLE = `body { display: flex; flex-direction: column; height: 100vh; margin: 0; padding: 1rem 1.25rem; box-sizing: border-box }
h1 { font-size: 1.2em; margin: 0 } p { margin: .6em 0; overflow-wrap: anywhere }
pre { flex: 0 1 auto; min-height: 0; overflow: auto; margin: 0; padding: .6em; white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--vscode-editor-font-family); background: var(--vscode-textCodeBlock-background) }
div { display: flex; flex-wrap: wrap; gap: .5rem; padding-top: 1rem }
button { font: inherit; padding: .35em .9em; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground) }
button.default { color: var(--vscode-button-foreground); background: var(--vscode-button-background) }
button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px } button:disabled { opacity: .6 }`;

const SCRIPT = `const api = acquireVsCodeApi(), buttons = [...document.querySelectorAll('button')];
buttons.forEach((button, i) => button.addEventListener('click', () => api.postMessage(i)));
setTimeout(() => buttons.forEach((button) => { button.disabled = false; }), ${ARMED_MS});`;

export function questionHtml({ title, message, detail, options }: Question, nonce: string): string {
  const buttons = options
    .map(
      (option) =>
        `<button type="button" disabled${option.isDefault ? ' class="default"' : ''}>${escaped(visibleProse(option.label))}</button>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body role="alertdialog" aria-labelledby="title" aria-describedby="message">
<h1 id="title">${escaped(visibleLine(title))}</h1><p id="message">${escaped(visible(message))}</p>${detail ? `<pre tabindex="0">${escaped(visible(detail))}</pre>` : ''}
<div role="toolbar" aria-label="Answers">${buttons}</div>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`;
}
