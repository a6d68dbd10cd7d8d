// SPDX-License-Identifier: Apache-2.0
// Sentences of the host with `code` in them: labels of options and permissions. Nothing else of markdown is read.

import type { VNode } from 'preact';
import { visibleProse } from '../visible';
import { Visible } from './visible';

export function Coded({ text }: { text: string }): VNode {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return <Visible text={text} as={visibleProse} />; // one backtick is open: it means itself
  return (
    <>
      {parts.map((part, i) =>
        i % 2 ? (
          <code key={i}>
            <Visible text={part} />
          </code>
        ) : (
          <Visible key={i} text={part} as={visibleProse} />
        ),
      )}
    </>
  );
}
