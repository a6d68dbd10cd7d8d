// SPDX-License-Identifier: Apache-2.0
// The careful answer of an ask, and the labels of its answers. Pure.

import type { Ask, AskOption } from '../../protocol';
import { t } from '../../strings';
import { toolName } from '../runs/tool_name';

export const refuses = (option: AskOption): boolean => option.kind.startsWith('reject') || option.kind === 'feedback';

/** The primary button and the key `y`: the allowing answer with the least freedom. Agents list the freest choice of a plan first. */
export function carefulOption(ask: Ask): AskOption | undefined {
  const allows = ask.options.filter((option) => !refuses(option) && !option.dangerous);
  const once = allows.filter((option) => option.kind === 'allow_once');
  const from = once.length > 0 ? once : allows;
  return from.find((option) => option.id === 'default') ?? from.at(ask.kind === 'plan' ? -1 : 0);
}

/** Answers by key, on a focused card. */
export function optionForKey(ask: Ask, key: string): AskOption | undefined {
  const careful = carefulOption(ask);
  if (key === 'y') return careful?.kind === 'allow_once' ? careful : undefined;
  const kind = key === 'a' ? 'allow_always' : key === 'n' ? 'reject_once' : '';
  return ask.options.find((option) => option.kind === kind);
}

/** A label of the page for a known id or an only option of its kind, else the label of the agent. */
export function labelOf(ask: Ask, option: AskOption): string {
  const only = ask.options.filter((one) => one.kind === option.kind).length === 1;
  const command = /`[^`]+`/.exec(option.label)?.[0];
  return (
    t.option(
      `${option.id}:${option.kind}`,
      only ? option.kind : '',
      command ?? `“${toolName(ask.tool ?? '')}”`,
      command !== undefined,
    ) || option.label
  );
}
