// SPDX-License-Identifier: Apache-2.0
// The file list above the composer while a person types a name after @. If the conversation works on a runner, the files are those of the
// runner's machine. The keyboard focus stays in the text, as with slash commands.

import { useSignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { mentionAt, withMention } from '../../drafts/mentions';
import { agentOf } from '../../store';
import { t } from '../../strings';
import { useApp } from '../context';
import { toBegin } from '../conversations/new_conversation';

const TYPING_MS = 80;

export interface MentionList {
  paths: readonly string[];
  why: string;
  at: number;
  id: string;
  key(event: KeyboardEvent): boolean;
  take(path: string): void;
}

interface Found {
  typed: string;
  paths: readonly string[];
  why?: string;
}

/** Files that fit the typed name, from the machine of the conversation. */
function useFiles(typed: string | undefined, chosen: Signal<number>): Signal<Found | undefined> {
  const app = useApp();
  const found = useSignal<Found | undefined>(undefined);
  useEffect(() => {
    if (typed === undefined) {
      found.value = undefined;
      return;
    }
    const begun = app.conversation.peek();
    const about = begun ?? toBegin(app.state.peek());
    const { folder = '', folders = [], agent } = about ?? {};
    const whose = begun ? { conversation: begun.id } : agent === undefined ? {} : { agent };
    const isElsewhere = begun ? begun.place !== undefined : agentOf(app.state.peek(), agent)?.place !== undefined;
    const excluded = app.host.editor?.excluded.peek() ?? [];
    let wanted = true;
    const timer = setTimeout(() => {
      app.ask(
        { type: 'files', folder, typed, folders, excluded, ...whose },
        ({ paths }) => {
          if (wanted) {
            chosen.value = 0;
            found.value = { typed, paths };
          }
        },
        (error) => {
          if (wanted && isElsewhere) found.value = { typed, paths: [], why: error.message };
        },
      ); // unreachable, not empty
    }, TYPING_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [typed]);
  return found;
}

/** `written`: the current text of the field, including the latest change. */
export function useMentions(
  area: RefObject<HTMLTextAreaElement | null>,
  written: string,
  write: (text: string) => void,
): MentionList {
  const app = useApp();
  const id = useId();
  const chosen = useSignal(0);
  const putAway = useSignal('');
  const here = mentionAt(written, area.current?.selectionStart ?? written.length);
  const typed = here && putAway.value !== written ? here.typed : undefined;
  const found = useFiles(typed, chosen);
  const { paths = [], why = '' } = typed !== undefined && found.value ? found.value : {};
  const at = Math.min(chosen.value, Math.max(paths.length - 1, 0));
  const take = (path: string) => {
    const now = withMention(area.current!.value, area.current!.selectionStart, path);
    app.mentions.add(path);
    found.value = undefined;
    write(now.text);
    area.current!.setSelectionRange(now.caret, now.caret);
    area.current!.focus({ preventScroll: true });
  };
  const key = (event: KeyboardEvent): boolean => {
    if (paths.length === 0 || event.isComposing) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      chosen.value = (at + (event.key === 'ArrowDown' ? 1 : paths.length - 1)) % paths.length;
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)) take(paths[at]!);
    else if (event.key === 'Escape') putAway.value = written;
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { paths, why, at, id, key, take };
}

export function MentionChoice({ list }: { list: MentionList }) {
  if (list.paths.length === 0)
    return list.why === '' ? null : (
      <p class="slash mentions note" role="status">
        {list.why}
      </p>
    );
  return (
    <ul class="slash mentions" role="listbox" id={list.id} aria-label={t.files}>
      {list.paths.map((path, i) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        return (
          <li
            key={path}
            id={`${list.id}-${i}`}
            role="option"
            aria-selected={i === list.at}
            onMouseDown={(e) => {
              e.preventDefault();
              list.take(path);
            }}
          >
            <span class="name">{name}</span> <span class="faint about">{path.slice(0, -name.length)}</span>
          </li>
        );
      })}
    </ul>
  );
}
