// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/ways.h"

#include <utility>

namespace parlance::regex {

using Op = Program::Op;

void Ways::clear() {
  waiting_.clear();
  accepted_ = false;
  ++round_;
}

void Ways::follow(std::uint32_t first, Place place, Ahead* ahead, std::size_t& work) {
  const auto go_on = [&](bool yes, std::uint32_t to) {
    if (yes) open_.push_back(to);
  };
  open_.assign(1, first);
  while (!open_.empty()) {
    const std::uint32_t at = open_.back();
    open_.pop_back();
    if (std::exchange(been_[at], round_) == round_) continue;
    spend(work, 1);
    const Program::Step& step = program_->steps[at];
    switch (step.op) {
      case Op::one_of: waiting_.push_back(at); break;
      case Op::accept: accepted_ = true; break;
      case Op::jump: open_.push_back(step.to); break;
      case Op::split: open_.insert(open_.end(), {step.to, at + 1}); break;
      case Op::begin: go_on(place.begin, at + 1); break;
      case Op::end: go_on(place.end, at + 1); break;
      case Op::word_boundary: go_on((place.after_word != place.before_word) != step.negated, at + 1); break;
      case Op::word_begin: go_on(!place.after_word && place.before_word, at + 1); break;
      case Op::word_end: go_on(place.after_word && !place.before_word, at + 1); break;
      case Op::look_ahead: go_on(ahead != nullptr && ahead->fits(at) != step.negated, step.to); break;
    }
  }
}

}  // namespace parlance::regex
