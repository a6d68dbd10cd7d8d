// SPDX-License-Identifier: Apache-2.0
// Keeps a scrolling element at its end while content grows, but only if the reader is already there. Elsewhere, the reader's text stays at
// the same place of the screen, regardless of changes above.

import { signal, type Signal } from '@preact/signals';

const NEAR_PX = 80; // this distance from the end counts as the end
const ROOM_PX = 16; // above a waiting request
const DEEPEST = 6; // nested elements: the held element should be small

export class Follow {
  readonly away: Signal<boolean> = signal(false); // the reader left the end, and the end is out of sight
  #following = true;
  #lastTop = 0;
  #held: { element: Element; y: number }[] = []; // the position at the last look; the whole element first, then smaller parts
  readonly #observer: ResizeObserver;

  /**
   * `moved`: after each layout and each scroll of the reader. `notRead`: parts of the content without text, such as spacers. `waits`: a
   * part that automatic scrolling must not pass, because a person has to read the part from its beginning.
   */
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

  /** Scrolls to the end, or to the beginning of a waiting part; never back. */
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

  /** The reader went to another place on purpose. */
  leave(): void {
    this.#following = false;
    this.#note();
  }

  #distance(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  // Only a move upwards means that the reader left: growth alone also increases the distance.
  readonly #scrolled = (): void => {
    const top = this.scroller.scrollTop;
    if (this.#distance() < NEAR_PX) {
      this.#following = true;
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
    }
    this.moved();
  }

  /** Records the element at the top of the view. */
  #note(): void {
    this.#lastTop = this.scroller.scrollTop;
    this.#held = [];
    this.away.value = !this.#following && this.#distance() >= NEAR_PX;
    if (this.#following) return;
    const edge = this.scroller.getBoundingClientRect().top;
    let among: Element | undefined = this.content;
    for (let depth = 0; among && depth < DEEPEST; ++depth) {
      const next: Element | undefined = firstBelow(among.children, edge, depth === 0 ? this.notRead : '');
      if (next) this.#held.push({ element: next, y: next.getBoundingClientRect().top - edge });
      among = next;
    }
  }

  /** The reader's text has moved: follows the text. Some browsers do this themselves. */
  #hold(): void {
    const still = this.#held.filter((mark) => mark.element.isConnected).at(-1);
    if (!still) {
      this.#note();
      return;
    }
    const by = still.element.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top - still.y;
    // A changed scroll position comes from the reader: the current element is the new reference.
    if (Math.abs(by) >= 1 && Math.abs(this.scroller.scrollTop - this.#lastTop) < 1) this.scroller.scrollTop += by;
    this.#note();
  }
}

/** The first of these stacked elements below a line. */
function firstBelow(elements: HTMLCollection, line: number, but: string): Element | undefined {
  for (const element of elements) {
    if (but && element.matches(but)) continue;
    const box = element.getBoundingClientRect();
    if (box.height > 0 && box.bottom > line) return element;
  }
  return undefined;
}
