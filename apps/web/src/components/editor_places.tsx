// SPDX-License-Identifier: Apache-2.0
// In an editor: the files of a tool's call, each a way to open it where it was read or changed. Of a runner's machine they are named, not opened:
// the editor would open what it has itself at that path.

import { joinFolder } from '../format';
import type { Diff, Location } from '../protocol';
import { t } from '../strings';
import { useApp } from './context';

const SHOWN = 6;

export function EditorPlaces({ locations, diffs }: { locations: readonly Location[]; diffs: readonly Diff[] }) {
  const app = useApp();
  const { editor } = app.host;
  if (!editor) return null;
  const { folder = '', place } = app.conversation.value ?? {};
  const places = new Map<string, number>();
  for (const { path, line } of [...locations, ...diffs.filter((diff) => diff.after !== undefined)] as Location[])
    if (!places.has(path)) places.set(path, line ?? 1);
  if (places.size === 0) return null;
  const name = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  if (place !== undefined)
    return <p class="places faint">{t.files_on(place, [...places.keys()].slice(0, SHOWN).map(name).join(', '))}</p>;
  return (
    <p class="places">
      {[...places].slice(0, SHOWN).map(([path, line]) => (
        <button
          key={path}
          type="button"
          class="quiet small"
          title={t.open_in_editor}
          onClick={() => editor.open(joinFolder(folder, path), line)}
        >
          {name(path)}
          {line > 1 ? `:${line}` : ''}
        </button>
      ))}
    </p>
  );
}
