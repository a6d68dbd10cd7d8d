// SPDX-License-Identifier: Apache-2.0
// Consecutive closed blocks of a text. A long text has many sections; only sections near the reader are drawn, and the others keep their
// height.

import type { Links } from 'marked';
import { blocksOf, type Block } from './blocks';
import { CodeView } from './code_view';
import { isSelected, watch } from './near';
import { element, renderMarkdown } from './render';

/** A section with this length is full. */
export const SECTION_CHARS = 4 * 1024;
/** A chapter with so many sections is full. */
export const CHAPTER_SECTIONS = 64;
const LINE_CHARS = 90; // estimated for undrawn text
const LINE_PX = 22;

const byElement = new WeakMap<Element, { text: string }>();

/** The text of a section or an unread chapter, drawn or not. */
export function textOf(element: Element): string {
  return byElement.get(element)?.text ?? element.textContent ?? '';
}

export class Section {
  readonly element = element('div', [], { class: 'section' });
  chars = 0;
  readonly #blocks: Block[] = [];
  #closed = false;
  #unwatch: (() => void) | undefined;

  /** `drawn`: blocks are drawn on arrival; otherwise after the section has closed and a reader comes near. */
  constructor(
    private readonly links: Links | undefined,
    private drawn: boolean,
  ) {
    byElement.set(this.element, this);
  }

  get text(): string {
    return this.#blocks.map((block) => block.text).join('\n');
  }
  /** Whether the section accepts another block; `more`: the text continues far beyond this block. */
  takes(more: boolean): boolean {
    return this.chars < SECTION_CHARS && (this.drawn || more);
  }

  /** `code`: the view that has drawn the growing block already. */
  add(block: Block, code?: CodeView): void {
    this.#blocks.push(block);
    this.chars += block.text.length;
    if (this.drawn) this.element.append(code?.element ?? drawn(block, this.links));
  }

  /** Ends the additions: from now on, the section is drawn near the reader only. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.drawn) this.#hide(this.#blocks.reduce((px, block) => px + guessedPx(block), 0));
    this.watch();
  }

  watch(): void {
    this.#unwatch ??= watch(this.element, 'near', (near) => {
      if (near) this.#show();
      else if (this.#canBeHidden()) this.#hide(this.element.offsetHeight);
    });
  }

  /** Far from the reader, possibly with a selection of the reader. */
  rest(): void {
    if (!this.#canBeHidden() && this.drawn) return;
    if (this.drawn) this.#hide(this.element.offsetHeight);
    this.dispose();
  }

  dispose(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #canBeHidden(): boolean {
    return this.drawn && !isSelected(this.element) && !this.element.contains(document.activeElement);
  }

  #show(): void {
    if (this.drawn) return;
    this.drawn = true;
    this.element.append(...this.#blocks.map((block) => drawn(block, this.links)));
    this.element.style.height = '';
  }

  #hide(px: number): void {
    this.drawn = false;
    this.element.style.height = `${px}px`;
    this.element.replaceChildren();
  }
}

/** Sections far from the reader, watched as a group: a browser checks each watched element in each frame, even during typing. */
export class Chapter {
  readonly element = element('div', [], { class: 'section' });
  readonly #sections: Section[] = [];
  #unwatch: (() => void) | undefined;

  /** `text`: is read into sections once a reader comes near; then empty. `goesOn`: begins inside of a paragraph. */
  constructor(
    private readonly links?: Links,
    public text = '',
    private readonly goesOn = false,
  ) {
    byElement.set(this.element, this);
    const start = text.slice(0, SECTION_CHARS);
    this.element.classList.toggle('chapter', !text);
    if (!text) return;
    this.element.style.height = `${(guessedPx({ kind: 'markdown', text: start }) * text.length) / start.length}px`;
  }

  /** Whether a section of a growing text begins the next chapter. */
  get full(): boolean {
    return this.#unwatch !== undefined || this.#sections.length >= CHAPTER_SECTIONS;
  }

  add(section: Section): void {
    this.#sections.push(section);
    this.element.append(section.element);
  }

  /** All its sections are closed. */
  close(): void {
    this.#unwatch ??= watch(this.element, 'far', (near) => {
      if (near && this.text) this.#read();
      for (const section of this.#sections)
        if (near) section.watch();
        else section.rest();
    });
  }

  dispose(): void {
    this.#unwatch?.();
    for (const section of this.#sections) section.dispose();
  }

  #read(): void {
    let section: Section | undefined;
    for (const block of blocksOf(this.text, this.goesOn)) {
      if (!section?.takes(true)) this.add((section = new Section(this.links, false)));
      section.add(block);
    }
    for (const open of this.#sections) open.close();
    this.text = '';
    this.element.className += ' chapter';
    this.element.style.height = '';
  }
}

function guessedPx(block: Block): number {
  if (block.kind === 'code') return 44 + 19 * block.text.split('\n').length;
  return LINE_PX * block.text.split('\n').reduce((lines, line) => lines + Math.ceil(line.length / LINE_CHARS), 0) + 12;
}

function drawn(block: Block, links: Links | undefined): HTMLElement {
  if (block.kind === 'code') {
    const view = new CodeView(block.language);
    view.settle(block.text);
    return view.element;
  }
  return element('div', [dressed(renderMarkdown(block.text, links), true)], {
    class: block.goesOn ? 'block goes-on' : 'block',
  });
}

/** Code inside lists and quotes gets the same frame as code of its own; tables get room to scroll. */
export function dressed(fragment: DocumentFragment, settled: boolean): DocumentFragment {
  for (const pre of fragment.querySelectorAll('pre')) {
    const language = /language-(\S+)/.exec(pre.firstElementChild?.className ?? '')?.[1] ?? '';
    const view = new CodeView(language);
    const text = pre.textContent ?? '';
    if (settled) view.settle(text);
    else view.grow(text);
    pre.replaceWith(view.element);
  }
  for (const table of fragment.querySelectorAll('table')) {
    const box = element('div', [], { class: 'table', tabindex: '0' });
    table.replaceWith(box);
    box.append(table);
  }
  return fragment;
}
