// SPDX-License-Identifier: Apache-2.0
// Finds words in this conversation, from the newest match to older matches, including unloaded parts.

import { useComputed, useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Follow } from '../../follow';
import { t } from '../../strings';
import { useApp } from '../context';
import { Icon } from '../icons';
import { drawing } from '../message';
import type { Entry } from '../runs/runs';
import type { Drawn } from './drawn';
import { finding } from './finding';
import { countOf, hitsIn, mark, rangesIn, type Hit } from './found';
import { FOLDED } from './sought';

const REST_MS = 200; // after the last key

export interface FindBarProps {
  entries: readonly Entry[];
  drawn: Drawn;
  follow: Signal<Follow | undefined>;
  more: boolean;
  older: () => void;
}

export function FindBar({ entries, drawn, follow, more, older }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const { words, back, typed } = useWords();
  const app = useApp();
  const asks = useComputed(() => ({ ...app.transcript.value?.asks, ...app.asks.value })).value;
  const hits = useMemo(() => hitsIn(entries, words.value, asks), [entries, words.value, asks]);
  const at = hits.length - 1 - Math.min(back.value, hits.length - 1);
  const hit = hits[at];
  const place = hit && `${entries.length - hit.entry} ${hit.nth} ${words.value}`;

  useEffect(() => {
    input.current!.focus();
    return unmark;
  }, []);
  useEffect(() => {
    if (words.value && more) older();
  }, [words.value, entries, more]);
  useLead(hit, place, words.value, drawn, follow);

  const step = (by: number) => {
    if (hits.length > 0) back.value = (back.value + by + hits.length) % hits.length;
  };
  return (
    <div
      class="find-bar"
      role="search"
      onKeyDown={(e) => {
        if (e.key === 'Escape') {
          e.preventDefault();
          e.stopPropagation();
          close();
        }
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label={t.find_here}
        placeholder={t.find_here}
        onInput={(e) => typed(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') {
            e.preventDefault();
            step(e.shiftKey ? -1 : 1);
          }
        }}
      />
      <span class="faint" role="status">
        {words.value && (hits.length > 0 ? t.n_of_m(at + 1, hits.length) : more ? t.finding : t.nothing_found)}
      </span>
      {button(t.find_before, 'down', () => step(1), ' up')}
      {button(t.find_after, 'down', () => step(-1))}
      {button(t.find_close, 'cross', close)}
    </div>
  );
}

/** The sought words, once no key has followed for a while. `back`: so many places before the newest. */
function useWords() {
  const words = useSignal('');
  const back = useSignal(0);
  const typed = useMemo(() => {
    let timer = 0;
    return (text: string) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        words.value = text;
        back.value = 0;
      }, REST_MS);
    };
  }, []);
  return { words, back, typed };
}

/** Leads the reader to a match, and marks all matches. */
function useLead(
  hit: Hit | undefined,
  place: string | undefined,
  words: string,
  drawn: Drawn,
  follow: FindBarProps['follow'],
): void {
  useEffect(() => {
    if (!hit) return unmark();
    follow.peek()?.leave();
    if (!drawn.has(hit.entry)) return drawn.show(hit.entry); // which runs this effect again
    const element = drawn.element(hit.entry);
    if (!element) return;
    return leadTo(element, hit, words, () => follow.peek()?.leave());
  }, [place, hit && drawn.has(hit.entry)]);
}

const button = (label: string, icon: 'down' | 'cross', press: () => void, look = '') => (
  <button type="button" class={`quiet${look}`} aria-label={label} onClick={press}>
    <Icon name={icon} />
  </button>
);

function close(): void {
  finding.value = false;
  document.querySelector<HTMLElement>('.scroll')?.focus({ preventScroll: true });
}

function unmark(): void {
  mark('found', []);
  mark('found-now', []);
}

const PATIENCE_FRAMES = 200;

/** Opens the folded parts around the match. Without a match, draws the parts that a button draws. */
function unfold(element: Element, match: Range | undefined): void {
  if (!match) {
    for (const more of element.querySelectorAll<HTMLElement>(FOLDED)) more.click();
    return;
  }
  let folded = match.startContainer.parentElement?.closest('details');
  for (; folded && element.contains(folded); folded = folded.parentElement?.closest('details')) folded.open = true;
}

/** Scrolls to the part with the match, which draws the part, and marks the words once drawn: a long text needs several frames. */
function leadTo(element: HTMLElement, hit: Hit, words: string, there: () => void): () => void {
  let frames = 0;
  let frame = 0;
  const look = () => {
    const { part, nth } = partOf(element, hit, words);
    const here = rangesIn(part, words);
    const now = here[nth];
    unfold(element, now);
    if (!now && ++frames < PATIENCE_FRAMES) {
      part.scrollIntoView({ block: 'nearest' });
      there();
      frame = requestAnimationFrame(look);
      return;
    }
    mark('found', rangesIn(element.closest('.log')!, words));
    mark('found-now', now ? [now] : []);
    const scroller = element.closest('.scroll')!;
    const view = scroller.getBoundingClientRect();
    const box = (now ?? part).getBoundingClientRect();
    if (box.top < view.top + 40 || box.bottom > view.bottom - 40)
      scroller.scrollTop += box.top - view.top - view.height / 2;
    there();
  };
  look();
  return () => cancelAnimationFrame(frame);
}

/** The part of an entry with the match, and the number of the match inside the part. */
function partOf(element: HTMLElement, hit: Hit, words: string): { part: Element; nth: number } {
  let nth = hit.nth;
  for (const section of element.querySelectorAll('.section:not(.chapter)')) {
    const count = countOf(drawing.here.peek()!.textOf(section).toLowerCase(), words.trim().toLowerCase());
    if (nth < count) return { part: section, nth };
    nth -= count;
  }
  return { part: element, nth: hit.nth }; // outside of the sections, or not drawn yet
}
