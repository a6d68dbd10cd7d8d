// SPDX-License-Identifier: Apache-2.0
// In an editor: what the person looks at there, which goes along with the message unless it is switched off for it.

import { useApp } from './context';
import { t } from '../strings';

export function EditorContextChip() {
  const app = useApp();
  const context = app.host.editor?.context.value;
  if (!context?.activeFile) return null;
  const { selection } = context;
  const lines =
    selection &&
    (selection.lineStart === selection.lineEnd
      ? `${selection.lineStart}`
      : `${selection.lineStart}–${selection.lineEnd}`);
  const name = lines ? `${context.activeFile.name}:${lines}` : context.activeFile.name;
  const on = app.withContext.value;
  return (
    <button
      type="button"
      class={`chip context${on ? '' : ' off'}`}
      aria-pressed={on}
      title={t.context_hint(context.activeFile.path)}
      onClick={() => {
        app.withContext.value = !on;
      }}
    >
      {name}
    </button>
  );
}
