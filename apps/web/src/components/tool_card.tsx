// SPDX-License-Identifier: Apache-2.0
// A call of a tool: its name, target, state and output.

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { head, plain } from '../ansi';
import { bytes } from '../format';
import { Part } from '../part';
import type { Ask, ToolContent } from '../protocol';
import { LOOKS } from './runs/runs';
import { toolName } from './runs/tool_name';
import { t } from '../strings';
import { visible, visibleLine, visibleProse } from '../visible';
import { diffsOf, type ToolItem, type ToolState } from '../transcript_items';
import { useApp } from './context';
import { DiffBox, DiffCounts } from './diff/diff_box';
import { Icon } from './icons';
import { Markdown } from './message';
import { SentFiles } from './sent_files';
import { Silent } from './silent';
import { Visible } from './visible';
import { WhenHere } from './when_here';
import { verdict } from './ask/verdict';

const places = new Part(() => import('./editor_places')); // in an editor alone
const OUTPUT_LINES = 40;
const OUTPUT_CHARS = 512 * 1024; // of more, the end is shown: a page is no place for a gigabyte of log
const ICONS: Record<ToolState, 'pause' | 'half' | 'check' | 'cross' | 'ring'> = {
  pending: 'pause',
  running: 'half',
  done: 'check',
  failed: 'cross',
  rejected: 'cross',
  cancelled: 'ring',
};

export function ToolCard({ item, ask }: { item: ToolItem; ask: Ask | undefined }) {
  const { editor } = useApp().host;
  const told = useMemo(() => diffsOf(item), [item.content]);
  const diffs = told.length > 0 ? told : item.state !== 'done' && ask?.diff ? [ask.diff] : [];
  const spoken = ask && ask.kind !== 'permission'; // a question or a plan: the verdict is the result, the output is for the model
  const quiet = item.state === 'done' && item.output !== '' && LOOKS.test(item.tool);
  const seen = item.state === 'done' && ask?.state === 'answered'; // the person who allowed the change has read the change
  const name = spoken ? t.ask_title[ask.kind] : toolName(item.tool);
  return (
    <div class={`card tool ${item.state}`} role="group" aria-label={`${name}: ${visibleLine(item.title)}`}>
      <details open={false}>
        <summary class="top">
          <span class="name">{name}</span>
          <span class={`sum${spoken ? ' plain' : ''}`} title={visibleLine(item.title)}>
            <Visible text={item.title} as={visibleLine} />
          </span>
          {diffs.map((diff, i) => (
            <DiffCounts key={i} diff={diff} />
          ))}
          <span class={`state ${item.state}`}>
            <Icon name={ICONS[item.state]} size={14} />
            {t.tool_states[item.state]}
          </span>
        </summary>
        {ask?.plan !== undefined && (
          <div class="body">
            <Markdown text={visibleProse(ask.plan)} settled />
          </div>
        )}
        {ask?.plan === undefined && item.input !== undefined && item.input !== null && (
          <Input input={item.input} hidden={diffs.length > 0} />
        )}
        {quiet && <Output text={item.output} />}
        {seen && diffs.map((diff, i) => <DiffBox key={i} diff={diff} limit={OUTPUT_LINES} />)}
      </details>
      {ask && ask.state !== 'open' && <p class="verdict">{verdict(ask)}</p>}
      {!seen && diffs.map((diff, i) => <DiffBox key={i} diff={diff} limit={OUTPUT_LINES} />)}
      <Shown content={item.content} />
      {editor && (
        <WhenHere
          part={places}
          draw={({ EditorPlaces }) => <EditorPlaces locations={item.locations} diffs={diffs} />}
          meanwhile={<></>}
        />
      )}
      {item.output !== '' && !quiet && !(spoken && ask.state === 'answered') && <Output text={item.output} />}
      <Silent item={item} />
    </div>
  );
}

/** The content of a call except changed files. */
function Shown({ content }: { content: readonly ToolContent[] }) {
  return (
    <>
      {content.map((part, i) => {
        switch (part.type) {
          case 'text':
            return <Output key={i} text={part.text} />;
          case 'terminal':
            return (
              <p key={i} class="note">
                {t.terminal(part.terminal)}
              </p>
            );
          case 'picture':
            return <SentFiles key={i} files={[part.attachment]} />;
          case 'diff':
            return null;
        }
      })}
    </>
  );
}

function Input({ input, hidden }: { input: unknown; hidden: boolean }) {
  const text = useMemo(() => visible(typeof input === 'string' ? input : JSON.stringify(input, null, 2)), [input]);
  if (hidden) return <pre class="input">{text.length > 4000 ? text.slice(0, 4000) + '…' : text}</pre>;
  return <pre class="input">{text}</pre>;
}

function Output({ text }: { text: string }) {
  const all = useSignal(false);
  const shown = useMemo(() => {
    const kept = text.length > OUTPUT_CHARS ? text.slice(text.length - OUTPUT_CHARS) : text;
    return head(plain(kept).replace(/<\/?tool_use_error>/g, ''), all.value ? Infinity : OUTPUT_LINES);
  }, [text, all.value]);
  if (shown.lines === 0) return null;
  return (
    <div class="output">
      {text.length > OUTPUT_CHARS && <p class="note">{t.cut_off(bytes(text.length))}</p>}
      <pre aria-label={t.tool_output} tabIndex={0} aria-live="off">
        {shown.shown}
      </pre>
      {shown.lines > OUTPUT_LINES && (
        <button
          type="button"
          class="quiet small"
          aria-expanded={all.value}
          onClick={() => {
            all.value = !all.value;
          }}
        >
          {all.value ? t.show_less : t.show_all(shown.lines)}
        </button>
      )}
    </div>
  );
}
