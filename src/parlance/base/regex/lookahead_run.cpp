// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/lookahead_run.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parlance/base/regex/thread_set.h"

namespace parlance::regex {
namespace {

class Run {
 public:
  Run(const Program& program, const CodePoints& text, std::size_t& work)
      : program_(program), text_(text), work_(work), lookaheads_(program.look_aheads) {}

  // Whether the program matches from step `first` on, at position `begin`. `anywhere`: also at later positions.
  bool matches(std::uint32_t first, std::size_t begin, bool anywhere) {
    spend(work_, 1 + program_.steps.size() / 8);  // for the lists
    ThreadSet now(program_);
    ThreadSet next(program_);
    for (std::size_t at = begin;; ++at) {
      if (at == begin || anywhere) follow(now, first, at);
      if (now.accepted()) return true;
      if (at == text_.size() || (now.consuming().empty() && !anywhere) || work_ == 0) return false;
      next.clear();
      for (const std::uint32_t step : now.consuming()) {
        spend(work_, 1);
        const Program::Step& set = program_.steps[step];
        if (in_sorted(program_.sets[set.what], text_[at]) != set.negated) follow(next, step + 1, at + 1);
      }
      std::swap(now, next);
    }
  }

 private:
  static constexpr int single_runs = 8;  // Forward runs of a look-ahead before match_everywhere.
  struct LookaheadResults {
    std::string answers{};  // by position: y, n, ? for unknown
    int runs = 0;
  };
  struct LookaheadAt final : Lookahead {
    LookaheadAt(Run& run, std::size_t at) : run(run), at(at) {}
    bool matches(std::uint32_t step) override { return run.lookahead_matches(step, at); }
    Run& run;
    std::size_t at;
  };

  void follow(ThreadSet& threads, std::uint32_t first, std::size_t at) {
    LookaheadAt lookahead(*this, at);
    threads.follow(first, position_at(at), &lookahead, work_);
  }
  bool lookahead_matches(std::uint32_t step, std::size_t at) {  // runs once per position
    LookaheadResults& results = lookaheads_[program_.steps[step].what];
    results.answers.resize(text_.size() + 1, '?');
    if (results.answers[at] == '?' && ++results.runs > single_runs) match_everywhere(step, results);
    if (results.answers[at] == '?') {
      const bool yes = work_ != 0 && matches(step + 1, at, false);
      results.answers[at] = yes ? 'y' : 'n';
    }
    return results.answers[at] == 'y';
  }

  // Forward runs of a look-ahead at all positions cost the square of the text. One pass from the end of the text to its beginning
  // answers for all positions. A step matches at a position if the following steps match at the position or one character later.
  void match_everywhere(std::uint32_t step, LookaheadResults& results) {
    const std::uint32_t first = step + 1;
    const std::uint32_t size = program_.steps[step].to - first;
    std::vector<char> later(size);
    std::vector<char> here(size);
    for (std::size_t at = text_.size() + 1; at-- != 0;) {
      here.assign(size, 0);
      for (bool changed = true; changed;) {  // Loops jump back: repeat until nothing changes.
        changed = false;
        spend(work_, size);
        for (std::uint32_t i = size; i-- != 0;)
          if (here[i] == 0 && matches_here(first, i, at, here, later)) here[i] = changed = true;
      }
      if (work_ == 0) return;
      results.answers[at] = here[0] != 0 ? 'y' : 'n';
      std::swap(here, later);
    }
  }
  bool matches_here(std::uint32_t first, std::uint32_t i, std::size_t at, const std::vector<char>& here,
                    const std::vector<char>& later) {
    using Op = Program::Op;
    const Program::Step& step = program_.steps[first + i];
    const auto behind = [&] { return here[i + 1] != 0; };
    const Position position = position_at(at);
    switch (step.op) {
      case Op::accept: return true;
      case Op::one_of:
        return !position.end && later[i + 1] != 0 && in_sorted(program_.sets[step.what], text_[at]) != step.negated;
      case Op::jump: return here[step.to - first] != 0;
      case Op::split: return behind() || here[step.to - first] != 0;
      case Op::begin: return position.begin && behind();
      case Op::end: return position.end && behind();
      case Op::word_boundary: return (position.after_word != position.before_word) != step.negated && behind();
      case Op::word_begin: return !position.after_word && position.before_word && behind();
      case Op::word_end: return position.after_word && !position.before_word && behind();
      case Op::look_ahead: return here[step.to - first] != 0 && lookahead_matches(first + i, at) != step.negated;
    }
    return false;
  }
  Position position_at(std::size_t at) const {
    return {.begin = at == 0,
            .end = at == text_.size(),
            .after_word = at != 0 && is_word(text_[at - 1]),
            .before_word = at < text_.size() && is_word(text_[at])};
  }

  const Program& program_;
  const CodePoints& text_;
  std::size_t& work_;
  std::vector<LookaheadResults> lookaheads_;  // by look-ahead
};

}  // namespace

bool run_with_lookahead(const Program& program, std::string_view text, std::size_t& work) {
  const CodePoints characters = code_points_of(text);
  return Run(program, characters, work).matches(0, 0, true) && work != 0;
}

}  // namespace parlance::regex
