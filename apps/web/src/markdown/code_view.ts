// SPDX-License-Identifier: Apache-2.0
// A block of code: language label, actions, and growing text. The text is kept in groups of whole lines, so that appending to a long block
// lays out a single group.

import { plain } from '../ansi';
import { codeActions } from './code_actions';
import { highlightLater } from './highlight';

const GROUP_LINES = 25;

export class CodeView {
  readonly element = document.createElement('figure');
  readonly #code = document.createElement('code');
  #shown = 0; // characters of the text in the DOM
  #lines = 0; // complete lines in the last group
  #group: Text | undefined;
  #groups: HTMLElement[] = [];
  #text = '';

  constructor(private readonly language: string) {
    this.element.className = 'code';
    const head = document.createElement('figcaption');
    const label = document.createElement('span');
    label.textContent = language;
    head.append(label, ...codeActions(() => this.#text));
    const pre = document.createElement('pre');
    pre.tabIndex = 0; // scrolls sideways: reachable without a mouse
    pre.setAttribute('role', 'region');
    pre.setAttribute('aria-label', language || 'code');
    pre.append(this.#code);
    this.element.append(head, pre);
  }

  /** Appends to the earlier text. */
  grow(text: string): void {
    this.#text = text;
    let at = this.#shown;
    while (at < text.length) {
      if (!this.#group || this.#lines >= GROUP_LINES) {
        const span = document.createElement('span');
        span.className = 'lines';
        this.#group = document.createTextNode('');
        this.#lines = 0;
        span.append(this.#group);
        this.#groups.at(-1)?.classList.add('full');
        this.#groups.push(span);
        this.#code.append(span);
      }
      let end = at;
      while (end < text.length && this.#lines < GROUP_LINES) {
        const newline = text.indexOf('\n', end);
        if (newline < 0) {
          end = text.length;
          break;
        }
        end = newline + 1;
        ++this.#lines;
      }
      this.#group.appendData(text.slice(at, end));
      at = end;
    }
    this.#shown = text.length;
  }

  /** The final text. Models quote terminal output: colours and cursor movements are removed. */
  settle(text: string): void {
    const shown = plain(text);
    if (shown !== text) {
      this.#code.replaceChildren();
      this.#group = undefined;
      this.#groups = [];
      this.#shown = 0;
    }
    this.grow(shown);
    if (this.language !== '') highlightLater(this.#code, this.language, text.length, this.#groups);
  }
}
