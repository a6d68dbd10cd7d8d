// SPDX-License-Identifier: Apache-2.0
// A dialog that Esc, its button or a press beside it closes. The focus goes back to where it was: the browser sees to that.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../strings';

export function Sheet({
  name,
  heading,
  onClose,
  children,
}: {
  name: string;
  heading: boolean;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closed = useRef(false);
  useEffect(() => dialog.current!.showModal(), []);
  // The browser sends `close` up to 70 ms after the dialog disappears. A key pressed meanwhile opens the next dialog, so the page
  // closes at `cancel` already, and the late `close` has no effect.
  const close = () => {
    if (closed.current) return;
    closed.current = true;
    dialog.current!.close();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={`desk${heading ? '' : ' top'}`}
      aria-label={name}
      onCancel={close}
      onClose={close}
      onClick={(e) => e.target === dialog.current && close()}
    >
      <div class="lying">
        {heading && <h2>{name}</h2>}
        {children}
        {heading && (
          <div class="bar plain">
            <span class="grow" />
            <button type="button" onClick={close}>
              {t.close}
            </button>
          </div>
        )}
      </div>
    </dialog>
  );
}
