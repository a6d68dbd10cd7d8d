// SPDX-License-Identifier: Apache-2.0
// Closed blocks of one text that stand together. A long text has many sections, and only those near the reader are drawn: the others
// keep their height.

import type { Links } from 'marked';
import type { Block } from './blocks';
import { CodeView } from './code_view';
import { is_selected, watch } from './near';
import { render_markdown } from './render';

/** A section that has so much text is full. */
export const SECTION_CHARS = 4 * 1024;
const LINE_CHARS = 90;                // guessed, of what was never drawn
const LINE_PX = 22;

const by_element = new WeakMap<Element, Section>();

/** What stands in a section, drawn or not. */
export function text_of(element: Element): string { return by_element.get(element)?.text ?? element.textContent ?? ''; }

export class Section {
  readonly element = document.createElement('div');
  chars = 0;
  private readonly blocks: Block[] = [];
  private drawn = true;
  private unwatch = () => {};

  constructor(private readonly links: Links | undefined) {
    this.element.className = 'section';
    by_element.set(this.element, this);
  }

  get text(): string { return this.blocks.map((block) => block.text).join('\n'); }

  /** `code`: has drawn the block already, while it grew. */
  add(block: Block, code?: CodeView): void {
    this.blocks.push(block);
    this.chars += block.text.length;
    if (this.drawn) this.element.append(code?.element ?? drawn(block, this.links));
  }

  /** Nothing will be added: it is drawn when it is near. `hidden`: until then it is not. */
  close(hidden: boolean): void {
    if (hidden) this.hide(this.blocks.reduce((px, block) => px + guessed_px(block), 0));
    this.unwatch = watch(this.element, 'near', (near) => {
      if (near) this.show();
      else if (this.drawn && !is_selected(this.element) && !this.element.contains(document.activeElement)) this.hide(this.element.offsetHeight);
    });
  }

  show(): void {
    if (this.drawn) return;
    this.drawn = true;
    this.element.append(...this.blocks.map((block) => drawn(block, this.links)));
    this.element.style.height = '';
  }

  dispose(): void { this.unwatch(); }

  private hide(px: number): void {
    this.drawn = false;
    this.element.style.height = `${px}px`;
    this.element.replaceChildren();
  }
}

function guessed_px(block: Block): number {
  if (block.kind === 'code') return 44 + 19 * block.text.split('\n').length;
  return LINE_PX * block.text.split('\n').reduce((lines, line) => lines + Math.ceil(line.length / LINE_CHARS), 0) + 12;
}

function drawn(block: Block, links: Links | undefined): HTMLElement {
  if (block.kind === 'code') {
    const view = new CodeView(block.language);
    view.settle(block.text);
    return view.element;
  }
  const part = document.createElement('div');
  part.className = block.goes_on ? 'block goes-on' : 'block';
  part.append(dressed(render_markdown(block.text, links), true));
  return part;
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
    const box = document.createElement('div');
    box.className = 'table';
    box.tabIndex = 0;
    table.replaceWith(box);
    box.append(table);
  }
  return fragment;
}
