// SPDX-License-Identifier: Apache-2.0
// Shows waiting changes of a conversation as diffs in the editor. The card and the diff are a single question: the first answer counts, and
// the other view closes. Closing a diff's tab is not an answer: the card remains.

import { isAbsolute, join } from 'node:path';
import type { Ask, AskOption } from '../../../web/src/protocol';
import type { Outcome, Proposal } from '../bridge/editor';
import type { Inbox } from '../gateway/inbox';

interface Shown {
  settled: Promise<Outcome>;
  withdraw(): Promise<void>;
}
export interface AskDiffHooks {
  show(proposal: Proposal): Promise<Shown>;
  answer(ask: Ask, option: AskOption, edited: string | undefined): void;
  /** Whether a folder belongs to this window. */
  ours(folder: string): boolean;
  failed(why: unknown): void;
}

export function optionFor(ask: Ask, outcome: Outcome): AskOption | undefined {
  if (outcome.outcome === 'accepted') return ask.options.find((option) => option.kind === 'allow_once');
  return outcome.reason === 'button' ? ask.options.find((option) => option.kind === 'reject_once') : undefined;
}

export class AskDiffs {
  private readonly shown = new Map<string, Shown | undefined>(); // undefined: the diff is opening

  constructor(private readonly hooks: AskDiffHooks) {}

  /** `byItself`: diffs open without being asked for. */
  follow(inbox: Inbox, byItself: boolean): void {
    const waiting = new Map(inbox.waiting.map((ask) => [ask.id, ask]));
    for (const [id, shown] of [...this.shown]) {
      if (waiting.has(id)) continue;
      this.shown.delete(id);
      void shown?.withdraw();
    }
    for (const ask of waiting.values()) {
      const { folder, place } = inbox.conversations.get(ask.conversation) ?? {};
      if (place !== undefined) continue; // a file of a runner's machine: the same path here is another file, or missing
      if (byItself && ask.diff && folder !== undefined && !this.shown.has(ask.id) && this.hooks.ours(folder))
        void this.open(ask, folder);
    }
  }

  /** A person wants to see the diff, possibly again. */
  async open(ask: Ask, folder: string): Promise<void> {
    if (!ask.diff || this.shown.get(ask.id)) return;
    this.shown.set(ask.id, undefined);
    try {
      const path = isAbsolute(ask.diff.path) ? ask.diff.path : join(folder, ask.diff.path);
      const diff = await this.hooks.show({
        path,
        newContent: ask.diff.after ?? '',
        title: '',
        fixed: ask.editable !== 'diff',
      });
      if (!this.shown.has(ask.id)) {
        await diff.withdraw();
        return;
      } // answered elsewhere meanwhile
      this.shown.set(ask.id, diff);
      void diff.settled.then((outcome) => this.settled(ask, outcome));
    } catch (error) {
      this.hooks.failed(error);
    }
  }

  private settled(ask: Ask, outcome: Outcome): void {
    if (!this.shown.has(ask.id)) return;
    const option = optionFor(ask, outcome);
    if (!option) {
      this.shown.set(ask.id, undefined);
      return;
    }
    this.shown.delete(ask.id);
    const edited = outcome.outcome === 'accepted' && outcome.edited ? outcome.finalContent : undefined;
    this.hooks.answer(ask, option, edited);
  }
}
