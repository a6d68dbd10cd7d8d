// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/lazy_dfa.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parlance::regex {

Alphabet::Alphabet(const Program& program) {
  std::set<char32_t> begins{0};
  const auto separate = [&](const Ranges& ranges) {
    for (const auto& [from, to] : ranges) {
      begins.insert(from);
      if (to < last_code_point) begins.insert(to + 1);
    }
  };
  for (const Ranges& set : program.sets) separate(set);
  if (program.asks_for_words) separate(*class_of(U'w'));
  begins_.assign(begins.begin(), begins.end());
  for (char32_t c = 0; c < ascii_.size(); ++c) ascii_[c] = letter_above_ascii(c);
}

std::uint32_t Alphabet::letter_above_ascii(char32_t c) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(begins_, c) - begins_.begin() - 1);
}

LazyDfa::LazyDfa(const Program& program) : program_(program), alphabet_(program), threads_(program) {}

bool LazyDfa::found_in(std::string_view text, std::size_t& work) {
  if (states_.empty()) state_of({0}, true, false, work);  // the first state: the begin of each text
  std::uint32_t state = 0;
  for (std::size_t at = 0; at < text.size();) {
    walk_known(text, at, state, work);
    if (at == text.size()) break;
    if (work == 0) return false;
    --work;
    const std::uint32_t letter = alphabet_.letter_of(next_code_point(text, at));
    const std::uint32_t known = next(state, letter);
    state = known == unknown ? compute_transition(state, letter, work) : known;
    if (state == found) return work != 0;
  }
  return matches_at_end(state, work) && work != 0;
}

// Follows known transitions of ASCII characters, which most texts consist of.
void LazyDfa::walk_known(std::string_view text, std::size_t& at, std::uint32_t& state, std::size_t& work) const {
  const std::size_t last = at + std::min(text.size() - at, work);
  const std::uint32_t* const table = next_.data();  // local copies: the loop determines the cost of a search
  const std::size_t letters = alphabet_.size();
  std::size_t here = at;
  std::uint32_t now = state;
  for (; here < last; ++here) {
    const auto c = static_cast<unsigned char>(text[here]);
    if (c >= 0x80) break;
    const std::uint32_t to = table[now * letters + alphabet_.letter_of_ascii(c)];
    if (to >= found) break;
    now = to;
  }
  work -= here - at;
  at = here;
  state = now;
}

std::uint32_t LazyDfa::compute_transition(std::uint32_t from, std::uint32_t letter, std::size_t& work) {
  const char32_t example = alphabet_.example_of(letter);
  follow(states_[from], false, is_word(example), work);
  if (threads_.accepted()) return next(from, letter) = found;
  std::vector<std::uint32_t> open{0};  // a match may begin at any position
  for (const std::uint32_t consuming : threads_.consuming()) {
    spend(work, 1);
    const Program::Step& step = program_.steps[consuming];
    if (in_sorted(program_.sets[step.what], example) != step.negated) open.push_back(consuming + 1);
  }
  std::ranges::sort(open);
  if (bytes_ > dfa_cache_bytes) {
    clear_cache();
    state_of({0}, true, false, work);
    return state_of(std::move(open), false, is_word(example), work);
  }
  const std::uint32_t to = state_of(std::move(open), false, is_word(example), work);
  return next(from, letter) = to;
}

bool LazyDfa::matches_at_end(std::uint32_t state, std::size_t& work) {
  if (states_[state].at_end == unknown) {
    follow(states_[state], true, false, work);
    states_[state].at_end = threads_.accepted() ? found : 0;
  }
  return states_[state].at_end == found;
}

void LazyDfa::follow(const State& state, bool end, bool before_word, std::size_t& work) {
  threads_.clear();
  const Position position{.begin = state.begin, .end = end, .after_word = state.after_word, .before_word = before_word};
  for (const std::uint32_t step : state.open) threads_.follow(step, position, nullptr, work);
}

std::uint32_t LazyDfa::state_of(std::vector<std::uint32_t> open, bool begin, bool after_word, std::size_t& work) {
  spend(work, 1 + open.size() / 8);
  after_word = after_word && program_.asks_for_words;
  std::u32string key(open.begin(), open.end());
  key += static_cast<char32_t>((begin ? 1U : 0U) + (after_word ? 2U : 0U));
  const auto [entry, is_new] = known_.try_emplace(std::move(key), static_cast<std::uint32_t>(states_.size()));
  if (is_new) {
    spend(work, alphabet_.size() / 8);
    bytes_ += sizeof(State) + (2 * open.size() + alphabet_.size()) * sizeof(std::uint32_t);
    states_.push_back({.open = std::move(open), .begin = begin, .after_word = after_word});
    next_.resize(states_.size() * alphabet_.size(), unknown);
  }
  return entry->second;
}

void LazyDfa::clear_cache() {
  states_.clear();
  next_.clear();
  known_.clear();
  bytes_ = 0;
}

}  // namespace parlance::regex
