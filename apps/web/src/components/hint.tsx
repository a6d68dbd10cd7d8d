// SPDX-License-Identifier: Apache-2.0
// Shows the title of a control beside the control for keyboard and touch users: its effect, the time of the effect, or the target of a
// link. Screen readers receive the title as a description.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const APART = 8;

export function Hint() {
  const at = useSignal<HTMLElement | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let byFinger = false;
    const listen = <K extends keyof DocumentEventMap>(type: K, work: (event: DocumentEventMap[K]) => void) =>
      document.addEventListener(type, work, { capture: true, signal: gone.signal });
    const gone = new AbortController();
    listen('pointerdown', (e) => {
      byFinger = e.pointerType === 'touch';
    });
    listen('keydown', (e) => {
      byFinger = false;
      if (e.key === 'Escape') at.value = undefined;
    });
    listen('focusin', (e) => {
      const target = titled(e);
      at.value = target && (byFinger || target.matches(':focus-visible')) ? target : undefined;
    });
    listen('focusout', () => {
      at.value = undefined;
    });
    let told: HTMLElement | undefined;
    // Touch has no hovering: the first press shows the target of a link, the second press follows the link.
    listen('click', (e) => {
      const link = byFinger ? titled(e) : undefined;
      if (link?.matches('a') && link !== told) e.preventDefault();
      told = at.value = link;
    });
    return () => gone.abort();
  }, []);
  useLayoutEffect(() => {
    if (!at.value) return;
    const place = () => {
      const [rect, hint] = [at.peek()!.getBoundingClientRect(), box.current!];
      const above = rect.top - hint.offsetHeight - APART;
      hint.style.top = `${above < 0 ? rect.bottom + APART : above}px`;
      hint.style.left = `${Math.max(APART, Math.min(rect.left, innerWidth - hint.offsetWidth - APART))}px`;
    };
    place();
    addEventListener('scroll', place, { capture: true, passive: true });
    return () => removeEventListener('scroll', place, { capture: true });
  }, [at.value]);
  return at.value ? (
    <div class="hint" ref={box} aria-hidden="true">
      {at.value.title}
    </div>
  ) : null;
}

function titled(event: Event): HTMLElement | undefined {
  return (
    (event.target instanceof Element
      ? event.target.closest<HTMLElement>('a[title], button[title], select[title], [tabindex][title]')
      : undefined) ?? undefined
  );
}
