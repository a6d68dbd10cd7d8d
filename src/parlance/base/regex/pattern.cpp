// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/pattern.h"

#include <optional>
#include <string>
#include <utility>

#include "parlance/base/regex/lazy_dfa.h"
#include "parlance/base/regex/lookahead_run.h"
#include "parlance/base/regex/parser.h"
#include "parlance/base/regex/program.h"

namespace parlance::regex {

Result<Pattern> Pattern::compile(std::string_view expression, Options options) {
  PARLANCE_TRY(piece, parse(expression, options));
  PARLANCE_TRY(program, regex::compile(piece));
  return Pattern(std::make_shared<const Program>(std::move(program)));
}

Result<Pattern> Pattern::of_text(std::string_view text, Options options) {
  constexpr std::string_view meaningful = "\\^$.|?*+()[]{}";
  std::string expression;
  for (const char c : text) {
    if (meaningful.contains(c)) expression += '\\';
    expression += c;
  }
  return compile(expression, options);
}

bool Pattern::found_in(std::string_view text, std::size_t& work) const { return Matcher(*this).found_in(text, work); }

struct Matcher::State {
  std::shared_ptr<const Program> program;
  std::optional<LazyDfa> dfa;
};

Matcher::Matcher(const Pattern& pattern) : state_(std::make_unique<State>(pattern.program_)) {
  if (state_->program->look_aheads == 0) state_->dfa.emplace(*state_->program);
}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

bool Matcher::found_in(std::string_view text, std::size_t& work) {
  return state_->dfa ? state_->dfa->found_in(text, work) : run_with_lookahead(*state_->program, text, work);
}

}  // namespace parlance::regex
