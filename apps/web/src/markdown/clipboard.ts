// SPDX-License-Identifier: Apache-2.0
import { t } from '../strings';

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or not a secure origin
  }
}

const COPIED_MS = 1500;

/** Copies a text; the pressed button shows the success for a moment, and then its label again. */
export function copyOn(button: HTMLElement, label: string, text: string): void {
  void copyText(text).then((ok) => {
    if (!ok) return;
    button.textContent = t.copied;
    setTimeout(() => {
      button.textContent = label;
    }, COPIED_MS);
  });
}
