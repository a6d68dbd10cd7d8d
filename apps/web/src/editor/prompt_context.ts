// SPDX-License-Identifier: Apache-2.0
// What goes along with a prompt of what the person looks at in an editor.

import type { EditorContext } from './editor_wire';
import type { PromptContext } from '../protocol';

/** What is selected goes along, else the name of the file that is open. */
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
