// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { findFaults, kindsInWords, mediaTypeOf, toWire, type Attached, type NamedBlob } from './attachments';
import { DraftFiles } from './drafts/draft_files';

const limits = {
  files: 3,
  bytes: 1000,
  picture_bytes: 100,
  media_types: ['image/png', 'image/webp', 'application/pdf', 'text/*'],
};
const claude = { name: 'Claude Code' };
let last = 0;
const attached = (name: string, mediaType: string, size: number): Attached => ({
  id: ++last,
  name,
  mediaType,
  blob: new Blob(['x'.repeat(size)]),
});
const file = (name: string, parts: BlobPart[], type = ''): NamedBlob =>
  Object.assign(new Blob(parts, { type }), { name });
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const unreadable = { arrayBuffer: () => Promise.reject(new Error('NotReadableError')) };
const gone = (name: string): NamedBlob => Object.assign(file(name, ['x']), unreadable, { slice: () => unreadable });

describe('the kind of a file', () => {
  test('is the type of the browser if supported by an agent', async () => {
    expect(await mediaTypeOf(file('a.pdf', ['%PDF'], 'application/pdf'), limits)).toBe('application/pdf');
    expect(await mediaTypeOf(file('a.md', ['# a'], 'text/markdown;charset=utf-8'), limits)).toBe('text/markdown');
  });
  test('is decided by the bytes of a picture', async () => {
    const webp = new Uint8Array([0x52, 0x49, 0x46, 0x46, 1, 10, 3, 4, 0x57, 0x45, 0x42, 0x50, 0]);
    expect(await mediaTypeOf(file('a.png', [PNG], 'image/png'), limits)).toBe('image/png');
    expect(await mediaTypeOf(file('a.png', [webp], 'image/png'), limits)).toBe('image/webp');
    expect(await mediaTypeOf(file('a.jpg', [new Uint8Array([0xff, 0xd8, 0xff, 0xe0])]), limits)).toBe('image/jpeg');
    expect(await mediaTypeOf(file('a.png', ['no picture at all'], 'image/png'), limits)).toBe(
      'application/octet-stream',
    );
  });
  test('is text for readable text, whatever type the browser reports', async () => {
    expect(await mediaTypeOf(file('a.ts', ['let a = "ü";'], 'video/mp2t'), limits)).toBe('text/plain');
    expect(await mediaTypeOf(file('a.rs', ['fn main() {}']), limits)).toBe('text/plain');
  });
  test('is unknown otherwise', async () => {
    expect(await mediaTypeOf(file('a.bin', [new Uint8Array([0xff, 0xfe, 0x41])]), limits)).toBe(
      'application/octet-stream',
    );
    expect(await mediaTypeOf(file('a.zip', ['PK\0'], 'application/zip'), limits)).toBe('application/zip');
  });
});

describe('unsupported files', () => {
  const first = (draft: Attached, agent: Parameters<typeof findFaults>[2] = claude) =>
    findFaults([draft], limits, agent).each.get(draft.id) ?? '';

  test('is said with the name, the limit and the cure', () => {
    expect(first(attached('a.png', 'image/png', 100))).toBe('');
    expect(first(attached('a.png', 'image/png', 101))).toBe(
      '“a.png” has 101 B, and a picture may have 100 B. Reduce its size, or crop the picture to the important part.',
    );
    expect(first(attached('a.txt', 'text/plain', 1000))).toBe('');
    expect(first(attached('a.txt', 'text/plain', 1001))).toContain('write its path in the message');
    expect(first(attached('a.txt', 'text/plain', 0))).toBe('“a.txt” is empty. Remove the file.');
    expect(first(attached('a.zip', 'application/zip', 5))).toBe(
      'Claude Code cannot read “a.zip”. Supported: PNG, WebP, PDF and text. Convert the file, or remove the file and write its path in the message.',
    );
    expect(first({ ...attached('a.txt', 'text/plain', 5), unread: true })).toContain('can no longer be read');
  });
  test('hangs on the agent', () => {
    const pdf = attached('a.pdf', 'application/pdf', 5);
    expect(first(pdf, { name: 'Small', media_types: ['image/png'] })).toContain(
      'Small cannot read “a.pdf”. Supported: PNG.',
    );
    expect(findFaults([pdf], limits, { name: 'Blind', media_types: [] }).all).toContain(
      'The model of Blind reads text only.',
    );
    expect(findFaults([], limits, { name: 'Blind', media_types: [] }).all).toBe('');
  });
  test('may be all files together', () => {
    const many = [1, 2, 3, 4].map((i) => attached(`${i}.txt`, 'text/plain', 10));
    expect(findFaults(many, limits, claude).all).toContain('These are 4 files, and a message may bring 3.');
    const large = [1, 2].map((i) => attached(`${i}.txt`, 'text/plain', 501));
    expect(findFaults(large, limits, claude)).toEqual({
      each: new Map(),
      all: 'These files have 1002 B together, and a message may bring 1000 B. Send some of them with the next message.',
    });
    expect(findFaults(large.slice(1), limits, claude).all).toBe('');
  });
  test('kinds have the names of people', () => {
    expect(kindsInWords(['image/png'])).toBe('PNG');
    expect(kindsInWords(['image/jpeg', 'text/*'])).toBe('JPEG and text');
  });
});

