// SPDX-License-Identifier: Apache-2.0
// Finds `<think>` … `</think>` in streamed text: models without a field for thoughts use these tags. The result is independent of
// the cuts, once neighbours of the same kind are joined. Sans-I/O; one owner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlance::adapter {

struct ThinkPiece {
  enum class Kind { text, begin, thought, end } kind = Kind::text;
  std::string text{};  // of `text` and `thought`; never empty there
  friend bool operator==(const ThinkPiece&, const ThinkPiece&) = default;
};

class ThinkTags {
 public:
  // Appends the decided pieces. A possible beginning of the expected tag is held back until the next piece.
  void feed(std::string_view text, std::vector<ThinkPiece>& out);
  // Ends the turn: held text is appended as text, and an open block is closed.
  void finish(std::vector<ThinkPiece>& out);
  bool inside() const { return inside_; }

 private:
  void emit(std::string_view text, std::vector<ThinkPiece>& out) const;

  std::string held_;  // a proper beginning of the awaited tag
  bool inside_ = false;
};

}  // namespace parlance::adapter
