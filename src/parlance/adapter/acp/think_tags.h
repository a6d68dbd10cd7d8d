// SPDX-License-Identifier: Apache-2.0
// Finds `<think>` … `</think>` in text that comes in pieces: models that have no field for their thoughts write them so.
// However the text is cut, the pieces are the same once neighbours of one kind are joined. Sans-I/O; one owner.
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
  // Appends what is certain. What may be the beginning of the awaited tag is held back until the next piece decides.
  void feed(std::string_view text, std::vector<ThinkPiece>& out);
  // The turn is over: what was held back is text after all, and an open block is closed.
  void finish(std::vector<ThinkPiece>& out);
  bool inside() const { return inside_; }

 private:
  void emit(std::string_view text, std::vector<ThinkPiece>& out) const;

  std::string held_;  // a proper beginning of the awaited tag
  bool inside_ = false;
};

}  // namespace parlance::adapter
