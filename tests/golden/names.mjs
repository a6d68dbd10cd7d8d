// SPDX-License-Identifier: Apache-2.0
// Names for values of frames with differences between runs.

/** Pieces of frames with differences between runs: kind and pattern. A kind of null is the first group of the pattern. */
const varying = [
  ['uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g],
  ['digest', /\b[0-9a-f]{64}\b/g],
  [null, /\b([a-z]+)_0[0-9a-z]{19}\b/g],
  ['msg', /\bmsg-\d+\b/g],
];

/** Members with times and measured numbers. */
const unsteadyMembers = /"(time|at|created|modified|timestamp|ts|uptime_s|now)":("[^"]*"|\d+)/g;
const unsteadyNumbers =
  /"(duration_ms|duration_api_ms|ttft_ms|elapsed_ms|took_ms|pid|port|rss|dev|ino|mtime|serverPort|score|\w*[tT]okens|\w+_tokens)":\d+(\.\d+)?/g;

/** Gives values names, and finds the value of a name. */
export class Names {
  #names = new Map();
  #values = new Map();
  #counts = new Map();
  #fixed;

  constructor(fixed) {
    this.#fixed = fixed; // [[value, name]], the longest value first
  }

  hide(text) {
    for (const [value, name] of this.#fixed) text = text.replaceAll(value, name);
    text = text
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '{time}')
      .replace(/\d+ tokens in, \d+ out/g, '{number} tokens in, {number} out')
      .replace(unsteadyMembers, '"$1":"{time}"')
      .replace(unsteadyNumbers, '"$1":"{number}"');
    for (const [kind, pattern] of varying)
      text = text.replace(pattern, (value, group) => this.#name(kind ?? group, value));
    return text;
  }

  show(text) {
    for (const [value, name] of this.#fixed) text = text.replaceAll(name, value);
    return text.replace(/\{[a-z]+-\d+\}/g, (name) => this.#values.get(name) ?? name);
  }

  #name(kind, value) {
    if (!this.#names.has(value)) {
      const count = (this.#counts.get(kind) ?? 0) + 1;
      this.#counts.set(kind, count);
      this.#names.set(value, `{${kind}-${count}}`);
      this.#values.set(`{${kind}-${count}}`, value);
    }
    return this.#names.get(value);
  }
}

/** Page and webviews receive simultaneous changes in one frame, so the grouping differs between runs. Each event of a delta has its own line.
    States of conversations and asks repeat the events and are omitted. */
export function withoutGrouping(frame) {
  const message = JSON.parse(frame);
  if (message.type === 'stateUpdated' && message.state.conversations.length) return [];
  if (message.type === 'snapshot') {
    // Services and agents may still start, so their state differs between runs.
    return [JSON.stringify({ ...message, services: undefined, agents: message.agents.map(({ id }) => ({ id })) })];
  }
  if (message.type !== 'delta') return [frame];
  const events = message.ops.filter(({ op }) => op === 'events');
  return events.flatMap((op) =>
    op.events.map((event) => JSON.stringify({ op: 'event', conversation: op.conversation, event })),
  );
}
