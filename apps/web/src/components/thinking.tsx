// SPDX-License-Identifier: Apache-2.0
// Thoughts: open and counting while they come, folded away with their duration once they end.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { duration, took } from '../format';
import { t } from '../strings';
import type { ThinkingItem } from '../transcript_items';
import { useApp } from './context';

const LIVE_CHARS = 2000; // while they come, only their end is drawn

export function Thinking({ item }: { item: ThinkingItem }) {
  const details = useRef<HTMLDetailsElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const touched = useRef(false); // the reader opened or closed it: it stays so
  useLayoutEffect(() => {
    if (!touched.current) details.current!.open = !item.settled && item.text !== '';
    if (!item.settled && body.current) body.current.scrollTop = body.current.scrollHeight;
  }, [item.settled, item.text]);
  const text = item.settled ? item.text : item.text.slice(-LIVE_CHARS);
  return (
    <details class="think" ref={details}>
      <summary
        onClick={() => {
          touched.current = true;
        }}
      >
        {!item.settled ? <Live since={item.started} /> : t.thought(took(item.durationMs))}
      </summary>
      <div class="thoughts" ref={body} aria-live="off">
        {text}
      </div>
    </details>
  );
}

function Live({ since }: { since: string }) {
  const app = useApp();
  return <span aria-live="off">{t.thinking(duration(app.now.value - Date.parse(since)))}</span>;
}
