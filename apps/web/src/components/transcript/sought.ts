// SPDX-License-Identifier: Apache-2.0
// Leads to a message that somebody asked to see: from a search, or by an address.

import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Follow } from '../../follow';
import { useApp } from '../context';
import { seqOf } from '../item_view';
import { firstOf, type Entry } from '../runs/runs';
import type { Drawn } from './drawn';

/** The entry that holds an event, or what came just before it: not everything has a view. −1: it is older than all of these. */
export function entryAt(entries: readonly Entry[], event: number): number {
  const after = entries.findIndex((one) => seqOf(firstOf(one)) > event);
  return (after < 0 ? entries.length : after) - 1;
}

/** Fetches older events and draws what is there until the message can be scrolled to. */
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
      return; // and comes here again
    }
    const element = drawn.element(at);
    app.navigation.sought.value = undefined;
    if (element) leadTo(element, follow.peek());
  }, [sought, entries, drawn.steps.value, moreAtHost]);
}

function leadTo(element: HTMLElement, follow: Follow | undefined): void {
  element.scrollIntoView({ block: element.offsetHeight > innerHeight / 2 ? 'start' : 'center' });
  follow?.leave();
  element.classList.add('sought');
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.addEventListener(
    'blur',
    () => {
      element.classList.remove('sought');
      element.removeAttribute('tabindex');
    },
    { once: true },
  );
}
