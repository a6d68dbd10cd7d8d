// A conversation as a file that a person keeps: Markdown to read, JSON with every event.

import type { Conversation, Event, RequestValues } from './protocol';
import type { Ask } from './requests';
import { t } from './strings';

const PART = 2000;                    // events asked for at once

/** The oldest first. */
export async function all_events(ask: Ask, conversation: Conversation): Promise<Event[]> {
  const parts: Event[][] = [];
  for (let before = conversation.last_seq + 1; before > 1;) {
    const part = await new Promise<RequestValues['older']>((done, failed) => { ask({ type: 'older', conversation: conversation.id, before, limit: PART }, done, failed); });
    if (part.events.length === 0) break;
    parts.unshift(part.events);
    before = part.first_seq;
  }
  return parts.flat();
}

export function as_json(conversation: Conversation, events: readonly Event[]): string {
  return JSON.stringify({ conversation, events }, null, 2) + '\n';
}

export function as_markdown(conversation: Conversation, events: readonly Event[]): string {
  const out: string[] = [`# ${conversation.title || t.untitled}`, `${conversation.agent} · ${conversation.folder} · ${conversation.created_at}`];
  let open = '';                      // the text that is being put together
  const close = () => { if (open.trim()) out.push(open.trim()); open = ''; };
  for (const event of events) {
    if (event.kind === 'text') { open += event.text; continue; }
    close();
    const said = paragraph(event);
    if (said) out.push(said);
  }
  close();
  return out.join('\n\n') + '\n';
}

function paragraph(event: Event): string {
  switch (event.kind) {
    case 'user_message': return `## ${t.you}\n\n${event.text}${(event.attachments ?? []).map((file) => `\n\n*${file.name || t.unnamed_file}*`).join('')}`;
    case 'turn_start': return '';
    case 'tool_start': return `- **${event.tool}** ${in_code(event.title)}`;
    case 'plan': return event.entries.map((entry) => `- [${entry.status === 'completed' ? 'x' : ' '}] ${entry.content}`).join('\n');
    case 'error': return `> ${t.error}: ${event.message}`;
    case 'cleared': return `*${t.cleared}*`;
    default: return '';
  }
}

/** A fence that what is in it cannot close. */
function in_code(text: string): string {
  if (!text) return '';
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** A name that every file system takes. */
export function file_name(conversation: Conversation, ending: string): string {
  const name = (conversation.title || conversation.id).replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60) || conversation.id;
  return `${name}.${ending}`;
}
