// SPDX-License-Identifier: Apache-2.0
// Streamed markdown in the DOM: closed blocks are drawn once and frozen, the tail is redrawn at most once for each frame. A long text is
// handled in pieces, so that no frame is late, and text far from the reader is not drawn (section.ts). Lives outside Preact: the empty
// element belongs to this view.

import type { Links } from 'marked';
import { BlockReader, PIECE_CHARS, type Block } from './blocks';
import { chapterEnds } from './chapters';
import { CodeView } from './code_view';
import { definitionsIn, element, renderMarkdown } from './render';
import { Chapter, CHAPTER_SECTIONS, dressed, Section, SECTION_CHARS } from './section';

export { textOf } from './section';

const SMALL_TAIL_CHARS = 4 * 1024; // below this a tail is drawn on every update
const REST_FACTOR = 4; // above: after a drawing of n ms at least 4 n ms go to other work
const BUDGET_MS = 5; // for pieces of the text, in each frame
const FLOWS = /^(P|[UO]L|LI|DIV|BLOCKQUOTE|H[1-6])$/;

export class StreamView {
  #reader = new BlockReader();
  #links: Links | undefined;
  #text = '';
  #settled = false;
  #taken = 0; // characters handed to the reader
  #sections: Section[] = [];
  #chapters: Chapter[] = []; // before the sections: not read yet; after the first sections: of further ones
  readonly #tail = element('div', [], { class: 'tail', 'aria-live': 'off' }); // announced when settled, not word by word
  #code: CodeView | undefined; // the tail while an open fence
  #restUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  constructor(private readonly element: HTMLElement) {
    this.element.append(this.#tail);
  }

  /** The whole text so far: continues the earlier text, or else replaces all. */
  update(text: string, settled: boolean): void {
    if (text.length < this.#text.length) this.#restart();
    this.#text = text;
    this.#settled = settled;
    this.#tail.hidden = settled;
    if (this.#frame === 0) this.#take();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    for (const part of [...this.#sections, ...this.#chapters]) part.dispose();
  }

  #restart(): void {
    this.dispose();
    this.#frame = 0;
    this.#timer = undefined;
    this.#reader = new BlockReader();
    this.#taken = 0;
    this.#sections = [];
    this.#chapters = [];
    this.#links = undefined;
    this.#code = undefined;
    this.#tail.replaceChildren();
    this.element.replaceChildren(this.#tail);
  }

  #take(): void {
    const until = performance.now() + BUDGET_MS;
    if (this.#taken === 0) this.#setAside();
    while (this.#taken < this.#text.length) {
      if (performance.now() > until) {
        this.#frame = requestAnimationFrame(() => {
          this.#frame = 0;
          this.#take();
        });
        return;
      }
      const to = Math.min(this.#text.length, this.#taken + PIECE_CHARS);
      this.#freeze(this.#reader.feed(this.#text.slice(this.#taken, to)), this.#text.length - to > SECTION_CHARS);
      this.#taken = to;
    }
    if (!this.#sections.at(-1)?.takes(false)) this.#sections.at(-1)?.close();
    if (this.#settled) this.#end();
    else this.#drawTail();
  }

  /** The end of a long text is read at once, and the chapters before when a reader comes near. */
  #setAside(): void {
    let goesOn = false;
    for (const end of chapterEnds(this.#text, this.#links !== undefined)) {
      const chapter = new Chapter(this.#links, this.#text.slice(this.#taken, end), goesOn);
      this.#chapters.push(chapter);
      this.#tail.before(chapter.element);
      chapter.close();
      goesOn = this.#text[end - 1] === ' ';
      this.#taken = end;
    }
    this.#reader = new BlockReader(goesOn);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#freeze(this.#reader.end(), false);
    this.#tail.replaceChildren();
    if (this.#reader.definitions && !this.#links) this.#drawAgain();
  }

  /** A definition at the end of a text gives meaning to links at its beginning. */
  #drawAgain(): void {
    const links = definitionsIn(this.#text);
    this.#restart();
    this.#links = links;
    this.#take();
  }

  /** `more`: the text is known further, so these blocks are far from the end and are drawn only near a reader. */
  #freeze(blocks: readonly Block[], more: boolean): void {
    for (const block of blocks) {
      const code = block.kind === 'code' ? this.#code : undefined; // the open fence moves up unchanged
      if (block.kind === 'code') this.#code = undefined;
      this.#section(more).add(block, code);
      code?.settle(block.text);
    }
    if (blocks.length > 0 && !this.#code) this.#tail.replaceChildren();
  }

  #section(more: boolean): Section {
    const last = this.#sections.at(-1);
    if (last?.takes(more)) return last;
    last?.close();
    const section = new Section(this.#links, !more || this.#sections.length === 0);
    this.#place(section);
    this.#sections.push(section);
    return section;
  }

  #place(section: Section): void {
    if (this.#sections.length < CHAPTER_SECTIONS) {
      this.#tail.before(section.element);
      return;
    }
    let chapter = this.#chapters.at(-1);
    if (!chapter || chapter.full) {
      chapter?.close();
      chapter = new Chapter();
      this.#chapters.push(chapter);
      this.#tail.before(chapter.element);
    }
    chapter.add(section);
  }

  /** At the end of the innermost last element: in the last item of a list, not below the list. */
  #drawCursor(): void {
    let end: Element = this.#tail;
    while (end.lastElementChild && end.lastElementChild === end.lastChild && FLOWS.test(end.lastElementChild.tagName))
      end = end.lastElementChild;
    end.append(element('span', [], { class: 'cursor' }));
  }

  #drawTail(): void {
    const tail = this.#reader.tail();
    if (tail.kind === 'code') {
      if (!this.#code) {
        this.#code = new CodeView(tail.language);
        this.#tail.replaceChildren(this.#code.element);
      }
      this.#code.grow(tail.text);
      return;
    }
    const began = performance.now();
    if (tail.text.length > SMALL_TAIL_CHARS && began < this.#restUntil) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#drawTail();
      }, this.#restUntil - began);
      return;
    }
    this.#tail.replaceChildren(dressed(renderMarkdown(tail.text), false));
    if (tail.text !== '') this.#drawCursor();
    this.#restUntil = performance.now() + (performance.now() - began) * REST_FACTOR;
  }
}
