// SPDX-License-Identifier: Apache-2.0
// Ranges of hidden characters, for classes of regular expressions. Printed from src/parlance/base/visible_text.cpp; do not edit.
// `PARLANCE_WRITE=1 base_test --gtest_filter=VisibleText.ThePageHasTheSameRanges` writes the file.

export const ALWAYS = '\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f-\\u1160\\u17b4-\\u17b5\\u180e\\u200b\\u200e-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}';
export const JOINERS = '\\u180b-\\u180d\\u180f\\u200c-\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
export const SPACES = '\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800';
