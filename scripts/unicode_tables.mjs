// SPDX-License-Identifier: Apache-2.0
// Prints src/parlance/base/regex/unicode_tables.cpp from the Unicode data of Node's own regular expressions:
//   node scripts/unicode_tables.mjs > src/parlance/base/regex/unicode_tables.cpp
const last = 0x10ffff;
const categories = [
  'Lu',
  'Ll',
  'Lt',
  'Lm',
  'Lo',
  'Mn',
  'Mc',
  'Me',
  'Nd',
  'Nl',
  'No',
  'Pc',
  'Pd',
  'Ps',
  'Pe',
  'Pi',
  'Pf',
  'Po',
  'Sm',
  'Sc',
  'Sk',
  'So',
  'Zs',
  'Zl',
  'Zp',
  'Cc',
  'Cf',
  'Cs',
  'Co',
];
const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thai',
  'Tibetan',
];
const properties = [
  'Alphabetic',
  'Emoji',
  'Emoji_Component',
  'Emoji_Modifier',
  'Emoji_Modifier_Base',
  'Emoji_Presentation',
  'Extended_Pictographic',
  'ID_Continue',
  'ID_Start',
  'Lowercase',
  'Uppercase',
  'White_Space',
];

// [from, to] of all characters that fit.
function rangesOf(name) {
  const pattern = new RegExp(`^\\p{${name}}$`, 'u');
  const ranges = [];
  for (let c = 0; c <= last; ++c) {
    if (!pattern.test(String.fromCodePoint(c))) continue;
    const open = ranges.at(-1);
    if (open !== undefined && open[1] === c - 1) open[1] = c;
    else ranges.push([c, c]);
  }
  return ranges;
}

// Distances from the end of the range before: small numbers are short text.
function packed(ranges) {
  let before = 0;
  const numbers = [];
  for (const [from, to] of ranges) {
    numbers.push(from - before, to - from);
    before = to;
  }
  return numbers;
}

const kinds = { category: categories, script: scripts, property: properties };
const numbers = [];
const rows = Object.entries(kinds).flatMap(([kind, names]) =>
  names.map((name) => {
    const own = packed(rangesOf(kind === 'script' ? `Script=${name}` : name));
    const row = `    {"${name}", UnicodeKind::${kind}, ${numbers.length}, ${own.length / 2}},`;
    numbers.push(...own);
    return row;
  }),
);

function lines(words, width) {
  const all = [''];
  for (const word of words) {
    if (all.at(-1).length + word.length > width) all.push('');
    all[all.length - 1] += `${word},`;
  }
  return all.join('\n');
}

process.stdout.write(`// SPDX-License-Identifier: Apache-2.0
// Printed by scripts/unicode_tables.mjs from Unicode ${process.versions.unicode}; not edited by hand.
#include "parlance/base/regex/unicode_tables.h"

namespace parlance::regex {
namespace {

// clang-format off
// Pairs: distance from the end of the range before, length less one.
constexpr std::uint32_t numbers[]{
${lines(numbers.map(String), 180)}
};

constexpr UnicodeTable tables[]{
${rows.join('\n')}
};
// clang-format on

}  // namespace

std::span<const UnicodeTable> unicode_tables() { return tables; }
std::span<const std::uint32_t> unicode_numbers() { return numbers; }

}  // namespace parlance::regex
`);
