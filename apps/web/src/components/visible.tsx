// SPDX-License-Identifier: Apache-2.0
// Text of agents and tools in which hidden characters stand out.

import type { VNode } from 'preact';
import { visible } from '../visible';

const MARK = /(⟨U\+[\dA-F]{4,5}⟩|[␀-␡])/;

/** `as`: which characters are marked, and how lines are shown. */
export function Visible({ text, as = visible }: { text: string; as?: (text: string) => string }): VNode {
  return (
    <>
      {as(text)
        .split(MARK)
        .map((part, i) =>
          i % 2 ? (
            <b key={i} class="ctl">
              {part}
            </b>
          ) : (
            part
          ),
        )}
    </>
  );
}
