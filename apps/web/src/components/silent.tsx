// SPDX-License-Identifier: Apache-2.0
// A call of which nothing is heard for long says on what it waits, and since when. Counts seconds by itself; nothing around it is drawn again.

import { duration } from '../format';
import { t } from '../strings';
import type { ToolItem } from '../transcript_items';
import { useApp, useSelect } from './context';

const LONG_MS = 10_000; // what takes less needs no word

/** Who is to be heard of: a server of MCP by its name, a command, or the tool. */
function awaited(tool: string): string {
  const server = /^mcp__(.+?)__/.exec(tool)?.[1];
  if (server) return t.silent_server(server);
  return /^(run_command|bash|shell|execute|terminal)/i.test(tool) ? t.silent_command : t.silent_tool;
}

export function Silent({ item }: { item: ToolItem }) {
  const app = useApp();
  const text = useSelect(() => {
    const heard = Date.parse(item.heard ?? '');
    const ms = app.now.value - heard;
    if (item.state !== 'running' || !(ms >= LONG_MS)) return '';
    return t.silent_since(
      awaited(item.tool),
      duration(ms),
      new Date(heard).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' }),
    );
  }, [item, item.state, item.heard]);
  return text ? (
    <p class="ending working silent" aria-live="off">
      {text}
    </p>
  ) : null;
}
