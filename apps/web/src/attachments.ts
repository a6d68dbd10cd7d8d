// SPDX-License-Identifier: Apache-2.0
// Attachments of a message before sending: the type of each file, and whether the message may contain the file. The host sets the limits
// (AttachmentLimits), the agent the supported types. Pure except for reading the files.

import { bytes } from './format';
import type { AgentInfo, AttachedFile, AttachmentInfo, AttachmentLimits } from './protocol';
import { t } from './strings';

/** A file of a draft. */
export interface Attached {
  id: number;
  name: string;
  mediaType: string;
  blob: Blob;
  wasBytes?: number; // size before the reduction
  unread?: boolean; // a folder, or gone from the disk
}

/** Reasons against sending a draft: by the id of the file, and for all files together. */
export interface Faults {
  each: ReadonlyMap<number, string>;
  all: string;
}

type Agent = Pick<AgentInfo, 'name' | 'media_types'>;
export type NamedBlob = Blob & { name?: string };

export function isPicture(mediaType: string): boolean {
  return mediaType.startsWith('image/');
}

function covers(kinds: readonly string[], mediaType: string): boolean {
  return kinds.some((kind) => (kind.endsWith('/*') ? mediaType.startsWith(kind.slice(0, -1)) : kind === mediaType));
}

export const UNKNOWN = 'application/octet-stream';
const SIGNATURES: readonly [string, RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];
const SIGNATURE_BYTES = 12;

/**
 * Browsers use the ending of the name. The contents of pictures often differ from their names, and a model with a wrong type refuses the
 * whole conversation from then on. Browsers know few types of programmers' files, and take TypeScript for films: readable text counts as
 * text.
 */
export async function mediaTypeOf(file: Blob, limits: AttachmentLimits): Promise<string> {
  const told = (file.type.split(';')[0] ?? '').trim().toLowerCase();
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  const picture = SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
  if (picture !== undefined) return picture;
  if (covers(limits.media_types, told)) return isPicture(told) ? UNKNOWN : told;
  if (file.size > 0 && file.size <= limits.bytes && (await isText(file))) return 'text/plain';
  return told || UNKNOWN;
}

async function isText(file: Blob): Promise<boolean> {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()).includes('\0');
  } catch (error) {
    if (error instanceof TypeError) return false; // no UTF-8
    throw error;
  }
}

export function findFaults(files: readonly Attached[], limits: AttachmentLimits, agent: Agent | undefined): Faults {
  const kinds = agent?.media_types ?? limits.media_types;
  const name = agent?.name ?? t.agent;
  const map = new Map<number, string>();
  if (files.length > 0 && kinds.length === 0) return { each: map, all: t.shown_nothing(name) };
  let sum = 0;
  for (const attached of files) {
    sum += attached.blob.size;
    const fault = attached.unread
      ? t.file_unread(attached.name)
      : attached.blob.size === 0
        ? t.file_empty(attached.name)
        : attached.blob.size > limits.bytes
          ? t.file_too_large(attached.name, bytes(attached.blob.size), bytes(limits.bytes))
          : !covers(kinds, attached.mediaType)
            ? t.not_shown(attached.name, name, kindsInWords(kinds))
            : isPicture(attached.mediaType) && attached.blob.size > limits.picture_bytes
              ? t.picture_too_large(attached.name, bytes(attached.blob.size), bytes(limits.picture_bytes))
              : '';
    if (fault) map.set(attached.id, fault);
  }
  const all =
    files.length > limits.files
      ? t.too_many_files(files.length, limits.files)
      : map.size === 0 && sum > limits.bytes
        ? t.files_too_large(bytes(sum), bytes(limits.bytes))
        : '';
  return { each: map, all };
}

/** `JPEG, PNG, PDF and text`. */
export function kindsInWords(kinds: readonly string[]): string {
  return t.and_so(
    kinds.map((kind) =>
      kind === 'text/*'
        ? t.text_files
        : kind === 'image/webp'
          ? 'WebP'
          : kind.slice(kind.indexOf('/') + 1).toUpperCase(),
    ),
  );
}

/** The files in their wire form. Fails for an unreadable file. */
export async function toWire(files: readonly Attached[]): Promise<AttachedFile[]> {
  return Promise.all(
    files.map(async (attached) => {
      try {
        return { name: attached.name, media_type: attached.mediaType, data: await base64(attached.blob) };
      } catch {
        throw new Error(t.file_unread(attached.name));
      }
    }),
  );
}

const STRIDE = 0x8000; // arguments of a call: with more, engines exhaust the stack
const SLICE = 3 * 8 * STRIDE; // encoded at once, about 10 ms: between slices the page draws. Threes of bytes need no padding

export async function base64(blob: Blob): Promise<string> {
  let encoded = '';
  for (let from = 0; from < blob.size; from += SLICE) {
    const part = new Uint8Array(await blob.slice(from, from + SLICE).arrayBuffer());
    let text = '';
    for (let at = 0; at < part.length; at += STRIDE) text += String.fromCharCode(...part.subarray(at, at + STRIDE));
    encoded += btoa(text);
  }
  return encoded;
}

let again = 0; // drafts number their files upwards

/** The attachments of an earlier message, for another send. */
export function filesAgain(
  host: { attachment(id: string): Promise<Blob> },
  kept: readonly AttachmentInfo[],
): Promise<Attached[]> {
  return Promise.all(
    kept.map(async (attachment) => ({
      id: --again,
      name: attachment.name,
      mediaType: attachment.media_type,
      blob: await host.attachment(attachment.id),
    })),
  );
}
