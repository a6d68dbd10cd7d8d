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
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={`desk${heading ? '' : ' top'}`}
      aria-label={name}
      onClose={onClose}
      onClick={(e) => {
        if (e.target === dialog.current) dialog.current!.close();
      }}
    >
      <div class="lying">
        {heading && <h2>{name}</h2>}
        {children}
        {heading && (
          <div class="bar plain">
            <span class="grow" />
            <button type="button" onClick={() => dialog.current!.close()}>
              {t.close}
            </button>
          </div>
        )}
      </div>
    </dialog>
  );
}