describe('on the wire', () => {
  test('every byte arrives', async () => {
    const all = Uint8Array.from({ length: 2_000_000 }, (_, i) => i % 256);
    const [sent] = await toWire([{ id: 1, name: 'a', mediaType: 'image/png', blob: new Blob([all]) }]);
    expect(sent).toMatchObject({ name: 'a', media_type: 'image/png' });
    const back = atob(sent!.data);
    expect(back.length).toBe(all.length);
    expect(all.every((byte, i) => back.charCodeAt(i) === byte)).toBe(true);
  });
  test('a missing file is named', async () => {
    await expect(toWire([{ id: 1, name: 'a.txt', mediaType: 'text/plain', blob: gone('a.txt') }])).rejects.toThrow(
      '“a.txt” can no longer be read.',
    );
  });
});

describe('files of drafts', () => {
  const same = (picture: Blob) => Promise.resolve(picture);

  test('belong to their conversation until sent, and return', async () => {
    const files = new DraftFiles('tab', same);
    await files.add('', [file('a.txt', ['a']), file('b.txt', ['b'])], limits);
    await files.add('c', [file('c.txt', ['c'])], limits);
    const names = (key: string) => files.of(key).map((draft) => draft.name);
    expect(names('')).toEqual(['a.txt', 'b.txt']);
    files.remove('', files.of('')[0]!.id);
    expect(names('')).toEqual(['b.txt']);
    const taken = files.take('');
    expect(taken.map((draft) => draft.name)).toEqual(['b.txt']);
    expect(names('')).toEqual([]);
    files.put('c', [...taken, ...files.of('c')]);
    expect(names('c')).toEqual(['b.txt', 'c.txt']);
  });
  test('too large pictures are reduced, with a note', async () => {
    const files = new DraftFiles('tab', (_, most) =>
      Promise.resolve(new Blob(['x'.repeat(most)], { type: 'image/jpeg' })),
    );
    await files.add(
      '',
      [file('shot.png', [PNG, 'x'.repeat(292)], 'image/png'), file('a.txt', ['x'.repeat(300)], 'text/plain')],
      limits,
    );
    expect(
      files
        .of('')
        .map(({ name, mediaType, wasBytes, blob }) => ({ name, media_type: mediaType, wasBytes, size: blob.size })),
    ).toEqual([
      { name: 'shot.jpg', media_type: 'image/jpeg', wasBytes: 300, size: 100 },
      { name: 'a.txt', media_type: 'text/plain', wasBytes: undefined, size: 300 },
    ]);
  });
  test('undrawable pictures are reported before a model fails with them', async () => {
    const files = new DraftFiles('tab', () => Promise.resolve(undefined));
    await files.add('', [file('torn.png', [PNG], 'image/png')], limits);
    expect([...findFaults(files.of(''), limits, claude).each.values()][0]).toContain(
      'Claude Code cannot read “torn.png”.',
    );
  });
  test('unreadable files are kept, to be reported', async () => {
    const files = new DraftFiles('tab', same);
    await files.add('', [gone('folder')], limits);
    expect(files.of('')[0]).toMatchObject({ name: 'folder', unread: true });
  });
});
