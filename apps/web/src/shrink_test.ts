// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shrink } from './shrink';

const MiB = 1024 * 1024;
let readable: boolean;
let size: { width: number; height: number };
let drawn: { width: number; height: number; fill: string; qualities: number[] };
let bytesAt: (quality: number) => number | undefined; // undefined: the browser makes none
let hasContext: boolean;

const picture = (bytes: number, type = 'image/png') => ({ size: bytes, type }) as Blob;

beforeEach(() => {
  readable = true;
  hasContext = true;
  size = { width: 4000, height: 3000 };
  drawn = { width: 0, height: 0, fill: '', qualities: [] };
  bytesAt = (quality) => Math.round(quality * MiB);
  vi.stubGlobal('createImageBitmap', () =>
    readable ? Promise.resolve({ ...size, close: () => {} }) : Promise.reject(new Error('no picture')),
  );
  vi.stubGlobal('document', {
    createElement: () => ({
      width: 0,
      height: 0,
      getContext() {
        if (!hasContext) return null;
        return {
          set fillStyle(colour: string) {
            drawn.fill = colour;
          },
          fillRect: () => {},
          drawImage: (_: unknown, __: number, ___: number, width: number, height: number) => {
            Object.assign(drawn, { width, height });
          },
        };
      },
      toBlob(done: (blob: Blob | null) => void, type: string, quality: number) {
        drawn.qualities.push(quality);
        const bytes = bytesAt(quality);
        done(bytes === undefined ? null : picture(bytes, type));
      },
    }),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('A picture', () => {
  test('a fitting picture stays unchanged', async () => {
    const small = picture(MiB);
    expect(await shrink(small, MiB)).toBe(small);
    expect(drawn.qualities).toEqual([]);
  });

  test('an unreadable picture gives no result', async () => {
    readable = false;
    expect(await shrink(picture(10), MiB)).toBe(undefined);
  });

  test('a too large picture becomes a JPEG on white, with the longest side of models', async () => {
    const made = await shrink(picture(5 * MiB), MiB);
    expect(made).toMatchObject({ type: 'image/jpeg', size: Math.round(0.9 * MiB) });
    expect(drawn).toMatchObject({ width: 2576, height: 1932, fill: '#fff', qualities: [0.9] });
  });

  test('is never made larger', async () => {
    size = { width: 300, height: 200 };
    await shrink(picture(5 * MiB), MiB);
    expect(drawn).toMatchObject({ width: 300, height: 200 });
  });

  test('a line keeps a pixel of its height', async () => {
    size = { width: 100_000, height: 1 };
    await shrink(picture(5 * MiB), MiB);
    expect(drawn).toMatchObject({ width: 2576, height: 1 });
  });

  test('quality is reduced until the size fits', async () => {
    const made = await shrink(picture(5 * MiB), 0.6 * MiB);
    expect(made?.size).toBe(Math.round(0.5 * MiB));
    expect(drawn.qualities).toEqual([0.9, 0.75, 0.5]);
  });

  test('a picture that never fits is reported with its own size', async () => {
    const large = picture(5 * MiB);
    expect(await shrink(large, 1000)).toBe(large);
  });

  test('an animation stays unchanged, whatever its size', async () => {
    const moving = picture(5 * MiB, 'image/gif');
    expect(await shrink(moving, MiB)).toBe(moving);
  });

  test('stays unchanged if the browser cannot draw', async () => {
    const large = picture(5 * MiB);
    hasContext = false;
    expect(await shrink(large, MiB)).toBe(large);
    hasContext = true;
    bytesAt = () => undefined;
    expect(await shrink(large, MiB)).toBe(large);
  });
});
