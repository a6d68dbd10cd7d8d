// SPDX-License-Identifier: Apache-2.0
// The status line of a turn without visible progress.

import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { duration } from '../../format';
import { t } from '../../strings';
import type { Item } from '../../transcript_items';
import { useApp } from '../context';

/** A reason is words, or an id with numbers: model.retry SECONDS ATTEMPT ATTEMPTS, model.silent SECONDS. */
function waitText(reason: string, passed: number): string {
  const [id, seconds, attempt, attempts] = reason.split(' ');
  const time = 1000 * Number(seconds);
  if (id === 'model.retry') return t.retrying(duration(Math.max(0, time - passed)), attempt!, attempts!);
  return id === 'model.silent' ? t.no_data(duration(time + passed)) : t.waits_for(reason, duration(passed));
}

/**
 * A turn runs without visible progress: it waits for a resource, the model has not begun its answer, or a request to the server is
 * retried.
 */
export function Working({ items }: { items: readonly Item[] }) {
  const app = useApp();
  const waitsFor = useComputed(() =>
    app.conversation.value?.state !== 'idle' ? app.conversation.value?.waits_for : undefined,
  ).value;
  const since = useMemo(() => app.now.peek(), [waitsFor]); // the host tells what, and each page sees when
  const turn = useComputed(() =>
    app.conversation.value?.state === 'running' ? app.transcript.value?.turn : undefined,
  ).value;
  const last = items.at(-1);
  const moves =
    ((last?.kind === 'text' || last?.kind === 'thinking') && !last.settled) ||
    (last?.kind === 'tool' && last.state === 'running');
  if (waitsFor)
    return (
      <p class="ending working" aria-live="off">
        {waitText(waitsFor, app.now.value - since)}
      </p>
    );
  if (!turn?.running || moves) return null;
  return (
    <p class="ending working" aria-live="off">
      {t.working(duration(app.now.value - Date.parse(turn.started)))}
    </p>
  );
}
