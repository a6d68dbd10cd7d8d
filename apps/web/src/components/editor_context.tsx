// SPDX-License-Identifier: Apache-2.0
// In an editor: shows the person's current file or selection, sent with the next message unless the person switches this off.

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
