// SPDX-License-Identifier: Apache-2.0
// The focus of a card, and the pause before its buttons work.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { App } from '../../app';
import type { Ask } from '../../protocol';

const ARMING_MS = 500; // longer than a double click, shorter than reading
const HANDED_OVER = 'handed-over';

/** A click or key meant for the previous content of this place, or for the previously focused card, decides nothing. */
export function useArmed(card: { current: HTMLElement | null }): boolean {
  const armed = useSignal(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      clearTimeout(timer);
      armed.value = false;
      timer = setTimeout(() => {
        armed.value = true;
      }, ARMING_MS);
    };
    const element = card.current!;
    element.addEventListener(HANDED_OVER, arm);
    arm();
    return () => {
      clearTimeout(timer);
      element.removeEventListener(HANDED_OVER, arm);
    };
  }, []);
  return armed.value;
}

/** The target of the jump to waiting requests. */
export function useReveal(app: App, ask: Ask, card: { current: HTMLElement | null }): void {
  const wanted = app.navigation.reveal.value === ask.id;
  useEffect(() => {
    if (!wanted) return;
    app.navigation.reveal.value = '';
    card.current!.scrollIntoView({ block: 'center' });
    card.current!.focus({ preventScroll: true });
  }, [wanted]);
}

/** A settled card removes its buttons: the focus moves to the next card, or to the composer. */
export function useHandOver(card: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const element = card.current!;
    return () => {
      if (!element.contains(document.activeElement)) return;
      setTimeout(() => {
        if (document.activeElement && document.activeElement !== document.body) return;
        const next =
          document.querySelector<HTMLElement>('[data-ask]') ??
          document.querySelector<HTMLElement>('.composer textarea');
        next?.focus({ preventScroll: true });
        next?.dispatchEvent(new Event(HANDED_OVER));
      });
    };
  }, []);
}
