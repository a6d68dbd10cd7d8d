// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/looking_run.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "parlance/base/regex/ways.h"

namespace parlance::regex {
namespace {

class Run {
 public:
  Run(const Program& program, const CodePoints& text, std::size_t& work)
      : program_(program), text_(text), work_(work), seen_ahead_(program.look_aheads) {}

  // Whether the program from `first` on fits at `begin`, or with `anywhere` at or behind it.
  bool fits(std::uint32_t first, std::size_t begin, bool anywhere) {
    spend(work_, 1 + program_.steps.size() / 8);  // the lists below
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
        if (contains(program_.sets[set.what], text_[at]) != set.negated) follow(next, step + 1, at + 1);
      }
      std::swap(now, next);
    }
  }

 private:
  struct AheadAt final : Ahead {
    AheadAt(Run& run, std::size_t at) : run(run), at(at) {}
    bool fits(std::uint32_t step) override { return run.fits_ahead(step, at); }
    Run& run;
    std::size_t at;
  };

  void follow(Ways& ways, std::uint32_t first, std::size_t at) {
    AheadAt ahead(*this, at);
    const Place place{.begin = at == 0,
                      .end = at == text_.size(),
                      .after_word = at != 0 && is_word(text_[at - 1]),
                      .before_word = at < text_.size() && is_word(text_[at])};
    ways.follow(first, place, &ahead, work_);
  }
  bool fits_ahead(std::uint32_t step, std::size_t at) {  // asked by many ways at the same place: once
    const std::uint32_t which = program_.steps[step].what;
    seen_ahead_[which].resize(text_.size() + 1, '?');
    if (seen_ahead_[which][at] == '?') {
      const bool yes = work_ != 0 && fits(step + 1, at, false);
      seen_ahead_[which][at] = yes ? 'y' : 'n';
    }
    return seen_ahead_[which][at] == 'y';
  }

  const Program& program_;
  const CodePoints& text_;
  std::size_t& work_;
  std::vector<std::vector<char>> seen_ahead_;
};

}  // namespace

bool looking_run(const Program& program, std::string_view text, std::size_t& work) {
  const CodePoints characters = code_points_of(text);
  return Run(program, characters, work).fits(0, 0, true) && work != 0;
}

}  // namespace parlance::regex
