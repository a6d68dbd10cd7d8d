// SPDX-License-Identifier: Apache-2.0
// The careful answer of an ask, and the labels of its answers. Pure.

import type { Ask, AskOption } from '../../protocol';
import { t } from '../../strings';
import { visibleLine } from '../../visible';
import { toolName } from '../runs/tool_name';

export const refuses = (option: AskOption): boolean => option.kind.startsWith('reject') || option.kind === 'feedback';

/** The title in the language of the page, or as the agent wrote it. */
export const titleOf = (ask: Ask): string => visibleLine(t.title(ask.kind, ask.tool, ask.reason?.id) || ask.title);

/** The primary button and the key `y`: the allowing answer with the least freedom. Agents list the freest choice of a plan first. */
export function carefulOption(ask: Ask): AskOption | undefined {
  const allows = ask.options.filter((option) => !refuses(option) && !option.dangerous);
  const once = allows.filter((option) => option.kind === 'allow_once');
  const from = once.length > 0 ? once : allows;
  return from.find((option) => option.id === 'default') ?? from.at(ask.kind === 'plan' ? -1 : 0);
}

/** The allowing answers, the careful answer first; the others keep the order of the agent. */
export function carefulFirst(ask: Ask): AskOption[] {
  const careful = carefulOption(ask);
  const others = ask.options.filter((option) => !refuses(option) && option !== careful);
  return careful ? [careful, ...others] : others;
}

/** The standing permissions, in the order of the agent. */
export const standingOf = (ask: Ask): AskOption[] => ask.options.filter((option) => option.kind === 'allow_always');

/** Answers by key, on a focused card. No key chooses among several standing permissions. */
export function optionForKey(ask: Ask, key: string): AskOption | undefined {
  const careful = carefulOption(ask);
  if (key === 'y') return careful?.kind === 'allow_once' ? careful : undefined;
  if (key === 'a') return standingOf(ask).length === 1 ? standingOf(ask)[0] : undefined;
  return key === 'n' ? ask.options.find((option) => option.kind === 'reject_once') : undefined;
}

/** A label of the page for a known id or an only option of its kind, else the label of the agent. */
export function labelOf(ask: Ask, option: AskOption): string {
  const only = ask.options.filter((offered) => offered.kind === option.kind).length === 1;
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
