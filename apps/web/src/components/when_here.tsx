// SPDX-License-Identifier: Apache-2.0
// Draws a part of the page once it is there, and says so when it cannot be had.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Part } from '../part';
import { t } from '../strings';

interface Props<T> {
  part: Part<T>;
  draw: (part: T) => ComponentChildren;
  otherwise?: ComponentChildren;
  meanwhile?: ComponentChildren;
}

export function WhenHere<T>({ part, draw, otherwise, meanwhile }: Props<T>) {
  useEffect(() => part.load(), [part]);
  const here = part.here.value;
  if (here) return <>{draw(here)}</>;
  if (!part.failed.value)
    return (
      <>
        {meanwhile ?? (
          <p class="note loading" role="status">
            {t.part_loading}
          </p>
        )}
      </>
    );
  return (
    <>
      {otherwise ?? (
        <p class="note bad failed-part" role="alert">
          {t.part_failed}{' '}
          <button type="button" class="small" onClick={() => part.load()}>
            {t.retry}
          </button>
        </p>
      )}
    </>
  );
}
