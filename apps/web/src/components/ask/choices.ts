// Which of the offered answers is the careful one, and how the page labels each. Pure.

import type { Ask, AskOption } from '../../protocol';
import { t } from '../../strings';
import { tool_name } from '../runs/tool_name';

export const refuses = (option: AskOption): boolean => option.kind.startsWith('reject') || option.kind === 'feedback';

/** The primary button, and the key `y`: of what allows, the answer after which the agent asks most. Agents list the freest choice of a plan first. */
export function careful_option(ask: Ask): AskOption | undefined {
  const allows = ask.options.filter((option) => !refuses(option) && !option.dangerous);
  const once = allows.filter((option) => option.kind === 'allow_once');
  const from = once.length > 0 ? once : allows;
  return from.find((option) => option.id === 'default') ?? from.at(ask.kind === 'plan' ? -1 : 0);
}

/** What the keys of a focused card choose. */
export function option_for_key(ask: Ask, key: string): AskOption | undefined {
  const careful = careful_option(ask);
  if (key === 'y') return careful?.kind === 'allow_once' ? careful : undefined;
  const kind = key === 'a' ? 'allow_always' : key === 'n' ? 'reject_once' : '';
  return ask.options.find((option) => option.kind === kind);
}

/** In the language of the page where the option is known by its id or is the only one of its kind; else in the agent's own words. */
export function label_of(ask: Ask, option: AskOption): string {
  const only = ask.options.filter((one) => one.kind === option.kind).length === 1;
  const command = /`[^`]+`/.exec(option.label)?.[0];
  return t.option(`${option.id}:${option.kind}`, only ? option.kind : '', command ?? `“${tool_name(ask.tool ?? '')}”`, command !== undefined) || option.label;
}
