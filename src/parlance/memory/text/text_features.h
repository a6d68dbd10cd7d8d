// SPDX-License-Identifier: Apache-2.0
// A text in memory's form: folded, cut into words, each with its entry in the vocabulary. Words of letters are cut at blanks,
// punctuation, capital letters (GoogleTest) and digits; runs of Chinese and Japanese into known words and the text between them.
// Accepts any bytes. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/memory/text/characters.h"
#include "parlance/memory/text/vocabulary.h"

namespace parlance::memory {

struct Token {
  std::uint32_t begin = 0;  // In TextFeatures::folded.
  std::uint32_t size = 0;
  std::uint32_t characters = 0;
  std::uint32_t written_begin = 0;  // In the original text.
  std::uint32_t written_end = 0;
  Script script = Script::letter;  // Of its first character.
  bool joined = false;             // Only a hyphen, or no character, separates the token from the token before.
  std::uint64_t stem = 0;          // Hash of its stem.
  WordInfo info{};

  bool ideographic() const { return is_ideographic(script); }
  bool filler() const { return info.band == Band::filler; }
};

class TextFeatures {
 public:
  explicit TextFeatures(std::string_view text);

  const std::string& folded() const { return folded_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  std::size_t bytes() const { return folded_.capacity() + tokens_.capacity() * sizeof(Token); }  // In addition to its own.
  std::string_view text(const Token& token) const { return std::string_view(folded_).substr(token.begin, token.size); }

 private:
  struct Character {
    std::uint32_t begin = 0;    // In folded_.
    std::uint32_t written = 0;  // In the original text.
    Script script = Script::separator;
    bool upper = false;
  };

  void read_characters(std::string_view text);
  std::size_t end_of(std::size_t first) const;  // Of the run of a script (letters and digits share a script).
  void add(std::size_t first, std::size_t end, const WordInfo* info);
  void cut_letters(std::size_t first, std::size_t end);
  void cut_ideographs(std::size_t first, std::size_t end);
  bool stands_in_a_word(std::size_t at, std::size_t unknown, std::size_t end) const;
  void join_pairs();
  std::string_view between(std::size_t first, std::size_t end) const;

  std::string folded_;
  std::vector<Character> characters_;  // A further entry at the end, while the text is cut.
  std::vector<Token> tokens_;
  bool joined_ = false;
};

}  // namespace parlance::memory
