// SPDX-License-Identifier: Apache-2.0
// Scrolls to a message: the result of a search, or the target of an address.

import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Follow } from '../../follow';
import { useApp } from '../context';
import { seqOf } from '../item_view';
import { firstOf, type Entry } from '../runs/runs';
import type { Drawn } from './drawn';

/** The entry with an event, or the entry before, because some events have no view. −1: all entries are newer. */
export function entryAt(entries: readonly Entry[], event: number): number {
  const after = entries.findIndex((entry) => seqOf(firstOf(entry)) > event);
  return (after < 0 ? entries.length : after) - 1;
}

/** Loads and draws older entries up to the message. */
export function useSought(
  entries: readonly Entry[],
  drawn: Drawn,
  moreAtHost: boolean,
  follow: Signal<Follow | undefined>,
  older: () => void,
) {
  const app = useApp();
  const sought = app.navigation.sought.value;
  useEffect(() => {
    if (!sought || sought.conversation !== app.navigation.current.peek() || entries.length === 0) return;
    const at = Math.max(0, entryAt(entries, sought.event));
    if (entryAt(entries, sought.event) < 0 && moreAtHost) {
      older();
      return;
    }
    if (!drawn.has(at)) {
      follow.peek()?.leave();
      drawn.show(at);
      return; // the effect runs again
    }
    const element = drawn.element(at);
    app.navigation.sought.value = undefined;
    if (element) leadTo(element, follow.peek());
  }, [sought, entries, drawn.steps.value, moreAtHost]);
}

/** Buttons that draw the rest of an output, a message, a change or a run of calls. */
export const FOLDED =
  ':is(.output, .me) [aria-expanded="false"], .top[aria-expanded="false"], .diff-box > button:last-child';
const FRAMES = 10; // parts are inside each other, and the comparison of a change is loaded first

/** Opens folded parts, because a search finds folded texts. */
function leadTo(element: HTMLElement, follow: Follow | undefined): void {
  const open = (frames: number) => {
    for (const folded of element.querySelectorAll('details')) folded.open = true;
    const more = element.querySelectorAll<HTMLElement>(FOLDED);
    for (const button of more) button.click();
    if (more.length > 0 || frames === FRAMES)
      element.scrollIntoView({ block: element.offsetHeight > innerHeight / 2 ? 'start' : 'center' });
    if (frames > 1) requestAnimationFrame(() => open(frames - 1));
  };
  open(FRAMES);
  follow?.leave();
  element.classList.add('sought');
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.onblur = () => {
    element.classList.remove('sought');
    element.removeAttribute('tabindex');
  };
}
