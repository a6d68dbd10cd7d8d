// Keeps a scrolling element at its end while new things come, but only while the reader is there already.

import { signal, type Signal } from '@preact/signals';

const NEAR_PX = 80;                   // this close to the end counts as being there

export class Follow {
  readonly away: Signal<boolean> = signal(false);   // new things are out of sight
  private following = true;
  private last_top = 0;
  private readonly observer: ResizeObserver;

  constructor(private readonly scroller: HTMLElement, content: HTMLElement) {
    this.observer = new ResizeObserver(() => this.settle());
    this.observer.observe(content);
    this.observer.observe(scroller);
    scroller.addEventListener('scroll', this.scrolled, { passive: true });
    this.to_end();
  }

  dispose(): void {
    this.observer.disconnect();
    this.scroller.removeEventListener('scroll', this.scrolled);
  }

  to_end(): void {
    this.following = true;
    this.away.value = false;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.last_top = this.scroller.scrollTop;
  }

  /** The reader went somewhere on purpose. */
  leave(): void { this.following = false; }

  private distance(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  // Only a move upwards means that the reader left: growth alone also makes the distance larger.
  private readonly scrolled = (): void => {
    const top = this.scroller.scrollTop;
    if (this.distance() < NEAR_PX) {
      this.following = true;
      this.away.value = false;
    } else if (top < this.last_top - 1) {
      this.following = false;
    }
    this.last_top = top;
  };

  private settle(): void {
    if (this.following) this.to_end();
    else this.away.value = this.distance() >= NEAR_PX;
  }
}
