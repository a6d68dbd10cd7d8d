// SPDX-License-Identifier: Apache-2.0
// The person's view in the editor, as sent to agents and the page. Lines count from 1, as people count.

import { basename } from 'node:path';
import type { EditorContext } from '../../web/src/editor/editor_wire';
import type { SelectionView } from './bridge/editor';

export const SELECTION_MOST = 5000; // units of text: enough to be asked about, little enough to go along each time

export type IdeContext = EditorContext;

/** Half of a pair of surrogates is no text. */
function cut(text: string): string {
  const last = text.charCodeAt(SELECTION_MOST - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? SELECTION_MOST - 1 : SELECTION_MOST);
}

export function contextOf(view: SelectionView | undefined): IdeContext {
  if (!view) return { activeFile: null, selection: null };
  const name = basename(view.path);
  const selection =
    view.text === ''
      ? null
      : {
          filePath: view.path,
          fileName: name,
          text: cut(view.text),
          lineStart: view.start.line + 1,
          lineEnd: lastLine(view),
        };
  return { activeFile: { path: view.path, name }, selection };
}

/** A selection that ends before the first character of a line excludes this line. */
function lastLine({ start, end }: SelectionView): number {
  return (end.character === 0 && end.line > start.line ? end.line - 1 : end.line) + 1;
}
