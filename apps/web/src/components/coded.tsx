// Sentences of the host with `code` in them: labels of options and permissions. Nothing else of markdown is read.

import type { VNode } from 'preact';

export function Coded({ text }: { text: string }): VNode {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return <>{text}</>;  // one backtick is open: it means itself
  return <>{parts.map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))}</>;
}
