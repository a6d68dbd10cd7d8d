// SPDX-License-Identifier: Apache-2.0
// Keeps a scrolling element at its end while new things come, but only while the reader is there already. Elsewhere what is read stays
// where it is on the screen, whatever grows, shrinks, comes or goes above it.

import { signal, type Signal } from '@preact/signals';

const NEAR_PX = 80; // this close to the end counts as being there
const ROOM_PX = 16; // above what waits
const DEEPEST = 6; // elements in elements: the one to hold should be small

export class Follow {
  readonly away: Signal<boolean> = signal(false); // new things are out of sight
  #following = true;
  #lastTop = 0;
  #held: { element: Element; y: number }[] = []; // where it was seen; the whole of it first, then ever smaller parts
  readonly #observer: ResizeObserver;

  /** `moved`: after each layout and each step of the reader. `notRead`: which parts of the content nobody reads, such as room. `waits`: what
      must not be scrolled past by itself, as somebody has to read it from its beginning. */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly content: HTMLElement,
    private readonly moved: () => void = () => {},
    private readonly notRead = '',
    private readonly waits: () => Element | undefined | null = () => undefined,
  ) {
    this.#observer = new ResizeObserver(() => this.settle());
    this.#observer.observe(content);
    this.#observer.observe(scroller);
    scroller.addEventListener('scroll', this.#scrolled, { passive: true });
    this.#on();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.scroller.removeEventListener('scroll', this.#scrolled);
  }

  toEnd(): void {
    this.#following = true;
    this.away.value = false;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#lastTop = this.scroller.scrollTop;
  }

  /** To the end, or as far as to the beginning of what waits; never back. */
  #on(): void {
    const waiting = this.waits();
    const end = this.scroller.scrollHeight - this.scroller.clientHeight;
    const stop = waiting
      ? waiting.getBoundingClientRect().top -
        this.scroller.getBoundingClientRect().top +
        this.scroller.scrollTop -
        ROOM_PX
      : end;
    if (Math.min(end, stop) > this.scroller.scrollTop) this.scroller.scrollTop = Math.min(end, stop);
    this.#lastTop = this.scroller.scrollTop;
    this.away.value = false;
  }

  /** The reader went somewhere on purpose, and is there. */
  leave(): void {
    this.#following = false;
    this.#note();
  }

  #distance(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  // Only a move upwards means that the reader left: growth alone also makes the distance larger.
  readonly #scrolled = (): void => {
    const top = this.scroller.scrollTop;
    if (this.#distance() < NEAR_PX) {
      this.#following = true;
      this.away.value = false;
    } else if (top < this.#lastTop - 1) {
      this.#following = false;
    }
    this.#note();
    this.moved();
  };

  /** The content has changed. */
  settle(): void {
    if (this.#following) {
      this.#on();
    } else {
      this.#hold();
      this.away.value = this.#distance() >= NEAR_PX;
    }
    this.moved();
  }

  /** Remembers what stands at the top of the view. */
  #note(): void {
    this.#lastTop = this.scroller.scrollTop;
    this.#held = [];
    if (this.#following) return;
    const edge = this.scroller.getBoundingClientRect().top;
    let among: Element | undefined = this.content;
    for (let depth = 0; among && depth < DEEPEST; ++depth) {
      const next: Element | undefined = firstBelow(among.children, edge, depth === 0 ? this.notRead : '');
      if (next) this.#held.push({ element: next, y: next.getBoundingClientRect().top - edge });
      among = next;
    }
  }

  /** What was read has moved: follows it. The browser may have done so by itself, and not every browser does. */
  #hold(): void {
    const still = this.#held.filter((one) => one.element.isConnected).at(-1);
    if (!still) {
      this.#note();
      return;
    }
    const by = still.element.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top - still.y;
    // A view that moved was moved by somebody: what stands there now is what is read.
    if (Math.abs(by) >= 1 && Math.abs(this.scroller.scrollTop - this.#lastTop) < 1) this.scroller.scrollTop += by;
    this.#note();
  }
}

/** The first of these that reaches below a line; they stand one below the other. */
function firstBelow(elements: HTMLCollection, line: number, but: string): Element | undefined {
  for (const one of elements) {
    if (but && one.matches(but)) continue;
    const box = one.getBoundingClientRect();
    if (box.height > 0 && box.bottom > line) return one;
  }
  return undefined;
}
