// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/thread_set.h"

#include <utility>

namespace parlance::regex {

using Op = Program::Op;

void ThreadSet::clear() {
  consuming_.clear();
  accepted_ = false;
  ++round_;
}

void ThreadSet::follow(std::uint32_t first, Position position, Lookahead* lookahead, std::size_t& work) {
  const auto follow_if = [&](bool yes, std::uint32_t to) {
    if (yes) pending_.push_back(to);
  };
  pending_.assign(1, first);
  while (!pending_.empty()) {
    const std::uint32_t at = pending_.back();
    pending_.pop_back();
    if (std::exchange(visited_[at], round_) == round_) continue;
    spend(work, 1);
    const Program::Step& step = program_->steps[at];
    switch (step.op) {
      case Op::one_of: consuming_.push_back(at); break;
      case Op::accept: accepted_ = true; break;
      case Op::jump: pending_.push_back(step.to); break;
      case Op::split: pending_.insert(pending_.end(), {step.to, at + 1}); break;
      case Op::begin: follow_if(position.begin, at + 1); break;
      case Op::end: follow_if(position.end, at + 1); break;
      case Op::word_boundary: follow_if((position.after_word != position.before_word) != step.negated, at + 1); break;
      case Op::word_begin: follow_if(!position.after_word && position.before_word, at + 1); break;
      case Op::word_end: follow_if(position.after_word && !position.before_word, at + 1); break;
      case Op::look_ahead: follow_if(lookahead != nullptr && lookahead->matches(at) != step.negated, step.to); break;
    }
  }
}

}  // namespace parlance::regex
