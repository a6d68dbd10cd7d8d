// SPDX-License-Identifier: Apache-2.0
// Finds reasoning in streamed text, as <think>…</think>: models without a field for thoughts use these tags. The result is
// independent of the cuts, once neighbours of the same kind are joined. Sans-I/O; one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

struct ThinkPiece {
  enum class Kind : std::uint8_t { text, begin, thought, end } kind = Kind::text;
  std::string text{};  // of `text` and `thought`; never empty there
  friend bool operator==(const ThinkPiece&, const ThinkPiece&) = default;
};

class ThinkTags {
 public:
  // `anywhere`: a block counts anywhere in the text.
  // `leading`: a block counts at the very beginning of the text and directly after a block. It never counts later: an answer about
  // the tag must stay complete. <thinking> counts too. Blanks around the blocks are dropped.
  // Chat templates with the opening tag in the prompt leave a lone closing tag. `leading` drops the first lone tag at the end of a
  // line, outside of Markdown code. Earlier text stays text.
  enum class Blocks : std::uint8_t { anywhere, leading };
  explicit ThinkTags(Blocks blocks) : blocks_(blocks), state_(blocks == Blocks::anywhere ? State::text : State::before) {}

  // Appends the decided pieces. An incomplete tag is held back until the next piece.
  void feed(std::string_view text, std::vector<ThinkPiece>& out);
  // Appends the held text and the end of an open block. The next `feed` begins a new text.
  void finish(std::vector<ThinkPiece>& out);
  bool inside() const { return state_ == State::inside; }

 private:
  enum class State : std::uint8_t { before, inside, text };
  bool step(std::vector<ThinkPiece>& out);  // false: needs more
  bool step_before(std::vector<ThinkPiece>& out);
  void pass_text(std::vector<ThinkPiece>& out);                         // held_, but for a lone closing tag
  bool pass_up_to(std::string_view tag, std::vector<ThinkPiece>& out);  // and removes the tag; false: not in held_
  void emit(std::size_t bytes, std::vector<ThinkPiece>& out);           // of held_
  void begin(std::string_view closing, std::vector<ThinkPiece>& out);

  Blocks blocks_;
  State state_;
  bool lone_tag_ = true;  // not seen so far
  bool in_code_ = false;  // Markdown: behind an odd number of backticks
  std::string held_;
  std::string_view closing_;  // of the latest block; empty: none
};

}  // namespace parlance
