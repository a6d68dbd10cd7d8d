// SPDX-License-Identifier: Apache-2.0
// A person's work: prompts at one page, answers at another, the next prompt. Each prompt has a unique text.
import { pause, until } from '../../scripts/cluster/child.mjs';
import { answerTo, openAsks } from './cluster.mjs';

const longestTurnMs = 60_000;
const answeredAgainMs = 3000; // a lost answer is given again

const any = (list) => list[Math.floor(Math.random() * list.length)];
let people = 0;

/** In a conversation, at any of its following pages. `calls`: a file for the names of prompts, appended by commands. */
export class Person {
  constructor(id, watchers, calls) {
    Object.assign(this, { id, watchers, calls, number: ++people, said: 0, prompts: [], longestMs: 0 });
  }
  async work(enough) {
    while (!enough()) {
      const name = `c${this.number}-${++this.said}`;
      const command = `run echo ${name} >> ${this.calls}`;
      await this.say(any([command, command, `slow 25 20 ${name}`, `say ${name} to me`, `ask ${name}`]));
    }
  }
  async say(text) {
    const page = any(this.watchers);
    const began = Date.now();
    const said = { text, outcome: 'done' };
    this.prompts.push(said);
    await page.request('prompt', { conversation: this.id, text }).catch((error) => {
      said.outcome = error.code;
      said.why = error.message;
    });
    if (said.outcome === 'done') await this.untilOver(text);
    else await pause(200);
    this.longestMs = Math.max(this.longestMs, Date.now() - began);
  }
  /** The prompt's own turn has ended, possibly at another page than the prompt's. */
  async untilOver(text) {
    const page = any(this.watchers);
    const connections = page.reconnects;
    await until(
      () => {
        const events = page.events(this.id);
        const at = events.findLastIndex((event) => event.kind === 'user_message' && event.text === text);
        if (at >= 0 && events.slice(at).some((event) => event.kind === 'turn_end')) return true;
        this.answer(page);
        // Acknowledged, and lost with its database.
        if (this.mayLose && at < 0 && page.reconnects > connections && page.ready)
          return page.conversations.get(this.id)?.state === 'idle';
        return false;
      },
      `the end of the turn of "${text}" in ${this.id}`,
      longestTurnMs,
    );
  }
  /** Sometimes at two pages at once: a single answer counts. */
  answer(page) {
    const { state, queued } = page.conversations.get(this.id) ?? {};
    if (state === 'idle' && queued.length > 0) page.request('go_on', { conversation: this.id }).catch(() => {}); // held back after a death
    for (const ask of openAsks(page, this.id)) {
      if (this.answered === ask.id && Date.now() < this.again) continue;
      this.answered = ask.id;
      this.again = Date.now() + answeredAgainMs;
      const said =
        ask.kind === 'question'
          ? { ask: ask.id, digest: ask.digest, answers: ask.questions.map((one) => [one.options[0].label]) }
          : answerTo(ask, 'allow_once');
      for (const one of [page, any(this.watchers)]) one.request('answer', said).catch(() => {});
    }
  }
}
