// SPDX-License-Identifier: Apache-2.0
// Slash commands of an agent, as the composer completes them. Pure.

import type { SlashCommand } from './protocol';

const MOST = 8; // shown at once

/** Those that what is written so far may become: those that begin so first, then those that hold it. None once words follow. */
export function matching(commands: readonly SlashCommand[], text: string): SlashCommand[] {
  if (!text.startsWith('/') || /\s/.test(text)) return [];
  const wanted = text.slice(1).toLowerCase();
  const begin = commands.filter((one) => one.name.toLowerCase().startsWith(wanted));
  const hold = commands.filter((one) => !begin.includes(one) && one.name.toLowerCase().includes(wanted));
  const all = [...begin, ...hold].slice(0, MOST);
  return all.length === 1 && all[0]!.name === text.slice(1) ? [] : all;
}

/** What stands in the composer when one was taken. */
export function taken(command: SlashCommand): string {
  return `/${command.name} `;
}
