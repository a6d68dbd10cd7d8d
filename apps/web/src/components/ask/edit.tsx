// SPDX-License-Identifier: Apache-2.0
// The person's version of a proposal: on the card, or in the editor.

import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { givenBack } from '../../drafts/given_back';
import type { Ask, AskOption } from '../../protocol';
import { t } from '../../strings';
import { useApp } from '../context';
import { once } from './toolbar';

/** The editable text of the proposal. */
function proposed(ask: Ask): string {
  return (ask.editable === 'diff' ? ask.diff?.after : ask.detail) ?? '';
}

/** An approval includes the person's changes; an unchanged text adds nothing. */
export function withEdit(ask: Ask, option: AskOption, draft: string | undefined): { option: string; edited?: string } {
  const allows = option.kind === 'allow_once' || option.kind === 'allow_always';
  if (!allows || draft === undefined) return { option: option.id };
  const edited = givenBack(proposed(ask), draft);
  return { option: option.id, ...(edited !== proposed(ask) && { edited }) };
}

export function Edit({ ask, draft, sent }: { ask: Ask; draft: Signal<string | undefined>; sent: boolean }) {
  const {
    host: { editor },
    state,
  } = useApp();
  const area = useRef<HTMLTextAreaElement>(null);
  const open = draft.value !== undefined;
  useEffect(() => {
    if (open) area.current?.focus({ preventScroll: true });
  }, [open]);
  // The editor has no file of a runner's machine.
  const inEditor = editor?.diffs.value && ask.diff && state.value.conversations[ask.conversation]?.place === undefined;
  if (!ask.editable && !inEditor) return null;
  return (
    <div class="edit">
      {open && ask.editable && (
        <textarea
          ref={area}
          class="code"
          rows={Math.min(18, Math.max(3, draft.value!.split('\n').length))}
          spellcheck={false}
          aria-label={t.edited_text[ask.editable]}
          readOnly={sent}
          value={draft.value}
          onInput={(e) => {
            draft.value = e.currentTarget.value;
          }}
        />
      )}
      {ask.editable && (
        <button
          type="button"
          class="quiet small"
          aria-expanded={open}
          aria-disabled={sent}
          onClick={(e) => {
            if (once(e) && !sent) draft.value = open ? undefined : proposed(ask);
          }}
        >
          {open ? t.edit_back : ask.editable === 'diff' ? t.edit_first : t.edit_first_command}
        </button>
      )}
      {inEditor && (
        <button
          type="button"
          class="quiet small"
          aria-disabled={sent}
          onClick={(e) => {
            if (once(e)) editor.diff(ask.id);
          }}
        >
          {t.open_in_editor}
        </button>
      )}
    </div>
  );
}
