// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Follow } from './follow';

let grown: () => void;
let watching: boolean;

/** A scroller whose content grows when the test says so. */
class Scroller {
  scrollHeight = 1000;
  clientHeight = 400;
  #top = 0;
  #scrolled: (() => void) | undefined;
  get scrollTop(): number {
    return this.#top;
  }
  set scrollTop(to: number) {
    this.#top = Math.max(0, Math.min(to, this.scrollHeight - this.clientHeight));
  }
  getBoundingClientRect(): { top: number; bottom: number; height: number } {
    return { top: 0, bottom: 400, height: 400 };
  }
  addEventListener(_: string, listener: () => void): void {
    this.#scrolled = listener;
  }
  removeEventListener(): void {
    this.#scrolled = undefined;
  }
  /** The reader scrolls. */
  to(top: number): void {
    this.scrollTop = top;
    this.#scrolled?.();
  }
  grow(by: number): void {
    this.scrollHeight += by;
    grown();
  }
  get atEnd(): boolean {
    return this.#top === this.scrollHeight - this.clientHeight;
  }
  get listens(): boolean {
    return this.#scrolled !== undefined;
  }
}

/** One paragraph that begins `at` so far down. */
let at = 0;
function content(scroller: Scroller): object {
  const paragraph = {
    isConnected: true,
    children: [],
    getBoundingClientRect: () => ({ top: at - scroller.scrollTop, bottom: at + 300 - scroller.scrollTop, height: 300 }),
  };
  return { children: [paragraph] };
}

function followed(): { scroller: Scroller; follow: Follow } {
  const scroller = new Scroller();
  return {
    scroller,
    follow: new Follow(scroller as unknown as HTMLElement, content(scroller) as unknown as HTMLElement),
  };
}

beforeEach(() => {
  watching = true;
  at = 200;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(changed: () => void) {
        grown = () => {
          if (watching) changed();
        };
      }
      observe(): void {}
      disconnect(): void {
        watching = false;
      }
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('Following the end', () => {
  test('begins there, and stays there during growth', () => {
    const { scroller, follow } = followed();
    expect(scroller.atEnd).toBe(true);
    for (let i = 0; i < 5; ++i) scroller.grow(300);
    expect(scroller.atEnd).toBe(true);
    expect(follow.away.value).toBe(false);
  });

  test('ends when the reader scrolls up, with a way back at once', () => {
    const { scroller, follow } = followed();
    scroller.to(200);
    expect(follow.away.value).toBe(true);
    scroller.grow(300);
    expect(scroller.scrollTop).toBe(200);
    expect(follow.away.value).toBe(true);
  });

  test('survives a small step near the end', () => {
    const { scroller, follow } = followed();
    scroller.to(scroller.scrollHeight - scroller.clientHeight - 79);
    expect(follow.away.value).toBe(false);
    scroller.grow(300);
    expect(scroller.atEnd).toBe(true);
  });

  test('does not end by growth alone, however much', () => {
    const { scroller } = followed();
    scroller.scrollHeight += 5000;
    scroller.to(scroller.scrollTop); // a scroll event that moved nothing
    grown();
    expect(scroller.atEnd).toBe(true);
  });

  test('begins again when the reader returns to the end', () => {
    const { scroller, follow } = followed();
    scroller.to(100);
    scroller.grow(300);
    scroller.to(400);
    expect(follow.away.value).toBe(true);
    scroller.to(10_000);
    expect(follow.away.value).toBe(false);
    scroller.grow(300);
    expect(scroller.atEnd).toBe(true);
  });

  test('begins again on request', () => {
    const { scroller, follow } = followed();
    scroller.to(0);
    scroller.grow(500);
    follow.toEnd();
    expect(follow.away.value).toBe(false);
    scroller.grow(500);
    expect(scroller.atEnd).toBe(true);
  });

  test('ends for a reader sent elsewhere on purpose', () => {
    const { scroller, follow } = followed();
    follow.leave();
    scroller.scrollTop = 50;
    scroller.grow(500);
    expect(scroller.scrollTop).toBe(50);
    expect(follow.away.value).toBe(true);
  });

  test('keeps the visible text in place, whatever grows above', () => {
    const { scroller } = followed();
    scroller.to(250);
    at += 120;
    scroller.grow(120);
    expect(scroller.scrollTop).toBe(370);
    at -= 30;
    scroller.grow(-30);
    expect(scroller.scrollTop).toBe(340);
  });

  test('takes the new position of the reader as the reference', () => {
    const { scroller } = followed();
    scroller.to(250);
    scroller.scrollTop = 260; // and the event that tells of it has not come yet
    at += 120;
    scroller.grow(120);
    expect(scroller.scrollTop).toBe(260);
  });

  test('stops at a waiting request, to be read from its beginning', () => {
    const scroller = new Scroller();
    const card = { getBoundingClientRect: () => ({ top: 1100 - scroller.scrollTop }) } as unknown as Element;
    let waits: Element | undefined;
    const follow = new Follow(
      scroller as unknown as HTMLElement,
      content(scroller) as unknown as HTMLElement,
      () => {},
      '',
      () => waits,
    );
    waits = card;
    scroller.grow(900);
    expect(scroller.scrollTop).toBe(1100 - 16);
    scroller.to(1300);
    scroller.grow(100);
    expect(scroller.scrollTop).toBe(1300);
    waits = undefined;
    scroller.grow(100);
    expect(scroller.atEnd).toBe(true);
    expect(follow.away.value).toBe(false);
  });

  test('stays silent if all fits', () => {
    const { scroller, follow } = followed();
    scroller.to(100);
    scroller.scrollHeight = 450;
    grown();
    expect(follow.away.value).toBe(false);
  });

  test('leaves no listener behind', () => {
    const { scroller, follow } = followed();
    follow.dispose();
    expect(watching).toBe(false);
    expect(scroller.listens).toBe(false);
  });
});
