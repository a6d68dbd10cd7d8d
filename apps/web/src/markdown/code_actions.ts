// SPDX-License-Identifier: Apache-2.0
// The actions of a code block: copy, insert at the editor's cursor, wrap lines.

import { t } from '../strings';
import { copyOn } from './clipboard';

/** In an editor: puts a text where the cursor stands. */
export const editorAt: { insert?: (text: string) => void } = {};

/** Applies to all code blocks, because long lines rarely come alone. */
function wrap(): void {
  const on = document.documentElement.classList.toggle('wrap-code');
  for (const button of document.querySelectorAll('.code .wrap')) button.setAttribute('aria-pressed', String(on));
}

function button(text: string, press: (at: HTMLButtonElement) => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'quiet small';
  made.textContent = text;
  made.onclick = () => press(made);
  return made;
}

export function codeActions(text: () => string): HTMLElement[] {
  const wraps = button(t.wrap, wrap);
  wraps.className += ' wrap';
  wraps.setAttribute('aria-pressed', String(document.documentElement?.classList.contains('wrap-code') ?? false));
  const copy = button(t.copy, (at) => copyOn(at, t.copy, text()));
  const { insert } = editorAt;
  return [wraps, ...(insert ? [button(t.insert, () => insert(text()))] : []), copy];
}
