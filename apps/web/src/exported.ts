// SPDX-License-Identifier: Apache-2.0
// A conversation as a file: Markdown for reading, JSON with every event. The file contains the attachments too.

import { base64, isPicture } from './attachments';
import type { AttachmentInfo, Conversation, Event, RequestValues } from './protocol';
import type { Ask } from './requests';
import { t } from './strings';

const PART = 2000; // events asked for at once

/** The oldest first. */
export async function allEvents(ask: Ask, conversation: Conversation): Promise<Event[]> {
  const parts: Event[][] = [];
  for (let before = conversation.last_seq + 1; before > 1;) {
    const part = await new Promise<RequestValues['older']>((done, failed) => {
      ask({ type: 'older', conversation: conversation.id, before, limit: PART }, done, failed);
    });
    if (part.events.length === 0) break;
    parts.unshift(part.events);
    before = part.first_seq;
  }
  return parts.flat();
}

/** In base64, by id. Unavailable files are absent. */
export type Files = ReadonlyMap<string, string>;

function attachedTo(event: Event): AttachmentInfo[] {
  const all =
    event.kind === 'user_message'
      ? (event.attachments ?? [])
      : event.kind === 'tool_update'
        ? (event.content ?? []).flatMap((content) => ('attachment' in content ? [content.attachment] : []))
        : [];
  return all.filter((attachment) => attachment.url === undefined);
}

/** The bytes of all attachments, fetched one by one: a conversation may have many. */
export async function filesOf(events: readonly Event[], fetch: (id: string) => Promise<Blob>): Promise<Files> {
  const files = new Map<string, string>();
  for (const { id } of events.flatMap(attachedTo)) {
    if (files.has(id)) continue;
    const data = await fetch(id).then(base64, () => undefined);
    if (data !== undefined) files.set(id, data);
  }
  return files;
}

export function asJson(conversation: Conversation, events: readonly Event[], files: Files): string {
  const attachments = [
    ...new Map(
      events
        .flatMap(attachedTo)
        .map((attachment) => [attachment.id, { ...attachment, data: files.get(attachment.id) ?? null }]),
    ).values(),
  ];
  return JSON.stringify({ conversation, events, ...(attachments.length > 0 && { attachments }) }, null, 2) + '\n';
}

export function asMarkdown(conversation: Conversation, events: readonly Event[], files: Files): string {
  const out: string[] = [
    `# ${conversation.title || t.untitled}`,
    `${conversation.agent} · ${conversation.folder} · ${conversation.created_at}`,
  ];
  let open = ''; // the text under construction
  const close = () => {
    if (open.trim()) out.push(open.trim());
    open = '';
  };
  for (const event of events) {
    if (event.kind === 'text') {
      open += event.text;
      continue;
    }
    close();
    const said = paragraph(event, files);
    if (said) out.push(said);
  }
  close();
  return out.join('\n\n') + '\n';
}

/** Shows pictures and offers other files for saving; unavailable files appear by name only. */
function linked(file: AttachmentInfo, files: Files): string {
  const name = (file.name || t.unnamed_file).replace(/[\\[\]]/g, '\\$&');
  const data = files.get(file.id);
  return data === undefined
    ? `*${name}*`
    : `${isPicture(file.media_type) ? '!' : ''}[${name}](data:${file.media_type};base64,${data})`;
}

function paragraph(event: Event, files: Files): string {
  switch (event.kind) {
    case 'user_message':
      return [
        `## ${event.by ?? t.you}`,
        event.text,
        ...(event.attachments ?? []).map((file) => linked(file, files)),
      ].join('\n\n');
    case 'turn_start':
      return '';
    case 'tool_start':
      return `- **${event.tool}** ${inCode(event.title)}`;
    case 'tool_update':
      return attachedTo(event)
        .map((file) => linked(file, files))
        .join('\n\n');
    case 'plan':
      return event.entries
        .map((entry) => `- [${entry.status === 'completed' ? 'x' : ' '}] ${entry.content}`)
        .join('\n');
    case 'error':
      return `> ${t.error}: ${event.message}`;
    case 'cleared':
      return `*${t.cleared}*`;
    default:
      return '';
  }
}

/** A fence longer than any fence inside the text. */
function inCode(text: string): string {
  if (!text) return '';
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** A name for every file system. */
export function fileName(conversation: Conversation, ending: string): string {
  const name =
    (conversation.title || conversation.id)
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || conversation.id;
  return `${name}.${ending}`;
}
