// SPDX-License-Identifier: Apache-2.0
// A lazy DFA for programs without look-ahead. A state is a set of threads of the NFA, and its transitions are computed at their
// first use. The cache is cleared above a size limit, so neither memory nor work grows exponentially. One thread at a time; the
// program must outlive the automaton.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parlance/base/regex/program.h"
#include "parlance/base/regex/thread_set.h"

namespace parlance::regex {

// Characters that no step of the program distinguishes share a letter.
class Alphabet {
 public:
  explicit Alphabet(const Program& program);
  std::uint32_t letter_of(char32_t c) const { return c < ascii_.size() ? ascii_[c] : letter_above_ascii(c); }
  std::uint32_t letter_of_ascii(unsigned char c) const { return ascii_[c]; }
  char32_t example_of(std::uint32_t letter) const { return begins_[letter]; }
  std::size_t size() const { return begins_.size(); }

 private:
  std::uint32_t letter_above_ascii(char32_t c) const;
  std::vector<char32_t> begins_;  // In ascending order; the first is 0.
  std::array<std::uint32_t, 128> ascii_{};
};

class LazyDfa {
 public:
  explicit LazyDfa(const Program& program);
  bool found_in(std::string_view text, std::size_t& work);

 private:
  static constexpr std::uint32_t unknown = UINT32_MAX;
  static constexpr std::uint32_t found = UINT32_MAX - 1;

  struct State {
    std::vector<std::uint32_t> open{};  // Steps before their transitions: the next character decides these.
    bool begin = false;
    bool after_word = false;
    std::uint32_t at_end = unknown;  // Index of a state, or 0 for none.
  };

  std::uint32_t state_of(std::vector<std::uint32_t> open, bool begin, bool after_word, std::size_t& work);
  void walk_known(std::string_view text, std::size_t& at, std::uint32_t& state, std::size_t& work) const;
  std::uint32_t& next(std::uint32_t state, std::uint32_t letter) { return next_[state * alphabet_.size() + letter]; }
  std::uint32_t compute_transition(std::uint32_t from, std::uint32_t letter, std::size_t& work);
  bool matches_at_end(std::uint32_t state, std::size_t& work);
  void follow(const State& state, bool end, bool before_word, std::size_t& work);
  void clear_cache();

  const Program& program_;
  Alphabet alphabet_;
  ThreadSet threads_;
  std::vector<State> states_;
  // By state and letter: the next state, or one of the two values above.
  std::vector<std::uint32_t> next_;
  std::unordered_map<std::u32string, std::uint32_t> known_;  // By the steps of a state.
  std::size_t bytes_ = 0;
};

}  // namespace parlance::regex
