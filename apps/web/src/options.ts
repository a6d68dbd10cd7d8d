// SPDX-License-Identifier: Apache-2.0
// The options of an agent besides mode, model and thinking. Pure.

import type { AgentOption } from './protocol';

/** The offered options, replaced by the conversation's options with the same ids; further options of the conversation follow. */
export function optionsInForce(
  offered: readonly AgentOption[] = [],
  chosen: readonly AgentOption[] = [],
): AgentOption[] {
  const here = offered.map((one) => chosen.find((other) => other.id === one.id) ?? one);
  return [...here, ...chosen.filter((one) => !offered.some((other) => other.id === one.id))];
}

/** The readable name of a value. */
export function valueName(options: readonly AgentOption[], id: string, value: string): string {
  return options.find((one) => one.id === id)?.values.find((one) => one.value === value)?.name ?? value;
}
