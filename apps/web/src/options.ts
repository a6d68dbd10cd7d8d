// SPDX-License-Identifier: Apache-2.0
// The options of an agent besides mode, model and thinking. Pure.

import type { AgentOption } from './protocol';

/** The offered options, replaced by the conversation's options with the same ids; further options of the conversation follow. */
export function optionsInForce(
  offered: readonly AgentOption[] = [],
  chosen: readonly AgentOption[] = [],
): AgentOption[] {
  const here = offered.map((option) => chosen.find((other) => other.id === option.id) ?? option);
  return [...here, ...chosen.filter((option) => !offered.some((other) => other.id === option.id))];
}

/** The readable name of a value. */
export function valueName(options: readonly AgentOption[], id: string, value: string): string {
  return (
    options.find((agentOption) => agentOption.id === id)?.values.find((optionValue) => optionValue.value === value)
      ?.name ?? value
  );
}
