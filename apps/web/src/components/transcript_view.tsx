// The conversation itself. Draws the newest items; older ones are added on demand, so that a long history opens at once.

import { useComputed, useSignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Follow } from '../follow';
import { duration } from '../format';
import type { Ask } from '../protocol';
import { t } from '../strings';
import { entries_of } from './runs/runs';
import type { Item } from '../transcript';
import { AskCard } from './ask/ask_card';
import { useApp } from './context';
import { Icon } from './icons';
import { has_view } from './ending';
import { ItemView } from './item_view';
import { OutgoingView } from './message';
import { ToolRun } from './runs/tool_run';

const FIRST_ITEMS = 60;               // drawn at once: a few screens
const WINDOW_ITEMS = 300;             // drawn when there is time, and kept while following the end
const MORE_ITEMS = 200;
const none: readonly Item[] = [];

export function TranscriptView() {
  const app = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const room = useSignal(FIRST_ITEMS);
  const fetching = useSignal(false);
  const height_before = useRef(-1);   // set while older items are put above what is being read

  const { items, hides, boundary, toggle } = useItems();
  const more_at_host = useComputed(() => (app.transcript.value?.first_seq ?? 1) > 1).value && !hides;
  const opening = useComputed(() => app.transcript.value === undefined || (app.transcript.value.items.length === 0 && !(app.state.value.opened[app.current.value]?.live ?? false))).value;
  const outgoing = useComputed(() => app.outbox.value.filter((one) => one.conversation === app.current.value)).value;
  const drawn = items.length > room.value ? items.slice(items.length - room.value) : items;
  const entries = useMemo(() => entries_of(drawn.filter(has_view)), [items, room.value]);
  const strays = useStrays(drawn);

  const follow = useFollow(scroller, log, outgoing.at(-1)?.id ?? 0);
  useEffect(() => {
    const id = requestIdleCallback(() => { room.value = Math.max(room.peek(), WINDOW_ITEMS); }, { timeout: 500 });
    return () => cancelIdleCallback(id);
  }, []);
  useLayoutEffect(() => {
    if (height_before.current < 0) return;
    scroller.current!.scrollTop += scroller.current!.scrollHeight - height_before.current;
    height_before.current = -1;
  });

  const older = () => {
    const keep = () => { height_before.current = scroller.current!.scrollHeight; };
    if (items.length > room.peek()) {
      keep();
      room.value += MORE_ITEMS;
    } else if (!fetching.peek()) {
      fetching.value = true;
      keep();
      app.older(() => { fetching.value = false; room.value += MORE_ITEMS; });
    }
  };

  useSought(items, drawn, more_at_host, scroller, follow, older);

  return (
    <div class="scroll-box">
      <div class="scroll" ref={scroller}>
        <h2 class="spoken">{t.transcript}</h2>
        <div class="log" ref={log} role="log" aria-live="polite" aria-label={t.transcript}>
          {(items.length > drawn.length || more_at_host) && <button type="button" class="quiet older" aria-disabled={fetching.value} onClick={older}>{t.older}</button>}
          {opening && outgoing.length === 0 && <p class="faint">{t.opening}</p>}
          {entries.map((one) => (one.kind === 'run' ? <ToolRun key={`run-${one.items[0]!.key}`} items={one.items} />
            : one.item.kind === 'cleared' ? <ClearedNote key={one.item.key} hides={hides} last={one.item === boundary} onToggle={toggle} /> : <ItemView key={one.item.key} item={one.item} closes={one.closes} />))}
          {strays.map((ask) => <div key={ask.id} class="item"><AskCard ask={ask} /></div>)}
          <Working items={items} />
          {outgoing.map((one) => <OutgoingView key={`out-${one.id}`} outgoing={one} />)}
        </div>
      </div>
      {follow.value?.away.value && <button type="button" class="new-output" onClick={() => follow.peek()?.to_end()}><Icon name="down" size={16} />{t.new_output}</button>}
    </div>
  );
}

/** Follows the end of the conversation. What the reader just `said` is always shown. */
function useFollow(scroller: RefObject<HTMLDivElement | null>, log: RefObject<HTMLDivElement | null>, said: number): Signal<Follow | undefined> {
  const follow = useSignal<Follow | undefined>(undefined);
  useLayoutEffect(() => {
    const made = new Follow(scroller.current!, log.current!);
    follow.value = made;
    return () => made.dispose();
  }, []);
  useEffect(() => { if (said) follow.peek()?.to_end(); }, [said]);
  return follow;
}

