// SPDX-License-Identifier: Apache-2.0
// A text as memory reads it: folded, cut into words, each with what the vocabulary knows of it. Words of letters are cut at blanks,
// punctuation, humps (GoogleTest) and digits; runs of Chinese and Japanese into known words and what is between them.
// Any bytes are taken. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/memory/text/characters.h"
#include "parlance/memory/text/vocabulary.h"

namespace parlance::memory {

struct Token {
  std::uint32_t begin = 0;  // in TextFeatures::folded
  std::uint32_t size = 0;
  std::uint32_t characters = 0;
  std::uint32_t written_begin = 0;  // in the text as it was given
  std::uint32_t written_end = 0;
  Script script = Script::letter;  // of its first character
  bool joined = false;             // nothing, or only a hyphen, between it and the token before
  std::uint64_t stem = 0;          // hash of its stem
  WordInfo info{};

  bool ideographic() const { return is_ideographic(script); }
  bool filler() const { return info.band == Band::filler; }
};

class TextFeatures {
 public:
  explicit TextFeatures(std::string_view text);

  const std::string& folded() const { return folded_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  std::size_t bytes() const { return folded_.capacity() + tokens_.capacity() * sizeof(Token); }  // beside its own
  std::string_view text(const Token& token) const { return std::string_view(folded_).substr(token.begin, token.size); }

 private:
  struct Character {
    std::uint32_t begin = 0;    // in folded_
    std::uint32_t written = 0;  // in the text as it was given
    Script script = Script::separator;
    bool upper = false;
  };

  void read_characters(std::string_view text);
  std::size_t end_of(std::size_t first) const;  // of the run of one script (letters and digits count as one)
  void add(std::size_t first, std::size_t end, const WordInfo* info);
  void cut_letters(std::size_t first, std::size_t end);
  void cut_ideographs(std::size_t first, std::size_t end);
  bool stands_in_a_word(std::size_t at, std::size_t unknown, std::size_t end) const;
  void join_pairs();
  std::string_view between(std::size_t first, std::size_t end) const;

  std::string folded_;
  std::vector<Character> characters_;  // and one at the end; while the text is cut
  std::vector<Token> tokens_;
  bool joined_ = false;
};

}  // namespace parlance::memory
