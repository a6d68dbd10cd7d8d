// SPDX-License-Identifier: Apache-2.0
// The conversation. A long conversation has only the entries near the reader in the document; older events are fetched during scrolling, so
// that the conversation opens at once.

import { useComputed, useSignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { App } from '../../app';
import { Follow } from '../../follow';
import type { Ask } from '../../protocol';
import { t } from '../../strings';
import type { Item } from '../../transcript_items';
import { AskCard } from '../ask/ask_card';
import { useApp } from '../context';
import { hasView } from '../ending';
import { Icon } from '../icons';
import { ItemView, seqOf, type Told } from '../item_view';
import { OutgoingView } from '../message';
import { Part } from '../../part';
import { WhenHere } from '../when_here';
import { entriesOf, firstOf, type Entry } from '../runs/runs';
import { ToolRun } from '../runs/tool_run';
import { Drawn } from './drawn';
import type { FindBarProps } from './find_bar';
import { finding } from './finding';
import { useSought } from './sought';
import { Working } from './working';

const find = new Part(() => import('./find_bar'));
const none: readonly Item[] = [];

export function TranscriptView() {
  const app = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const fetching = useSignal(false);
  const drawn = useMemo(() => new Drawn(), []);

  const { items, hides, boundary, toggle } = useItems();
  const moreAtHost = useComputed(() => (app.transcript.value?.firstSeq ?? 1) > 1).value && !hides;
  const opening = useComputed(() => isOpening(app)).value;
  const outgoing = useComputed(() =>
    app.outbox.prompts.value.filter((prompt) => prompt.conversation === app.navigation.current.value),
  ).value;
  const entries = useMemo(() => entriesOf(items.filter(hasView)), [items]);
  const keys = useMemo(() => entries.map((entry) => firstOf(entry).key), [entries]);
  const range = drawn.entries(keys);
  const room = drawn.heights.room(keys, range);
  const strays = useStrays(items);
  const told = useTold(items);

  const older = () => fetchOlder(app, fetching);
  const nearStart = () => {
    if (moreAtHost && drawn.range.from === 0 && scroller.current!.scrollTop < scroller.current!.clientHeight) older();
  };
  const follow = useFollow(scroller, above, drawn, outgoing.at(-1)?.id ?? 0, nearStart);
  useLayoutEffect(() => {
    drawn.drawn();
    follow.peek()?.settle();
  }, [keys, drawn.steps.value]);
  useSought(entries, drawn, moreAtHost, follow, older);

  const view = viewsWith(told, hides, boundary, toggle);
  return (
    <div class="scroll-box">
      {finding.value && findBar({ entries, drawn, follow, more: moreAtHost, older })}
      <div class="scroll" ref={scroller} tabIndex={-1}>
        <h2 class="spoken">{t.transcript}</h2>
        <div class="log" role="log" aria-live="polite" aria-label={t.transcript}>
          {moreAtHost && olderButton(fetching.value, older)}
          {opening && outgoing.length === 0 && (
            <p key="opening" class="faint">
              {t.opening}
            </p>
          )}
          <div key="above" class="room" ref={above} style={{ height: `${room.above}px` }} />
          {entries.slice(range.from, range.to).map(view)}
          <div key="between" class="room" style={{ height: `${room.between}px` }} />
          {entries.slice(range.tail).map(view)}
          {strays.map(strayOf)}
          <Working items={items} />
          {outgoing.map((prompt) => (
            <OutgoingView key={`out-${prompt.id}`} outgoing={prompt} />
          ))}
        </div>
      </div>
      <WayDown follow={follow} entries={entries} />
    </div>
  );
}

const isOpening = ({ transcript, state, navigation }: App) =>
  transcript.value === undefined ||
  (transcript.value.items.length === 0 && !(state.value.opened[navigation.current.value]?.live ?? false));

function fetchOlder(app: App, fetching: Signal<boolean>): void {
  if (fetching.peek()) return;
  fetching.value = true;
  app.older(() => {
    fetching.value = false;
  });
}

const findBar = (p: FindBarProps) => <WhenHere part={find} draw={({ FindBar }) => <FindBar {...p} />} />;

/** Draws the entries. */
const viewsWith = (told: Told, hides: boolean, boundary: Item | undefined, toggle: () => void) => (entry: Entry) =>
  entry.kind === 'run' ? (
    <ToolRun key={`run-${entry.items[0]!.key}`} items={entry.items} told={told} />
  ) : entry.item.kind === 'cleared' ? (
    <ClearedNote key={entry.item.key} hides={hides} last={entry.item === boundary} onToggle={toggle} />
  ) : (
    <ItemView key={entry.item.key} item={entry.item} closes={entry.closes} told={told} />
  );

const olderButton = (fetching: boolean, older: () => void) => (
  <button key="older" type="button" class="quiet older" aria-disabled={fetching} onClick={older}>
    {t.older}
  </button>
);

const strayOf = (ask: Ask) => (
  <div key={ask.id} class="item">
    <AskCard ask={ask} />
  </div>
);

/** The button to the end while the end is out of sight, with the number of entries that arrived meanwhile. */
function WayDown({ follow, entries }: { follow: Signal<Follow | undefined>; entries: readonly Entry[] }) {
  const seen = useRef(0); // number of the last event at the end
  const at = (entry: Entry | undefined) => (entry ? seqOf(firstOf(entry)) : 0);
  if (!follow.value?.away.value) {
    seen.current = at(entries.at(-1));
    return null;
  }
  let fresh = 0;
  while (at(entries[entries.length - 1 - fresh]) > seen.current) ++fresh;
  return (
    <button
      type="button"
      class="new-output"
      aria-label={fresh > 0 ? undefined : t.to_end}
      onClick={() => follow.peek()?.toEnd()}
    >
      <Icon name="down" size={16} />
      {fresh > 0 && t.new_entries(fresh)}
    </button>
  );
}

/** Follows the end of the conversation. The reader's own new message is always visible. */
function useFollow(
  scroller: RefObject<HTMLDivElement | null>,
  above: RefObject<HTMLDivElement | null>,
  drawn: Drawn,
  said: number,
  moved: () => void,
): Signal<Follow | undefined> {
  const follow = useSignal<Follow | undefined>(undefined);
  const latest = useRef(moved);
  latest.current = moved;
  useLayoutEffect(() => {
    drawn.attach(scroller.current!, above.current!);
    const made = new Follow(
      scroller.current!,
      above.current!.parentElement!,
      () => {
        drawn.update();
        latest.current();
      },
      '.room, .older',
      () => scroller.current?.querySelector('[data-ask]'),
    );
    follow.value = made;
    return () => made.dispose();
  }, []);
  useEffect(() => {
    if (said) follow.peek()?.toEnd();
  }, [said]);
  return follow;
}

/** Screen readers receive new entries only, without the entries at opening and entries scrolled into view. */
function useTold(items: readonly Item[]): Told {
  const told = useRef<Told | undefined>(undefined);
  if (!told.current && items.length > 0) told.current = { seq: seqOf(items.at(-1)!) };
  return told.current ?? { seq: Infinity };
}

/** The messages before the last clearing, for a reader's request or a link to such a message. */
function useItems(): { items: readonly Item[]; hides: boolean; boundary: Item | undefined; toggle: () => void } {
  const app = useApp();
  const all = useComputed(() => app.transcript.value?.items ?? none).value;
  const cleared = useComputed(() => app.transcript.value?.cleared ?? 0).value;
  const before = useSignal(''); // the conversation with visible earlier messages
  const hides =
    cleared > 0 && before.value !== app.navigation.current.value && app.navigation.sought.value === undefined;
  const items = useMemo(() => (hides ? all.slice(cleared) : all), [all, hides, cleared]);
  return {
    items,
    hides,
    boundary: all[cleared],
    toggle: () => {
      before.value = hides ? app.navigation.current.peek() : '';
    },
  };
}

function ClearedNote({ hides, last, onToggle }: { hides: boolean; last: boolean; onToggle: () => void }) {
  return (
    <p class="ending cleared">
      {t.cleared}
      {last && (
        <>
          {' '}
          <button type="button" class="quiet small" aria-expanded={!hides} onClick={onToggle}>
            {hides ? t.show_before : t.hide_before}
          </button>
        </>
      )}
    </p>
  );
}

/** Waiting requests without a loaded place in the transcript: shown separately, so that no person misses a request. */
function useStrays(items: readonly Item[]): Ask[] {
  const app = useApp();
  const mine = app.waitingHere.value;
  if (mine.length === 0) return mine;
  const placed = new Set(items.map((item) => (item.kind === 'ask' || item.kind === 'tool' ? item.ask : undefined)));
  return mine.filter((ask) => !placed.has(ask.id));
}
