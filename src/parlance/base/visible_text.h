// SPDX-License-Identifier: Apache-2.0
// Marks hidden characters: characters without a glyph, and controls of the direction of text.
//
// A person approves the text that a frontend displays, and the agent uses the bytes behind it. A hidden character makes both differ:
// `a<U+202E>txt.hs` displays as `ash.txt`. Every frontend displays a mark in place of such a character, as Unicode Technical Standard 55
// advises. Digests and effects use the original bytes. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parlance {

enum class HiddenKind : std::uint8_t {
  always,  // marked in every text
  joiner,  // joins an emoji or letters of a script; prose keeps a single joiner behind them
  space    // displays like U+0020; prose keeps it
};
struct HiddenRange {
  char32_t first;
  char32_t last;
  HiddenKind kind;
};
// Sorted and disjoint. A test compares the table of the page (apps/web/src/visible/hidden_ranges.ts) with this table.
std::span<const HiddenRange> hidden_ranges();
std::optional<HiddenKind> hidden_kind(char32_t c);

// `exact`: commands, paths, changes. `prose`: plans, questions, answers of models.
enum class Reading : std::uint8_t { exact, prose };

// Appends the code points of a text in order, with marks in place of hidden characters: `␛` for a C0 control, `⟨U+202E⟩` for others.
class VisibleText {
 public:
  explicit VisibleText(Reading reading) : reading_(reading) {}
  void append(std::string& out, char32_t c);

 private:
  bool is_kept(char32_t c) const;

  Reading reading_;
  char32_t before_ = 0;  // the last code point; 0 at the beginning and behind a mark
};

// Line feeds and tabs stay, a carriage return before a line feed is dropped. A byte outside UTF-8 becomes U+FFFD.
std::string visible_text(std::string_view text, Reading reading = Reading::exact);
// The same in one line: a line feed becomes `␊`.
std::string visible_line(std::string_view text, Reading reading = Reading::exact);

// JSON with escapes (`\u202e`) in place of hidden characters. The result parses to the same value.
std::string visible_json(std::string_view json);

// Whether an exact reading of the text has a mark or a byte outside UTF-8.
bool has_hidden_characters(std::string_view text);

}  // namespace parlance
