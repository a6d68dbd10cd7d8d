// SPDX-License-Identifier: Apache-2.0
// The editor context of a prompt.

import type { EditorContext } from './editor_wire';
import type { PromptContext } from '../protocol';

/** The selection, or without a selection the name of the open file. */
export function promptContext({ activeFile, selection }: EditorContext): PromptContext[] {
  if (selection)
    return [
      {
        path: selection.filePath,
        range: { first: selection.lineStart, last: selection.lineEnd },
        text: selection.text,
      },
    ];
  return activeFile ? [{ path: activeFile.path }] : [];
}
