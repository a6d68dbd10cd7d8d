// SPDX-License-Identifier: Apache-2.0
// What can be chosen of an agent beside mode, model and thinking. Pure.

import type { AgentOption } from './protocol';

/** What is offered, with what is chosen in the place of the same ids; what only the conversation's agent knows comes behind. */
export function optionsInForce(
  offered: readonly AgentOption[] = [],
  chosen: readonly AgentOption[] = [],
): AgentOption[] {
  const here = offered.map((one) => chosen.find((other) => other.id === one.id) ?? one);
  return [...here, ...chosen.filter((one) => !offered.some((other) => other.id === one.id))];
}

/** The value as a person reads it. */
export function valueName(options: readonly AgentOption[], id: string, value: string): string {
  return options.find((one) => one.id === id)?.values.find((one) => one.value === value)?.name ?? value;
}
