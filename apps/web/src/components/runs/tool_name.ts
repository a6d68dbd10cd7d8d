// SPDX-License-Identifier: Apache-2.0
import { t } from '../../strings';

/** `edit_file` as a person says it. */
export function toolName(name: string): string {
  const words = name
    .replace(/^mcp__/, '')
    .replace(/[_.]+/g, ' ')
    .trim();
  return t.tool(name) || words.charAt(0).toUpperCase() + words.slice(1);
}
