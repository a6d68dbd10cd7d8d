// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import type { App } from '../../app';
import { useApp } from '../context';
import { SaidBefore } from './said_before';

const saidIn = (app: App): string[] =>
  (app.transcript.peek()?.items ?? []).flatMap((item) => (item.kind === 'user' && item.text ? [item.text] : []));

/** True for an arrow that brought back what was said before in this conversation. */
export function useSaidBefore(conversation: string): (event: KeyboardEvent, written: string) => boolean {
  const app = useApp();
  const before = useMemo(() => new SaidBefore(), [conversation]);
  return (event, written) => {
    const earlier = event.isComposing ? undefined : before.step(event.key, written, saidIn(app));
    if (earlier === undefined) return false;
    event.preventDefault();
    app.drafts.set(conversation, earlier);
    app.drafts.changed.value++;
    return true;
  };
}
