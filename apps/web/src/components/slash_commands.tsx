// SPDX-License-Identifier: Apache-2.0
// The agent's slash commands above the composer, while one is being written.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { matching, taken } from '../slash';
import type { SlashCommand } from '../protocol';
import { t } from '../strings';

export interface SlashList {
  commands: SlashCommand[];
  at: number;
  id: string;
  /** True: the key was for the list. */
  key: (event: KeyboardEvent) => boolean;
  take: (command: SlashCommand) => void;
}

/** The keyboard stays in the text: arrows choose, Tab and Enter take, Escape puts the list away until the text changes. */
export function useSlashCommands(
  known: readonly SlashCommand[],
  text: string,
  write: (text: string) => void,
): SlashList {
  const id = useId();
  const chosen = useSignal(0);
  const putAway = useSignal('');
  const commands = putAway.value === text && text !== '' ? [] : matching(known, text);
  const at = Math.min(chosen.value, Math.max(commands.length - 1, 0));
  const take = (command: SlashCommand) => {
    chosen.value = 0;
    write(taken(command));
  };
  const key = (event: KeyboardEvent): boolean => {
    if (commands.length === 0 || event.isComposing) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      chosen.value = (at + (event.key === 'ArrowDown' ? 1 : commands.length - 1)) % commands.length;
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)) take(commands[at]!);
    else if (event.key === 'Escape') putAway.value = text;
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { commands, at, id, key, take };
}

export function SlashCommands({ list }: { list: SlashList }) {
  if (list.commands.length === 0) return null;
  return (
    <ul class="slash" role="listbox" id={list.id} aria-label={t.commands}>
      {list.commands.map((command, i) => (
        <li
          key={command.name}
          id={`${list.id}-${i}`}
          role="option"
          aria-selected={i === list.at}
          onMouseDown={(e) => {
            e.preventDefault();
            list.take(command);
          }}
        >
          <span class="name">/{command.name}</span>
          {command.hint && <span class="faint"> {command.hint}</span>}{' '}
          <span class="faint about">{command.description}</span>
        </li>
      ))}
    </ul>
  );
}
