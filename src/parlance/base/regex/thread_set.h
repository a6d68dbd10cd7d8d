// SPDX-License-Identifier: Apache-2.0
// The thread list of the NFA simulation at a position of the text: the steps before the next character. One thread at a time;
// the program must outlive the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parlance/base/regex/program.h"

namespace parlance::regex {

// The context of a position, for assertions.
struct Position {
  bool begin = false;
  bool end = false;
  bool after_word = false;
  bool before_word = false;
};

// True: the body of a look-ahead matches from here.
class Lookahead {
 public:
  virtual ~Lookahead() = default;
  virtual bool matches(std::uint32_t look_ahead_step) = 0;
};

class ThreadSet {
 public:
  explicit ThreadSet(const Program& program) : program_(&program), visited_(program.steps.size()) {}

  void clear();
  // Adds all steps reachable from `first` without a character. Only programs with look-ahead call `lookahead`.
  void follow(std::uint32_t first, Position position, Lookahead* lookahead, std::size_t& work);

  const std::vector<std::uint32_t>& consuming() const { return consuming_; }  // Each step once.
  bool accepted() const { return accepted_; }

 private:
  const Program* program_;
  std::vector<std::uint32_t> visited_;  // The round of the addition.
  std::uint32_t round_ = 1;
  std::vector<std::uint32_t> consuming_;
  std::vector<std::uint32_t> pending_;
  bool accepted_ = false;
};

inline void spend(std::size_t& work, std::size_t units) { work -= units < work ? units : work; }

}  // namespace parlance::regex