/** What was before the last clearing is there for who wants to look at it, and for who was sent to a message in it. */
function useItems(): { items: readonly Item[]; hides: boolean; boundary: Item | undefined; toggle: () => void } {
  const app = useApp();
  const all = useComputed(() => app.transcript.value?.items ?? none).value;
  const cleared = useComputed(() => app.transcript.value?.cleared ?? 0).value;
  const before = useSignal('');        // the conversation of which it is shown
  const hides = cleared > 0 && before.value !== app.current.value && app.sought.value === undefined;
  const items = useMemo(() => (hides ? all.slice(cleared) : all), [all, hides, cleared]);
  return { items, hides, boundary: all[cleared], toggle: () => { before.value = hides ? app.current.peek() : ''; } };
}

function ClearedNote({ hides, last, onToggle }: { hides: boolean; last: boolean; onToggle: () => void }) {
  return <p class="ending cleared">{t.cleared}{last && <> <button type="button" class="quiet small" aria-expanded={!hides} onClick={onToggle}>{hides ? t.show_before : t.hide_before}</button></>}</p>;
}

/** A turn runs, and nothing of it can be seen to move: it waits for something, the model has not begun to answer, or its server is being tried again. */
function Working({ items }: { items: readonly Item[] }) {
  const app = useApp();
  const waits_for = useComputed(() => (app.conversation.value?.state !== 'idle' ? app.conversation.value?.waits_for : undefined)).value;
  const since = useMemo(() => app.now.peek(), [waits_for]);  // the host tells what, and each page sees when
  const turn = useComputed(() => (app.conversation.value?.state === 'running' ? app.transcript.value?.turn : undefined)).value;
  const last = items.at(-1);
  const moves = ((last?.kind === 'text' || last?.kind === 'thinking') && !last.settled) || (last?.kind === 'tool' && last.state === 'running');
  if (waits_for) return <p class="ending working" aria-live="off">{t.waits_for(waits_for, duration(app.now.value - since))}</p>;
  if (!turn?.running || moves) return null;
  return <p class="ending working" aria-live="off">{t.working(duration(app.now.value - Date.parse(turn.started)))}</p>;
}

/** Scrolls to the message that somebody asked to see, fetching and drawing older ones until it is there. */
function useSought(items: readonly Item[], drawn: readonly Item[], more_at_host: boolean, scroller: RefObject<HTMLDivElement | null>, follow: Signal<Follow | undefined>, older: () => void) {
  const app = useApp();
  const sought = app.sought.value;
  useEffect(() => {
    if (!sought || sought.conversation !== app.current.peek() || items.length === 0) return;
    const seq = (item: Item) => Number(item.key.slice(item.key.lastIndexOf('-') + 1));
    const after = items.findIndex((item) => seq(item) > sought.event);
    const at = (after < 0 ? items.length : after) - 1;
    if (at < 0 ? more_at_host : items.length - drawn.length > at) { older(); return; }
    app.sought.value = undefined;
    let element: HTMLElement | null = null;
    for (let near = Math.max(at, 0); near >= 0 && !element; --near) element = scroller.current?.querySelector<HTMLElement>(`[data-seq="${seq(items[near]!)}"]`) ?? null;  // not what is folded away
    if (!element) return;
    follow.peek()?.leave();
    element.scrollIntoView({ block: 'center' });
    element.classList.add('sought');
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.addEventListener('blur', () => { element.classList.remove('sought'); element.removeAttribute('tabindex'); }, { once: true });
  }, [sought, items, drawn.length, more_at_host]);
}

/** Requests that wait but whose place in the transcript is not drawn: nobody may overlook them. */
function useStrays(drawn: readonly Item[]): Ask[] {
  const app = useApp();
  const mine = useComputed(() => app.waiting.value.filter((ask) => ask.conversation === app.current.value)).value;
  if (mine.length === 0) return mine;
  const placed = new Set(drawn.map((item) => (item.kind === 'ask' || item.kind === 'tool' ? item.ask : undefined)));
  return mine.filter((ask) => !placed.has(ask.id));
}
