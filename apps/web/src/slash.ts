// SPDX-License-Identifier: Apache-2.0
// Slash commands of an agent, for completion in the composer. Pure.

import type { SlashCommand } from './protocol';

const MOST = 8; // shown at once

/** The commands that match the typed text: prefixes first, then other matches. None after a space. */
export function matching(commands: readonly SlashCommand[], text: string): SlashCommand[] {
  if (!text.startsWith('/') || /\s/.test(text)) return [];
  const wanted = text.slice(1).toLowerCase();
  const begin = commands.filter((command) => command.name.toLowerCase().startsWith(wanted));
  const hold = commands.filter((command) => !begin.includes(command) && command.name.toLowerCase().includes(wanted));
  const all = [...begin, ...hold].slice(0, MOST);
  return all.length === 1 && all[0]!.name === text.slice(1) ? [] : all;
}

/** The text of the composer after a person chose a command. */
export function taken(command: SlashCommand): string {
  return `/${command.name} `;
}
