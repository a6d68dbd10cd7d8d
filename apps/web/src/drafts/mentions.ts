// SPDX-License-Identifier: Apache-2.0
// Files named with @ in a message: found while typing, and sent to the agent as context. Deleting the name removes the file.

import type { PromptContext } from '../protocol';
import { joinFolder } from '../format';

/** The text between @ and the caret. */
export function mentionAt(text: string, caret: number): { from: number; typed: string } | undefined {
  const found = /(?:^|[\s(])@([^\s@]*)$/.exec(text.slice(0, caret));
  return found ? { from: caret - found[1]!.length, typed: found[1]! } : undefined;
}

/** The text with the path inserted for the typed part, and the new caret position. */
export function withMention(text: string, caret: number, path: string): { text: string; caret: number } {
  const at = mentionAt(text, caret);
  if (!at) return { text, caret };
  const before = `${text.slice(0, at.from)}${path} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}

/** The chosen files whose names remain in the text. */
export class Mentions {
  readonly #chosen = new Set<string>();
  add(path: string): void {
    this.#chosen.add(path);
  }
  in(text: string, folder: string): PromptContext[] {
    return [...this.#chosen]
      .filter((path) => text.split(/[\s(]/).includes(`@${path}`))
      .map((path) => ({ path: joinFolder(folder, path) }));
  }
}
