// SPDX-License-Identifier: Apache-2.0
// The ways through a program that are open at one place of a text: the steps that wait for the next character. One thread at a time; the
// program outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parlance/base/regex/program.h"

namespace parlance::regex {

// What steps may ask about where they stand.
struct Place {
  bool begin = false;
  bool end = false;
  bool after_word = false;
  bool before_word = false;
};

// Whether what a look-ahead looks for begins here.
class Ahead {
 public:
  virtual ~Ahead() = default;
  virtual bool fits(std::uint32_t look_ahead_step) = 0;
};

class Ways {
 public:
  explicit Ways(const Program& program) : program_(&program), been_(program.steps.size()) {}

  void clear();
  // Opens what can be reached from `first` without a character. `ahead` is asked by programs that look ahead, and by no other.
  void follow(std::uint32_t first, Place place, Ahead* ahead, std::size_t& work);

  const std::vector<std::uint32_t>& waiting() const { return waiting_; }  // each once
  bool accepted() const { return accepted_; }

 private:
  const Program* program_;
  std::vector<std::uint32_t> been_;  // in which round
  std::uint32_t round_ = 1;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> open_;
  bool accepted_ = false;
};

inline void spend(std::size_t& work, std::size_t units) { work -= units < work ? units : work; }

}  // namespace parlance::regex
