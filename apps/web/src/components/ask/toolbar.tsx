// SPDX-License-Identifier: Apache-2.0
// The buttons that decide something, and what keeps a second click from deciding twice.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../strings';

/** Arrow keys go from button to button, as in any toolbar. */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const bar = useRef<HTMLDivElement>(null);
  return (
    <div
      class="bar"
      role="toolbar"
      aria-label={t.decide}
      ref={bar}
      onKeyDown={(e) => {
        const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0) return;
        const buttons = [...bar.current!.querySelectorAll('button')];
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        if (at < 0) return;
        e.preventDefault();
        buttons[(at + step + buttons.length) % buttons.length]!.focus();
      }}
    >
      {children}
    </div>
  );
}

/** False for the second click of a double click: the card under it may be another one by then. */
export function once(event: MouseEvent): boolean {
  return event.detail <= 1;
}
