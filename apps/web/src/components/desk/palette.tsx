// SPDX-License-Identifier: Apache-2.0
// One field that leads anywhere: conversations, commands, modes.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { older } from '../../state/older';
import { t } from '../../strings';
import { words } from '../../strings/views';
import { useApp } from '../context';
import { choicesOf, fitting, type Choice } from './choices';

const SHOWN = 50; // more is found by another word, not by scrolling

export function Palette({ onDone }: { onDone: () => void }) {
  const app = useApp();
  const typed = useSignal('');
  const at = useSignal(0);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const shown = useComputed(() => fitting(choicesOf(app), typed.value).slice(0, SHOWN)).value;
  const chosen = Math.min(at.value, shown.length - 1);
  useEffect(() => {
    input.current!.focus();
    older(app.store, true);
  }, []);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onDone();
    choice.act();
  };
  const key = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && shown.length > 0) at.value = (chosen + step + shown.length) % shown.length;
    else if (event.key === 'Enter' && !event.isComposing && event.keyCode !== 229) take(shown[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <div class="palette">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-label={t.palette}
        placeholder={words().palette_hint}
        autocomplete="off"
        spellcheck={false}
        aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
        value={typed.value}
        onInput={(e) => {
          typed.value = e.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={key}
      />
      <ul ref={list} id={id} role="listbox" aria-label={t.palette}>
        {shown.map((choice, i) => choiceRow(choice, `${id}-${i}`, i === chosen, take))}
      </ul>
      {shown.length === 0 && (
        <p class="note" role="status">
          {words().palette_nothing}
        </p>
      )}
    </div>
  );
}

function choiceRow(row: Choice, id: string, chosen: boolean, take: (choice: Choice) => void) {
  return (
    <li key={row.id} id={id} role="option" aria-selected={chosen} onClick={() => take(row)}>
      <span class="title">{row.name}</span>
      <span class="faint">{row.more || row.kind}</span>
    </li>
  );
}
