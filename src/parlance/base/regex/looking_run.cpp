// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/looking_run.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parlance/base/regex/ways.h"

namespace parlance::regex {
namespace {

class Run {
 public:
  Run(const Program& program, const CodePoints& text, std::size_t& work)
      : program_(program), text_(text), work_(work), seen_ahead_(program.look_aheads) {}

  // Whether the program fits from step `first` on, at place `begin`. `anywhere`: also at later places.
  bool fits(std::uint32_t first, std::size_t begin, bool anywhere) {
    spend(work_, 1 + program_.steps.size() / 8);  // for the lists
    Ways now(program_);
    Ways next(program_);
    for (std::size_t at = begin;; ++at) {
      if (at == begin || anywhere) follow(now, first, at);
      if (now.accepted()) return true;
      if (at == text_.size() || (now.waiting().empty() && !anywhere) || work_ == 0) return false;
      next.clear();
      for (const std::uint32_t step : now.waiting()) {
        spend(work_, 1);
        const Program::Step& set = program_.steps[step];
        if (in_sorted(program_.sets[set.what], text_[at]) != set.negated) follow(next, step + 1, at + 1);
      }
      std::swap(now, next);
    }
  }

 private:
  static constexpr int single_runs = 8;  // Forward runs of a look-ahead before see_all.
  struct Seen {
    std::string answers{};  // by place: y, n, ? for unknown
    int runs = 0;
  };
  struct AheadAt final : Ahead {
    AheadAt(Run& run, std::size_t at) : run(run), at(at) {}
    bool fits(std::uint32_t step) override { return run.fits_ahead(step, at); }
    Run& run;
    std::size_t at;
  };

  void follow(Ways& ways, std::uint32_t first, std::size_t at) {
    AheadAt ahead(*this, at);
    ways.follow(first, place_of(at), &ahead, work_);
  }
  bool fits_ahead(std::uint32_t step, std::size_t at) {  // runs once per place
    Seen& seen = seen_ahead_[program_.steps[step].what];
    seen.answers.resize(text_.size() + 1, '?');
    if (seen.answers[at] == '?' && ++seen.runs > single_runs) see_all(step, seen);
    if (seen.answers[at] == '?') {
      const bool yes = work_ != 0 && fits(step + 1, at, false);
      seen.answers[at] = yes ? 'y' : 'n';
    }
    return seen.answers[at] == 'y';
  }

  // Forward runs of a look-ahead at all places cost the square of the text. One pass from the end of the text to its beginning answers
  // for all places. A step fits at a place if the following steps fit at the place or one character later.
  void see_all(std::uint32_t step, Seen& seen) {
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
          if (here[i] == 0 && fits_here(first, i, at, here, later)) here[i] = changed = true;
      }
      if (work_ == 0) return;
      seen.answers[at] = here[0] != 0 ? 'y' : 'n';
      std::swap(here, later);
    }
  }
  bool fits_here(std::uint32_t first, std::uint32_t i, std::size_t at, const std::vector<char>& here,
                 const std::vector<char>& later) {
    using Op = Program::Op;
    const Program::Step& step = program_.steps[first + i];
    const auto behind = [&] { return here[i + 1] != 0; };
    const Place place = place_of(at);
    switch (step.op) {
      case Op::accept: return true;
      case Op::one_of: return !place.end && later[i + 1] != 0 && in_sorted(program_.sets[step.what], text_[at]) != step.negated;
      case Op::jump: return here[step.to - first] != 0;
      case Op::split: return behind() || here[step.to - first] != 0;
      case Op::begin: return place.begin && behind();
      case Op::end: return place.end && behind();
      case Op::word_boundary: return (place.after_word != place.before_word) != step.negated && behind();
      case Op::word_begin: return !place.after_word && place.before_word && behind();
      case Op::word_end: return place.after_word && !place.before_word && behind();
      case Op::look_ahead: return here[step.to - first] != 0 && fits_ahead(first + i, at) != step.negated;
    }
    return false;
  }
  Place place_of(std::size_t at) const {
    return {.begin = at == 0,
            .end = at == text_.size(),
            .after_word = at != 0 && is_word(text_[at - 1]),
            .before_word = at < text_.size() && is_word(text_[at])};
  }

  const Program& program_;
  const CodePoints& text_;
  std::size_t& work_;
  std::vector<Seen> seen_ahead_;  // by look-ahead
};

}  // namespace

bool looking_run(const Program& program, std::string_view text, std::size_t& work) {
  const CodePoints characters = code_points_of(text);
  return Run(program, characters, work).fits(0, 0, true) && work != 0;
}

}  // namespace parlance::regex
