// SPDX-License-Identifier: Apache-2.0
// Changes that wait for a person in a conversation, shown as diffs in the editor as well. The card and the diff are one question: whichever
// is answered first counts, and the other goes. Closing a diff's tab answers nothing: the card is still there.

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
  /** Whether a folder is one of this window's. */
  ours(folder: string): boolean;
  failed(why: unknown): void;
}

export function optionFor(ask: Ask, outcome: Outcome): AskOption | undefined {
  if (outcome.outcome === 'accepted') return ask.options.find((one) => one.kind === 'allow_once');
  return outcome.reason === 'button' ? ask.options.find((one) => one.kind === 'reject_once') : undefined;
}

export class AskDiffs {
  private readonly shown = new Map<string, Shown | undefined>(); // undefined: it is being opened

  constructor(private readonly hooks: AskDiffHooks) {}

  /** `byItself`: diffs open without being asked for. */
  follow(inbox: Inbox, byItself: boolean): void {
    const waiting = new Map(inbox.waiting.map((ask) => [ask.id, ask]));
    for (const [id, one] of [...this.shown]) {
      if (waiting.has(id)) continue;
      this.shown.delete(id);
      void one?.withdraw();
    }
    for (const ask of waiting.values()) {
      const { folder, place } = inbox.conversations.get(ask.conversation) ?? {};
      if (place !== undefined) continue; // a file of a runner's machine: this window has another one at that path, or none
      if (byItself && ask.diff && folder !== undefined && !this.shown.has(ask.id) && this.hooks.ours(folder))
        void this.open(ask, folder);
    }
  }

  /** A person wants to see it, also once more. */
  async open(ask: Ask, folder: string): Promise<void> {
    if (!ask.diff || this.shown.get(ask.id)) return;
    this.shown.set(ask.id, undefined);
    try {
      const path = isAbsolute(ask.diff.path) ? ask.diff.path : join(folder, ask.diff.path);
      const one = await this.hooks.show({
        path,
        newContent: ask.diff.after ?? '',
        title: '',
        fixed: ask.editable !== 'diff',
      });
      if (!this.shown.has(ask.id)) {
        await one.withdraw();
        return;
      } // answered elsewhere meanwhile
      this.shown.set(ask.id, one);
      void one.settled.then((outcome) => this.settled(ask, outcome));
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
