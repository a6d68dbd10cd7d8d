// SPDX-License-Identifier: Apache-2.0
// Offers the undo of the last action for a while. The offer stays while the pointer or the keyboard is on it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';

const OFFER_MS = 10_000;

export function Undo() {
  const app = useApp();
  const held = useSignal(false);
  const offer = app.undoable.value;
  useEffect(() => {
    if (held.value) return;
    const timer = setTimeout(() => {
      app.undoable.value = undefined;
    }, OFFER_MS);
    return () => clearTimeout(timer);
  }, [offer, held.value]);
  if (!offer) return null;
  const hold = (on: boolean) => () => {
    held.value = on;
  };
  return (
    <div
      class="banner"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusIn={hold(true)}
      onFocusOut={hold(false)}
    >
      <span>{words().archived_now(offer.title || t.untitled)}</span>
      <button type="button" class="small" onClick={offer.undo}>
        {words().undo}
      </button>
    </div>
  );
}
