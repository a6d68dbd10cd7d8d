// Streamed markdown in the DOM: closed blocks are drawn once and frozen, the tail is drawn anew at most once per frame.
// Lives outside Preact: the element is handed over empty and belongs to this view.

import { BlockReader, type Block } from './blocks';
import { CodeView } from './code_view';
import { definitions_in, render_markdown } from './render';
import type { Links } from 'marked';

const SMALL_TAIL_CHARS = 4 * 1024;    // below this a tail is drawn on every update
const REST_FACTOR = 4;                // above: after a drawing of n ms at least 4 n ms go to other work

export class StreamView {
  private reader = new BlockReader();
  private taken = 0;                  // characters handed to the reader
  private readonly tail = document.createElement('div');
  private code: CodeView | undefined; // the tail while it is an open fence
  private rest_until = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly element: HTMLElement) {
    this.tail.className = 'tail';
    this.tail.setAttribute('aria-live', 'off');  // spoken once it is settled, not word by word
    element.append(this.tail);
  }

  /** The whole text so far: it continues what was given before, or else all begins anew. */
  update(text: string, settled: boolean): void {
    if (text.length < this.taken) this.restart();
    this.tail.hidden = settled;
    const blocks = this.reader.feed(text.slice(this.taken));
    this.taken = text.length;
    this.freeze(blocks);
    if (!settled) { this.draw_tail(); return; }
    clearTimeout(this.timer);
    this.freeze(this.reader.end());
    this.tail.replaceChildren();
    if (this.reader.definitions) this.draw_all(text);
  }

  dispose(): void { clearTimeout(this.timer); }

  private restart(): void {
    this.reader = new BlockReader();
    this.taken = 0;
    this.code = undefined;
    this.tail.replaceChildren();
    this.element.replaceChildren(this.tail);
  }

  private freeze(blocks: readonly Block[], links?: Links): void {
    for (const block of blocks) {
      if (block.kind === 'code') {
        const view = this.code ?? new CodeView(block.language);  // the open fence moves up as it is
        this.code = undefined;
        this.tail.before(view.element);
        view.settle(block.text);
      } else {
        const part = document.createElement('div');
        part.className = 'block';
        part.append(dressed(render_markdown(block.text, links), true));
        this.tail.before(part);
      }
    }
    if (blocks.length > 0 && !this.code) this.tail.replaceChildren();
  }

  /** A definition at the end of a text gives meaning to links at its beginning. */
  private draw_all(text: string): void {
    const links = definitions_in(text);
    const reader = new BlockReader();
    this.element.replaceChildren(this.tail);
    this.freeze([...reader.feed(text), ...reader.end()], links);
  }

  private draw_tail(): void {
    const tail = this.reader.tail();
    if (tail.kind === 'code') {
      if (!this.code) {
        this.code = new CodeView(tail.language);
        this.tail.replaceChildren(this.code.element);
      }
      this.code.grow(tail.text);
      return;
    }
    const began = performance.now();
    if (tail.text.length > SMALL_TAIL_CHARS && began < this.rest_until) {
      this.timer ??= setTimeout(() => { this.timer = undefined; this.draw_tail(); }, this.rest_until - began);
      return;
    }
    this.tail.replaceChildren(dressed(render_markdown(tail.text), false));
    this.rest_until = performance.now() + (performance.now() - began) * REST_FACTOR;
  }
}

/** Code inside lists and quotes gets the same frame as code of its own; tables get room to scroll. */
function dressed(fragment: DocumentFragment, settled: boolean): DocumentFragment {
  for (const pre of fragment.querySelectorAll('pre')) {
    const language = /language-(\S+)/.exec(pre.firstElementChild?.className ?? '')?.[1] ?? '';
    const view = new CodeView(language);
    const text = pre.textContent ?? '';
    if (settled) view.settle(text);
    else view.grow(text);
    pre.replaceWith(view.element);
  }
  for (const table of fragment.querySelectorAll('table')) {
    const box = document.createElement('div');
    box.className = 'table';
    box.tabIndex = 0;
    table.replaceWith(box);
    box.append(table);
  }
  return fragment;
}
