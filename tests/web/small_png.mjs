// SPDX-License-Identifier: Apache-2.0
// Writes a screenshot with a palette instead of full colour: a third of the size, without a visible difference on a page with few colours.

import zlib, { deflateSync, inflateSync } from 'node:zlib';

const HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;

/** `png`: eight bits for each channel, with or without alpha, in Chromium's form. */
export function smallPng(png) {
  const { width, height, channels, rows } = pixelsOf(png);
  const counts = new Map();
  for (let at = 0; at < rows.length; at += channels) {
    const colour = (rows[at] << 16) | (rows[at + 1] << 8) | rows[at + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const index = new Map(palette.map((colour, i) => [colour, i]));
  for (const colour of counts.keys()) if (!index.has(colour)) index.set(colour, nearest(palette, colour));
  const lines = Buffer.alloc((width + 1) * height); // each begins with 0: no filter
  for (let y = 0, at = 0; y < height; ++y)
    for (let x = 0; x < width; ++x, at += channels)
      lines[y * (width + 1) + 1 + x] = index.get((rows[at] << 16) | (rows[at + 1] << 8) | rows[at + 2]);
  const about = Buffer.alloc(13);
  about.writeUInt32BE(width, 0);
  about.writeUInt32BE(height, 4);
  about.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    HEAD,
    chunk('IHDR', about),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent of each kind of colour; a saturated colour counts more than a grey between two others. */
function paletteOf(counts) {
  const kinds = new Map();
  for (const [colour, count] of counts) {
    const [r, g, b] = [colour >> 16, (colour >> 8) & 255, colour & 255];
    const name = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);
    const kind = kinds.get(name) ?? { weight: 0, most: 0, colour };
    kind.weight += count * (1 + (Math.max(r, g, b) - Math.min(r, g, b)) / 16);
    if (count > kind.most) Object.assign(kind, { most: count, colour });
    kinds.set(name, kind);
  }
  const first = [...kinds.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, (COLOURS * 3) / 4)
    .map((kind) => kind.colour);
  const taken = new Set(first);
  const rest = [...counts]
    .filter(([colour]) => !taken.has(colour))
    .sort((a, b) => b[1] - a[1])
    .slice(0, COLOURS - first.length)
    .map(([colour]) => colour);
  return [...first, ...rest];
}

function nearest(palette, colour) {
  let best = 0;
  let least = Infinity;
  palette.forEach((one, i) => {
    const far =
      ((one >> 16) - (colour >> 16)) ** 2 +
      (((one >> 8) & 255) - ((colour >> 8) & 255)) ** 2 +
      ((one & 255) - (colour & 255)) ** 2;
    if (far < least) {
      least = far;
      best = i;
    }
  });
  return best;
}

/** The rows of a picture in order. */
export function pixelsOf(png) {
  const parts = [];
  let about;
  for (let at = HEAD.length; at < png.length;) {
    const size = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + size);
    if (kind === 'IHDR') about = body;
    if (kind === 'IDAT') parts.push(body);
    at += size + 12;
  }
  const [width, height, channels] = [about.readUInt32BE(0), about.readUInt32BE(4), { 2: 3, 6: 4 }[about[9]]];
  if (about[8] !== 8 || !channels || about[12] !== 0)
    throw new Error('only pictures of eight bits a channel that are not interlaced');
  return {
    width,
    height,
    channels,
    rows: unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels),
  };
}

function unfiltered(lines, stride, height, channels) {
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = lines[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? rows[y * stride + x - channels] : 0;
      const up = y > 0 ? rows[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? rows[(y - 1) * stride + x - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      rows[y * stride + x] = lines[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return rows;
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunk(kind, body) {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  const out = Buffer.alloc(body.length + 12);
  out.writeUInt32BE(body.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), body.length + 8);
  return out;
}

function crc32(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes); // since Node 20.15
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
