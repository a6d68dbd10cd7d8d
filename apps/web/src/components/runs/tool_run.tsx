// SPDX-License-Identifier: Apache-2.0
// Calls of one tool that only looked around, in one line that opens.

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { t } from '../../strings';
import type { ToolItem } from '../../transcript_items';
import { visibleLine } from '../../visible';
import { Icon } from '../icons';
import { isTold, ItemView, type Told } from '../item_view';
import { Visible } from '../visible';
import { toolName } from './tool_name';

export function ToolRun({ items, told }: { items: readonly ToolItem[]; told: Told }) {
  const open = useSignal(false);
  const quiet = useMemo(() => isTold(items.at(-1)!, told), []);
  const first = items[0]!;
  const name = toolName(first.tool);
  return (
    <div class={`item run${first.parent ? ' nested' : ''}`} aria-live={quiet ? 'off' : undefined}>
      <div class="card tool done" role="group" aria-label={t.run_of(name, items.length)}>
        <button
          type="button"
          class="top"
          aria-expanded={open.value}
          onClick={() => {
            open.value = !open.value;
          }}
        >
          <span class="name">{name}</span>
          <span class="sum">
            <Visible text={t.and_more(first.title, items.length - 1)} as={visibleLine} />
          </span>
          <span class="state done">
            <Icon name="check" size={14} />
            {t.tool_states.done}
          </span>
        </button>
      </div>
      {open.value && (
        <div class="opened">
          {items.map((item) => (
            <ItemView key={item.key} item={item} closes={false} told={told} />
          ))}
        </div>
      )}
    </div>
  );
}
