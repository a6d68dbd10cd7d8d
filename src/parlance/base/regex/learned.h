// SPDX-License-Identifier: Apache-2.0
// What was found out about a program without look-ahead, kept: sets of open ways are states, and where a character leads from each is
// looked up once it is known (a deterministic automaton that is built while it runs). It forgets when that grows too large, so neither
// the memory nor the work has an exponent. One thread at a time; the program outlives it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parlance/base/regex/program.h"
#include "parlance/base/regex/ways.h"

namespace parlance::regex {

// Characters that no step of the program tells apart are one letter.
class Alphabet {
 public:
  explicit Alphabet(const Program& program);
  std::uint32_t letter_of(char32_t c) const { return c < ascii_.size() ? ascii_[c] : letter_above_ascii(c); }
  std::uint32_t letter_of_ascii(unsigned char c) const { return ascii_[c]; }
  char32_t example_of(std::uint32_t letter) const { return begins_[letter]; }
  std::size_t size() const { return begins_.size(); }

 private:
  std::uint32_t letter_above_ascii(char32_t c) const;
  std::vector<char32_t> begins_;  // ascending; the first is 0
  std::array<std::uint32_t, 128> ascii_{};
};

class Learned {
 public:
  explicit Learned(const Program& program);
  bool found_in(std::string_view text, std::size_t& work);

 private:
  static constexpr std::uint32_t unknown = UINT32_MAX;
  static constexpr std::uint32_t found = UINT32_MAX - 1;

  struct State {
    std::vector<std::uint32_t> open{};  // steps, not yet followed: what they may do depends on the character that comes
    bool begin = false;
    bool after_word = false;
    std::uint32_t at_end = unknown;  // found, or 0: not
  };

  std::uint32_t state_of(std::vector<std::uint32_t> open, bool begin, bool after_word, std::size_t& work);
  void walk_known(std::string_view text, std::size_t& at, std::uint32_t& state, std::size_t& work) const;
  std::uint32_t& next(std::uint32_t state, std::uint32_t letter) { return next_[state * alphabet_.size() + letter]; }
  std::uint32_t learn(std::uint32_t from, std::uint32_t letter, std::size_t& work);
  bool fits_at_end(std::uint32_t state, std::size_t& work);
  void follow(const State& state, bool end, bool before_word, std::size_t& work);
  void forget();

  const Program& program_;
  Alphabet alphabet_;
  Ways ways_;
  std::vector<State> states_;
  std::vector<std::uint32_t> next_;                          // by state and letter: the state, or one of the two above
  std::unordered_map<std::u32string, std::uint32_t> known_;  // by what a state is made of
  std::size_t bytes_ = 0;
};

}  // namespace parlance::regex
